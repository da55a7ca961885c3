package io.feedline.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.store.PackingJob;
import io.feedline.spark.Pictures.Sample;
import io.feedline.spark.hadoop.internal.Hdfs;
import io.feedline.spark.hadoop.internal.NeedsHadoop;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that executors write, in JVMs of their own, of which some die. */
@NeedsHadoop
@ExtendWith(Hdfs.Shared.class)
@Tag("cluster")
@EnabledOnOs(value = OS.LINUX, disabledReason = "a second worker needs 127.0.0.2")
@Timeout(300)
class ClusterTest {

  /** Deleted when no attempt of a task can write any more. */
  @TempDir private static Path shared;

  private static int tests;
  private static TestCluster cluster;
  private static SparkSession spark;

  private Path temp;

  @BeforeAll
  static void start() throws IOException {
    cluster = TestCluster.start(shared.resolve("spark"));
    spark = Sessions.on(cluster);
  }

  @BeforeEach
  void setUp() throws IOException {
    temp = Files.createDirectory(shared.resolve("test" + tests++));
  }

  @AfterAll
  static void stop() throws IOException {
    Sessions.stop();
    cluster.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {9, Frames.Fault.END})
  void shouldWriteEachRowOnceWhereAnExecutorIsKilled(long at) throws IOException {
    Path store = temp.resolve("store");
    String killed = temp.resolve("killed").toString();
    Frames.Fault kill =
        (task, row) -> {
          if (task.partitionId() == 1 && row == at && isFirst(killed)) {
            // As kill -9 does: nothing is closed, nothing is told.
            Runtime.getRuntime().halt(137);
          }
        };
    write(Frames.of(spark, 60, 4, kill), "mds").option("shardSize", "4K").save(store.toString());
    assertThat(Path.of(killed)).exists();
    whole(store, 60);
  }

  /** The slow attempt waits until the second one has all rows, and so does the second one. */
  @Test
  void shouldWriteEachRowOnceWhereTwoAttemptsOfATaskEnd() throws IOException {
    Path store = temp.resolve("store");
    String markers = Files.createDirectory(temp.resolve("markers")).toString();
    Frames.Fault meet =
        (task, row) -> {
          if (task.partitionId() == 0 && row == Frames.Fault.END) {
            Files.createFile(Path.of(markers, Integer.toString(task.attemptNumber())));
            awaitFiles(Path.of(markers), 2);
          }
        };
    write(Frames.of(spark, 60, 6, meet), "mds").option("shardSize", "4K").save(store.toString());
    assertThat(count(Path.of(markers))).isEqualTo(2);
    whole(store, 60);
  }

  private static void awaitFiles(Path directory, int wanted) throws Exception {
    long begin = System.nanoTime();
    while (count(directory) < wanted) {
      if (System.nanoTime() - begin > TimeUnit.MINUTES.toNanos(4)) {
        throw new IllegalStateException("less than " + wanted + " files came");
      }
      Thread.sleep(10);
    }
  }

  /** Executors have no configuration of their own: that of the driver's session reaches them. */
  @Test
  void shouldWriteIntoHdfsAndReadFromThereByAPathWithoutAScheme(Hdfs hdfs) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    try {
      hdfs.configuration()
          .getPropsWithPrefix("dfs.client.block.write.locateFollowingBlock")
          .forEach(
              (name, value) ->
                  settings.put("dfs.client.block.write.locateFollowingBlock" + name, value));
      settings.put("fs.defaultFS", hdfs.uri());
      settings.forEach(spark.conf()::set);
      write(Frames.of(spark, 30, 3), "mds").option("shardSize", "4K").save("/data/train");
      Dataset<Row> read = spark.read().format("feedline").load(hdfs.uri() + "/data/train");
      assertThat(read.select("key").collectAsList().stream().map(row -> row.getString(0)))
          .containsExactlyElementsOf(Frames.samples(30).map(Sample::key).toList());
      assertThat(spark.read().format("feedline").load("/data/train").where("width > 0").count())
          .isEqualTo(30);
    } finally {
      settings.keySet().forEach(spark.conf()::unset);
    }
  }

  private static void whole(Path store, int samples) throws IOException {
    List<Sample> expected = Frames.samples(samples).toList();
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(expected);
    Dataset<Row> read = spark.read().format("feedline").load(store.toString());
    assertThat(read.count()).isEqualTo(samples);
    assertThat(read.select("key").distinct().count()).isEqualTo(samples);
    // Files of a killed attempt may still be there; after a sweep nothing but the store is.
    PackingJob.sweep(store, Duration.ZERO);
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(expected);
  }

  /** Tests whether this is the first call with a file, among all processes. */
  private static boolean isFirst(String marker) throws IOException {
    try {
      Files.createFile(Path.of(marker));
      return true;
    } catch (FileAlreadyExistsException second) {
      return false;
    }
  }

  private static long count(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  private static DataFrameWriter<Row> write(Dataset<Row> frame, String format) {
    return frame.write().format("feedline").option("to", format);
  }
}
