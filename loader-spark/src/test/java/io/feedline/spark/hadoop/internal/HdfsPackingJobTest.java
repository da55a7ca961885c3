package io.feedline.spark.hadoop.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.files.PackingJobContract;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many tasks that write into HDFS at once; other formats differ in the bytes of shards only. */
@Tag("once")
@Timeout(180)
@NeedsHadoop
@ExtendWith(Hdfs.Shared.class)
class HdfsPackingJobTest extends PackingJobContract {

  private static Hdfs hdfs;

  private Path target;

  @BeforeAll
  static void start(Hdfs shared) {
    hdfs = shared;
  }

  @BeforeEach
  @Override
  protected void moveElsewhere() throws IOException {
    target = HadoopPaths.path(hdfs.newDirectory() + "/ü+", hdfs.configuration());
  }

  /** Directories of a file system that has them go with their content. */
  @AfterEach
  void requireNoEmptyDirectories() throws IOException {
    if (Files.exists(target)) {
      try (Stream<Path> all = Files.walk(target)) {
        for (Path each : all.filter(Files::isDirectory).toList()) {
          try (Stream<Path> entries = Files.list(each)) {
            assertThat(each.equals(target) || entries.findAny().isPresent())
                .as(each.toString())
                .isTrue();
          }
        }
      }
    }
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named("webdataset");
  }

  @Override
  protected Path target() {
    return target;
  }

  @Override
  protected Map<String, byte[]> files() throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    List<String> names = new ArrayList<>();
    ObjectOutput.of(target).list(each -> names.add(each.name()));
    for (String each : names) {
      found.put(each, ObjectOutput.of(target.resolve(each)).read().bytes());
    }
    return found;
  }

  @Override
  protected void lose(String file) throws IOException {
    ObjectOutput.of(target.resolve(file)).delete();
    for (Path above = target.resolve(file).getParent();
        !above.equals(target);
        above = above.getParent()) {
      ObjectOutput.of(above).removeEmptyDirectory();
    }
  }

  @Override
  protected void put(String file, byte[] bytes) throws IOException {
    String unused = ObjectOutput.of(target.resolve(file)).write(bytes, ObjectOutput.ANY);
  }
}
