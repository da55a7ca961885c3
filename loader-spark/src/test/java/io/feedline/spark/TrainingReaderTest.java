package io.feedline.spark;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.spark.hadoop.internal.NeedsHadoop;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.TaskCompletionListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NeedsHadoop
@ExtendWith(Sessions.Resolver.class)
class TrainingReaderTest {

  // Tasks run in this JVM, and their code is serialized: what they tell must be static.
  private static final AtomicInteger OPEN = new AtomicInteger();
  private static final AtomicInteger OPENED = new AtomicInteger();
  private static CountDownLatch reading;
  private static CountDownLatch ended;

  @BeforeEach
  void forget() {
    OPENED.set(0);
    reading = new CountDownLatch(1);
  }

  /** Numbers that know whether they have been closed. */
  private static final class Numbers implements Dataset<Long>, Closeable {
    private final long size;

    Numbers(long size) {
      this.size = size;
      OPEN.incrementAndGet();
      OPENED.incrementAndGet();
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public Long get(long index) {
      if (index > 1000) {
        reading.countDown();
      }
      return index;
    }

    @Override
    public void close() {
      OPEN.decrementAndGet();
    }
  }

  /** The numbers that a task's part has, behind the number of batches. */
  private static List<Long> read(TrainingReader<Long> reader, Remainder remainder)
      throws IOException {
    List<Long> read = new ArrayList<>();
    DataLoader<Long> loader =
        reader.loader(remainder, options -> options.batchSize(4).shuffle(true));
    read.add(loader.size().orElseThrow());
    for (Batch batch : loader) {
      try (batch) {
        for (long number : batch.indices()) {
          read.add(number);
        }
      }
    }
    return read;
  }

  static JavaRDD<Integer> partitions(JavaSparkContext spark, int count) {
    return spark.parallelize(Collections.nCopies(count, 0), count);
  }

  @ParameterizedTest
  @CsvSource({"100, 3", "2, 3", "7, 1"})
  void shouldDealEachSampleOnce(long size, int tasks, JavaSparkContext spark) {
    List<ArrayList<Long>> parts =
        partitions(spark, tasks)
            .mapPartitions(
                nothing -> {
                  try (TrainingReader<Long> reader = TrainingReader.open(() -> new Numbers(size))) {
                    assertThat(reader.world().worldSize()).isEqualTo(tasks);
                    assertThat(reader.dataset().size()).isEqualTo(size);
                    List<Long> read = read(reader, Remainder.EXACT);
                    return List.of(new ArrayList<>(read.subList(1, read.size()))).iterator();
                  }
                })
            .collect();

    assertThat(parts).hasSize(tasks);
    assertThat(parts.stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, size).boxed().toList());
    assertThat(OPENED).hasValue(tasks);
    assertThat(OPEN).hasValue(0);
  }

  @Test
  void shouldMakeEqualStepsInABarrierStage(JavaSparkContext spark) {
    List<List<Long>> parts =
        inBarrier(
            spark,
            () -> {
              try (TrainingReader<Long> reader = TrainingReader.open(() -> new Numbers(9))) {
                return read(reader, Remainder.PAD);
              }
            });

    assertThat(parts).hasSize(2).allSatisfy(part -> assertThat(part).hasSize(1 + 5));
    assertThat(parts.get(0).get(0)).isEqualTo(2).isEqualTo(parts.get(1).get(0));
    assertThat(parts.stream().flatMap(part -> part.subList(1, 6).stream()).distinct()).hasSize(9);
  }

  @Test
  void shouldTellAllTasksOfABarrierStageThatTheirDataDiffer(JavaSparkContext spark) {
    List<String> failures =
        inBarrier(
            spark,
            () -> {
              long size = 10L + TaskContext.getPartitionId();
              try (TrainingReader<Long> reader = TrainingReader.open(() -> new Numbers(size))) {
                return "opened " + reader;
              } catch (IOException e) {
                return e.getMessage();
              }
            });

    assertThat(failures)
        .hasSize(2)
        .allSatisfy(
            failure ->
                assertThat(failure)
                    .contains(
                        "the data set is not the same in all 2 tasks",
                        "task 0 has 10 samples, fingerprint",
                        "task 1 has 11 samples"));
    assertThat(OPEN).as("closed with the task").hasValue(0);
  }

  @Test
  void shouldTellAllTasksOfABarrierStageThatTheirLoadersDiffer(JavaSparkContext spark) {
    List<List<String>> failures =
        inBarrier(
            spark,
            () -> {
              int rank = TaskContext.getPartitionId();
              List<String> told = new ArrayList<>();
              try (TrainingReader<Long> reader = TrainingReader.open(() -> new Numbers(64))) {
                told.add(failure(() -> reader.loader(options -> options.seed(rank))));
                told.add(failure(() -> reader.loader(options -> options.batchSize(4 << rank))));
                reader.loader(Remainder.EXACT, options -> options.batchSize(4 << rank).seed(7));
              }
              return told;
            });

    assertThat(failures)
        .hasSize(2)
        .allSatisfy(
            told -> {
              assertThat(told.get(0)).contains("32 steps, seed 0", "task 1 has 32 steps, seed 1");
              assertThat(told.get(1)).contains("8 steps, seed 0", "task 1 has 4 steps, seed 0");
            });
  }

  private static String failure(Callable<?> call) throws Exception {
    try {
      return "no failure: " + call.call();
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  /** Returns the results of two tasks that run at once. */
  private static <R> List<R> inBarrier(JavaSparkContext spark, SerializableCall<R> call) {
    return TrainingReader.inBarrierStage(
            partitions(spark, 2), nothing -> List.of(call.call()).iterator())
        .collect();
  }

  interface SerializableCall<R> extends Serializable {
    R call() throws Exception;
  }

  @Test
  void shouldTellTheFailureOfATaskInABarrierStage(JavaSparkContext spark) {
    assertThatThrownBy(
            () ->
                inBarrier(
                    spark,
                    () -> {
                      throw new IOException("the disk is on fire");
                    }))
        .hasMessageContaining("the disk is on fire");
  }

  @Test
  void shouldCloseWhatATaskHasLeftOpenEvenWhereItFails(JavaSparkContext spark) {
    partitions(spark, 3)
        .foreachPartition(
            nothing -> {
              TrainingReader<Long> left = TrainingReader.open(() -> new Numbers(100));
              left.loader(options -> options.batchSize(4)).iterator().next();
            });
    assertThat(OPENED).hasValue(3);
    assertThat(OPEN).hasValue(0);

    assertThatThrownBy(
            () ->
                partitions(spark, 1)
                    .foreachPartition(
                        nothing -> {
                          TrainingReader<Long> left = TrainingReader.open(() -> new Numbers(100));
                          throw new IOException("not enough " + left.world());
                        }))
        .hasMessageContaining("not enough WorldInfo[rank=0, worldSize=1]");
    assertThat(OPENED.get()).isGreaterThan(3);
    assertThat(OPEN).hasValue(0);
  }

  /** Without an interrupt, too: the samples that follow fail, and so the batch. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void shouldEndWithAKilledTask(boolean interrupt, JavaSparkContext spark) throws Exception {
    kill(
        spark,
        interrupt,
        reading,
        () -> {
          TrainingReader<Long> endless = TrainingReader.open(() -> new Numbers(1L << 40));
          for (Batch batch : endless.loader(options -> options.batchSize(4))) {
            batch.close();
          }
          return null;
        });

    assertThat(OPEN).hasValue(0);
  }

  /** Runs a task, kills it while it reads, and waits for its end. */
  static void kill(
      JavaSparkContext spark,
      boolean interrupt,
      CountDownLatch reading,
      SerializableCall<Void> task)
      throws Exception {
    ended = new CountDownLatch(1);
    String group = "killed-" + System.nanoTime();
    spark.setJobGroup(group, "a task that is killed", interrupt);
    JavaFutureAction<Void> job =
        partitions(spark, 1)
            .foreachPartitionAsync(
                nothing -> {
                  TaskContext.get().addTaskCompletionListener(new Ended());
                  task.call();
                });

    assertThat(reading.await(1, MINUTES)).as("it reads").isTrue();
    spark.cancelJobGroup(group);

    assertThatThrownBy(job::get).hasStackTraceContaining("cancelled");
    assertThat(ended.await(1, MINUTES)).as("it has ended").isTrue();
    spark.clearJobGroup();
  }

  /** Called after the listeners that were added later, which close the reader. */
  private static final class Ended implements TaskCompletionListener {
    @Override
    public void onTaskCompletion(TaskContext task) {
      ended.countDown();
    }
  }

  @Test
  void shouldOpenAStoreByItsUri(@TempDir Path directory, JavaSparkContext spark) throws Exception {
    Path folder = directory.resolve("images");
    write(folder, 11);
    String uri = folder.toUri().toString();

    List<Integer> labels =
        partitions(spark, 2)
            .mapPartitions(
                nothing -> {
                  List<Integer> read = new ArrayList<>();
                  try (TrainingReader<LabeledImage> reader =
                      TrainingReader.open(uri, images -> images.subset(1, 11))) {
                    for (Batch batch :
                        reader.loader(Remainder.EXACT, options -> options.batchSize(2))) {
                      try (batch) {
                        assertThat(batch.tensor("image").shape().toString())
                            .isEqualTo("(%d, 3, 6, 8)".formatted(batch.size()));
                        for (int i = 0; i < batch.size(); i++) {
                          read.add((int) batch.tensor("label").toLongArray()[i]);
                        }
                      }
                    }
                  }
                  return read.iterator();
                })
            .collect();

    assertThat(labels).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  /** So many classes, of one image each. */
  static void write(Path folder, int images) throws Exception {
    List<String> classes = IntStream.range(0, images).mapToObj("class-%02d"::formatted).toList();
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named("imagefolder").create(folder, Packing.of(classes, images))) {
      for (int i = 0; i < images; i++) {
        writer.write(new EncodedImage("image-" + i, Pictures.png(i), i));
      }
      writer.commit();
    }
  }

  @Test
  void shouldNameAStoreThatIsNotThere(@TempDir Path directory, JavaSparkContext spark) {
    String path = directory.resolve("nothing").toString();

    assertThatThrownBy(
            () ->
                partitions(spark, 1)
                    .foreachPartition(nothing -> TrainingReader.open(path, images -> images)))
        .hasMessageContaining(path);
  }

  @Test
  void shouldBeForTasksOnly() {
    assertThatThrownBy(() -> TrainingReader.open(() -> new Numbers(3)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("TrainingReader is for the code of a task");
    assertThat(OPENED).hasValue(0);
  }

  @Test
  void shouldGiveNoLoaderWhenClosed(JavaSparkContext spark) {
    List<String> told =
        partitions(spark, 1)
            .mapPartitions(
                nothing -> {
                  TrainingReader<Long> reader = TrainingReader.open(() -> new Numbers(3));
                  reader.close();
                  reader.close();
                  try {
                    return List.of(reader.loader(options -> options).toString()).iterator();
                  } catch (IllegalStateException e) {
                    return List.of(e.getMessage()).iterator();
                  }
                })
            .collect();

    assertThat(told).containsExactly("the reader is closed");
  }
}
