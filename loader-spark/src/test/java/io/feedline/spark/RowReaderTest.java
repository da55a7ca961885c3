package io.feedline.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.batch.Batch;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Resize;
import io.feedline.spark.hadoop.internal.NeedsHadoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsHadoop
@ExtendWith(Sessions.Resolver.class)
class RowReaderTest {

  private static final StructType IMAGES =
      new StructType().add("path", DataTypes.StringType).add("content", DataTypes.BinaryType);

  // Tasks run in this JVM, and their code is serialized: what they tell must be static.
  private static final AtomicInteger PULLED = new AtomicInteger();
  private static CountDownLatch reading;

  @BeforeEach
  void forget() {
    PULLED.set(0);
    reading = new CountDownLatch(1);
  }

  /** Rows of one number each, which are pulled in the thread of the task. */
  private static Iterator<Row> numbers(int count) {
    Thread task = Thread.currentThread();
    return IntStream.range(0, count)
        .mapToObj(
            number -> {
              assertThat(Thread.currentThread()).isSameAs(task);
              if (PULLED.incrementAndGet() == 1000) {
                reading.countDown();
              }
              return RowFactory.create(number);
            })
        .iterator();
  }

  /** The numbers of a batch's tensor, which must be those of its rows. */
  private static List<Integer> checked(Batch batch, List<Row> rows) {
    long[] numbers = batch.tensor("number").toLongArray();
    assertThat(rows.stream().map(row -> (long) row.getInt(0)))
        .containsExactlyElementsOf(Arrays.stream(numbers).boxed().toList());
    return rows.stream().map(row -> row.getInt(0)).toList();
  }

  /** A sample of a row. */
  private record NumberRow(long number) {
    static NumberRow of(Row row) {
      return new NumberRow(row.getInt(0));
    }
  }

  @ParameterizedTest
  @CsvSource({"100, 7, 2", "100, 1, 1", "100, 8, 0", "3, 50, 4", "0, 4, 2", "64, 64, 3"})
  void shouldDeliverEachRowOnceInOrder(int rows, int size, int workers, JavaSparkContext spark) {
    List<List<Integer>> parts =
        TrainingReaderTest.partitions(spark, 2)
            .mapPartitions(
                nothing -> {
                  Iterator<Integer> results =
                      RowReader.of(numbers(rows), NumberRow::of)
                          .results(
                              options -> options.batchSize(size).numWorkers(workers),
                              RowReaderTest::checked);
                  List<Integer> read = new ArrayList<>();
                  results.forEachRemaining(read::add);
                  assertThat(results.hasNext()).isFalse();
                  return List.of(read).iterator();
                })
            .collect();

    List<Integer> all = IntStream.range(0, rows).boxed().toList();
    assertThat(parts).containsExactly(all, all);
  }

  @Test
  void shouldGiveTheRowsOfWhatIsShuffledPaddedAndLeftOut(JavaSparkContext spark) {
    List<Integer> read =
        TrainingReaderTest.partitions(spark, 1)
            .mapPartitions(
                nothing ->
                    RowReader.of(
                            numbers(50),
                            row -> {
                              if (row.getInt(0) % 10 == 3) {
                                throw new IllegalArgumentException("bad luck");
                              }
                              return NumberRow.of(row);
                            })
                        .results(
                            options ->
                                options
                                    .batchSize(8)
                                    .maxOpenBatches(1)
                                    .shuffleBuffer(16)
                                    .padLast(true)
                                    .errorPolicy(ErrorPolicy.skip()),
                            RowReaderTest::checked))
            .collect();

    assertThat(read.stream().distinct())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 50).filter(number -> number % 10 != 3).boxed().toList());
  }

  @Test
  void shouldPullNoMoreThanIsNeededAndEndWithTheTask(JavaSparkContext spark) {
    List<Integer> first =
        TrainingReaderTest.partitions(spark, 1)
            .mapPartitions(
                nothing ->
                    RowReader.of(numbers(Integer.MAX_VALUE), NumberRow::of)
                        .results(
                            options -> options.batchSize(4).numWorkers(2), RowReaderTest::checked))
            .take(5);

    assertThat(first).containsExactly(0, 1, 2, 3, 4);
    assertThat(PULLED.get()).isLessThan(100);
    assertThat(threads()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldEndWithAKilledTask(boolean interrupt, JavaSparkContext spark) throws Exception {
    TrainingReaderTest.kill(
        spark,
        interrupt,
        reading,
        () -> {
          Iterator<Integer> results =
              RowReader.of(numbers(Integer.MAX_VALUE), NumberRow::of)
                  .results(options -> options.batchSize(4), RowReaderTest::checked);
          results.forEachRemaining(number -> {});
          return null;
        });

    assertThat(threads()).isEmpty();
  }

  /** The threads of readers that are alive. */
  private static Stream<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("feedline-fetcher") || name.contains("rows of partition"));
  }

  @Test
  void shouldReadTheImagesOfBinaryFiles(@TempDir Path directory, SparkSession spark)
      throws Exception {
    TrainingReaderTest.write(directory, 9);

    List<String> read =
        spark
            .read()
            .format("binaryFile")
            .option("recursiveFileLookup", true)
            .load(directory.toString())
            .mapPartitions(
                (MapPartitionsFunction<Row, String>)
                    rows ->
                        RowReader.ofImages(rows, Resize.of(4))
                            .results(
                                options -> options.batchSize(2), RowReaderTest::namesAndPixels),
                Encoders.STRING())
            .collectAsList();

    List<String> expected = new ArrayList<>();
    try (ImageDataset images = ImageDataset.open(directory).withTransform(Resize.of(4))) {
      try (DataLoader<LabeledImage> loader = DataLoader.builder(images).build()) {
        for (Batch batch : loader) {
          try (batch) {
            String path = images.path(batch.indices()[0]).toUri().getPath();
            expected.add(path + " " + hashes(batch).get(0));
          }
        }
      }
    }
    assertThat(read).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static List<String> namesAndPixels(Batch batch, List<Row> rows) {
    List<String> results = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      String path = rows.get(i).getString(rows.get(i).fieldIndex("path"));
      assertThat(batch.values("name").get(i)).isEqualTo(path);
      results.add(path.substring("file:".length()) + " " + hashes(batch).get(i));
    }
    return results;
  }

  /** A hash of each image's pixels. */
  private static List<Integer> hashes(Batch batch) {
    float[] pixels = batch.tensor("image").toFloatArray();
    int length = pixels.length / batch.size();
    return IntStream.range(0, batch.size())
        .mapToObj(i -> Arrays.hashCode(Arrays.copyOfRange(pixels, i * length, (i + 1) * length)))
        .toList();
  }

  @Test
  void shouldNameTheImageThatCannotBeDecoded(SparkSession spark) throws Exception {
    assertThatThrownBy(
            () ->
                results(
                    spark,
                    IMAGES,
                    RowFactory.create("a.png", Pictures.png(1)),
                    RowFactory.create("b.png", new byte[] {1, 2, 3})))
        .hasStackTraceContaining("b.png")
        .hasStackTraceContaining("sample 1 of rows of partition");
    assertThatThrownBy(() -> results(spark, IMAGES, RowFactory.create("c.png", null)))
        .hasStackTraceContaining("c.png: the column content is null");
  }

  @Test
  void shouldSayWhichColumnsItLooksFor(SparkSession spark) throws Exception {
    StructType two =
        new StructType().add("front", DataTypes.BinaryType).add("back", DataTypes.BinaryType);
    assertThatThrownBy(() -> results(spark, two, RowFactory.create(new byte[1], new byte[1])))
        .hasStackTraceContaining("those of bytes are [front, back], of the columns [front, back]");

    StructType one =
        new StructType().add("number", DataTypes.LongType).add("jpg", DataTypes.BinaryType);
    assertThat(results(spark, one, RowFactory.create(7L, Pictures.png(1))))
        .containsExactly("an image without a name");
  }

  private static List<String> results(SparkSession spark, StructType schema, Row... rows) {
    return spark
        .createDataFrame(List.of(rows), schema)
        .coalesce(1)
        .mapPartitions(
            (MapPartitionsFunction<Row, String>)
                part ->
                    RowReader.ofImages(part, image -> image)
                        .results(
                            options -> options.batchSize(1),
                            (batch, its) -> List.of(batch.values("name").get(0).toString())),
            Encoders.STRING())
        .collectAsList();
  }

  @Test
  void shouldTellTheFailureOfTheFunction(JavaSparkContext spark) {
    assertThatThrownBy(
            () ->
                TrainingReaderTest.partitions(spark, 1)
                    .mapPartitions(
                        nothing ->
                            RowReader.of(numbers(9), NumberRow::of)
                                .results(
                                    options -> options,
                                    (batch, rows) -> {
                                      throw new java.io.IOException("no network");
                                    }))
                    .collect())
        .hasMessageContaining("no network");
    assertThat(threads()).isEmpty();
  }
}
