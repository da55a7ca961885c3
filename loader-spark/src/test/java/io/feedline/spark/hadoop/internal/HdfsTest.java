package io.feedline.spark.hadoop.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Together;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract over a real HDFS in this process. */
@NeedsHadoop
@ExtendWith(Hdfs.Shared.class)
class HdfsTest extends HadoopContract {

  private static Hdfs hdfs;

  @BeforeAll
  static void start(Hdfs shared) {
    hdfs = shared;
  }

  @Override
  Configuration configuration() {
    return hdfs.configuration();
  }

  @Override
  String newDirectory() throws IOException {
    String directory = hdfs.newDirectory();
    hdfs.files().mkdirs(new org.apache.hadoop.fs.Path(directory));
    return directory;
  }

  @Test
  void shouldLetOneOfSeveralPutAnAbsentFile() throws Exception {
    for (int round = 0; round < 10; round++) {
      ObjectOutput file = ObjectOutput.of(directory().resolve("index" + round));
      List<Integer> written =
          Together.inEightThreads(
              thread -> {
                try {
                  return file.write(new byte[] {(byte) thread}, ObjectOutput.ABSENT).isEmpty()
                      ? -1
                      : thread;
                } catch (ObjectOutput.ConflictException lost) {
                  return -1;
                }
              });
      List<Integer> winners = written.stream().filter(thread -> thread >= 0).toList();
      assertThat(winners).hasSize(1);
      assertThat(file.read().bytes()).containsExactly(winners.get(0));
    }
    assertThat(hdfs.files().listStatus(place(directory()))).hasSize(10);
  }

  @Test
  void shouldTakeWhatHasNoSchemeForAPathOfTheDefaultFileSystem() throws IOException {
    Path path = HadoopPaths.path("/data/x", configuration());
    assertThat(path).hasToString(hdfs.uri() + "/data/x");
    assertThat(path).isEqualTo(HadoopPaths.path(path.toString(), configuration()));
    assertThat(HadoopPaths.path("x", configuration()).toString()).contains("/user/");
  }

  @Test
  void shouldTellFilesOfTheSameLengthApartByWhatHdfsKnowsThemBy() throws IOException {
    ObjectOutput file = ObjectOutput.of(directory().resolve("file"));
    String first = file.write(new byte[] {1}, ObjectOutput.ABSENT);
    String second = file.write(new byte[] {2}, first);
    assertThat(second).isNotEqualTo(first).isEqualTo(file.version());
    assertThatThrownBy(() -> file.write(new byte[] {3}, first))
        .isInstanceOf(ObjectOutput.ConflictException.class);
  }

  /** As a command has it: of an installed provider. */
  @Test
  void shouldBeFoundByAUri() throws IOException {
    Path file = directory().resolve("a b");
    ObjectOutput.of(file).write(new byte[7], ObjectOutput.ABSENT);

    assertThat(Files.size(Path.of(file.toUri()))).isEqualTo(7);
  }

  /** Renamed within a mount, and configured by a directory as {@code HADOOP_CONF_DIR} names it. */
  @Test
  void shouldReadAndWriteWhatIsMountedInAView() throws IOException {
    Path conf = Files.createDirectories(disk().resolve("conf"));
    Files.writeString(
        conf.resolve("core-site.xml"),
        """
        <configuration><property>
          <name>fs.viewfs.mounttable.view.link./mounted</name><value>%s/data</value>
        </property></configuration>
        """
            .formatted(hdfs.uri()));
    Path view = HadoopPaths.path(URI.create("viewfs://view/mounted/in"), conf.toString());
    ObjectOutput file = ObjectOutput.of(view.resolve("file"));
    String first = file.write(new byte[] {1}, ObjectOutput.ABSENT);
    assertThatThrownBy(() -> file.write(new byte[] {1, 2}, ObjectOutput.ABSENT))
        .isInstanceOf(ObjectOutput.ConflictException.class);
    file.write(new byte[] {1, 2, 3}, first);
    assertThat(Files.readAllBytes(view.resolve("file"))).containsExactly(1, 2, 3);
    try (Stream<Path> entries = Files.list(view)) {
      assertThat(entries).containsExactly(view.resolve("file"));
    }
    assertThat(hdfs.files().exists(new org.apache.hadoop.fs.Path("/data/in/file"))).isTrue();
  }
}
