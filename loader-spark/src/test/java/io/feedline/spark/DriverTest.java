package io.feedline.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.PackingJob;
import io.feedline.spark.hadoop.internal.NeedsHadoop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The state that a killed driver leaves. */
@NeedsHadoop
@Tag("cluster")
@Timeout(300)
class DriverTest {

  @TempDir private Path temp;

  @Test
  void shouldLeaveNoStoreWhereTheDriverIsKilledAndLetTheNextJobWriteIt() throws Exception {
    Path store = temp.resolve("store");
    Process driver = TestCluster.java(Driver.class, java.util.List.of(), temp, store.toString());
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8))) {
      // One task has told its shards, the other one has not.
      assertThat(output.readLine()).isEqualTo("a task has ended");
    } finally {
      driver.destroyForcibly();
    }
    assertThat(driver.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(WriteTest.files(store, "/data-|/shard\\.|\\.mds")).isNotEmpty();
    assertThatThrownBy(() -> ImageDataset.open(store)).isInstanceOf(IOException.class);

    SparkSession spark = Sessions.local();
    Frames.of(spark, 20, 3)
        .write()
        .format("feedline")
        .option("to", "mds")
        .option("shardSize", "4K")
        .save(store.toString());
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(Frames.samples(20).toList());
    assertThat(PackingJob.sweep(store, Duration.ZERO).deleted()).hasSize(1);
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(Frames.samples(20).toList());
    try (Stream<Path> entries = Files.list(store)) {
      assertThat(entries).hasSize(2);
    }
  }

  /** A driver whose job never ends. */
  static final class Driver {

    private Driver() {}

    /** Writes to the path that is the argument. */
    public static void main(String[] arguments) {
      SparkSession spark = Sessions.builder("local[2]", "").getOrCreate();
      spark
          .sparkContext()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onTaskEnd(SparkListenerTaskEnd end) {
                  System.out.println("a task has ended");
                }
              });
      Frames.Fault hang =
          (task, row) -> {
            if (task.partitionId() == 1 && row == 5) {
              Waiting.until(() -> false);
            }
          };
      Frames.of(spark, 20, 2, hang)
          .write()
          .format("feedline")
          .option("to", "mds")
          .option("shardSize", "4K")
          .save(arguments[0]);
    }
  }
}
