package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.files.PackingJobContract;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All formats that tasks write, into buckets. */
@ParameterizedClass(name = "{0} in {1}")
@MethodSource("formatsAndServers")
@Timeout(120)
class PackingJobTest extends PackingJobContract {

  @Parameter(0)
  private String name;

  @Parameter(1)
  private S3Server.Kind kind;

  private static S3Server server;
  private static int directories;

  private ObjectFileSystem files;
  private Path target;

  /** Each format in one server: that all servers do what writers ask for is tested elsewhere. */
  static List<Arguments> formatsAndServers() {
    List<String> formats =
        StoreFormat.all().stream()
            .filter(StoreFormat::isWritableByTasks)
            .map(StoreFormat::name)
            .sorted()
            .toList();
    S3Server.Kind[] servers = {S3Server.Kind.STUB, S3Server.Kind.S3PROXY};
    List<Arguments> all = new ArrayList<>();
    for (int i = 0; i < formats.size(); i++) {
      all.add(Arguments.of(formats.get(i), servers[i % servers.length]));
    }
    return all;
  }

  @BeforeEach
  void start() throws Exception {
    if (server == null) {
      server = kind.open();
    }
    files = server.files();
    moveElsewhere();
  }

  @Override
  protected void moveElsewhere() {
    target = files.getPath("/data " + directories++ + "/ü+");
  }

  @AfterParameterizedClassInvocation
  static void stopServer() throws Exception {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  @AfterEach
  void stop() throws IOException {
    assertThat(files.objects().writes().uploads(files.root()))
        .as("what is being sent still")
        .isEmpty();
    files.close();
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named(name);
  }

  @Override
  protected Path target() {
    return target;
  }

  @Override
  protected Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    List<String> names = new ArrayList<>();
    ObjectOutput.of(target()).listObjects(names::add);
    for (String each : names) {
      found.put(each, ObjectOutput.of(target().resolve(each)).read().bytes());
    }
    return found;
  }

  @Override
  protected void lose(String file) throws IOException {
    ObjectOutput.of(target().resolve(file)).delete();
  }

  @Override
  protected void put(String file, byte[] bytes) throws IOException {
    String unused = ObjectOutput.of(target().resolve(file)).write(bytes, ObjectOutput.ANY);
  }
}
