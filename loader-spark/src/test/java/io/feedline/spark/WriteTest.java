package io.feedline.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.mds.MdsDataset;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.PackingJob;
import io.feedline.spark.Pictures.Sample;
import io.feedline.spark.hadoop.internal.NeedsHadoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.DataFrameWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Data frames as stores: options, columns, modes, errors. */
@NeedsHadoop
class WriteTest {

  private static SparkSession spark;

  @TempDir private Path temp;

  private Path store;

  @BeforeAll
  static void begin() {
    spark = Sessions.local();
  }

  @BeforeEach
  void setUp() {
    store = temp.resolve("store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mds", "webdataset", "tfrecord"})
  void shouldWriteWhatItIsGivenInTheOrderOfPartitions(String format) throws IOException {
    write(Frames.of(spark, 20, 3), format)
        .option("shardSize", "4K")
        .option("classes", "cat,dog,eel")
        .save(store.toString());
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(Frames.samples(20).toList());
    assertThat(Pictures.classes(store)).containsExactly("cat", "dog", "eel");
    assertThat(files(store, "data-|shard")).hasSizeGreaterThan(5);
    List<Row> rows = spark.read().format("feedline").load(store.toString()).collectAsList();
    assertThat(rows.stream().map(WriteTest::sample))
        .containsExactlyElementsOf(Frames.samples(20).toList());
    assertThat(rows.get(4).<String>getAs("class")).isEqualTo("dog");
  }

  @Test
  void shouldRefuseToWriteWhereThereIsAStoreOrIgnoreIt() throws IOException {
    write(Frames.of(spark, 3, 1), "mds").mode(SaveMode.Ignore).save(store.toString());
    for (SaveMode mode : new SaveMode[] {null, SaveMode.ErrorIfExists}) {
      DataFrameWriter<Row> writer = write(Frames.of(spark, 5, 1, fails()), "mds");
      assertThatThrownBy(() -> (mode == null ? writer : writer.mode(mode)).save(store.toString()))
          .hasStackTraceContaining("FileAlreadyExistsException")
          .hasMessageContaining(store.toString());
    }
    write(Frames.of(spark, 5, 1, fails()), "mds").mode("ignore").save(store.toString());
    assertThat(Pictures.samples(store)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mds", "webdataset", "tfrecord"})
  void shouldAppendToAStore(String format) throws IOException {
    Dataset<Row> all = Frames.of(spark, 12, 3);
    for (int third = 0; third < 3; third++) {
      write(all.where("cast(substring(key, 5) as long) div 4 = " + third), format)
          .mode(SaveMode.Append)
          .option("classes", "[\"a\", \"b,c\", \"d\"]")
          .save(store.toString());
    }
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(Frames.samples(12).toList());
    assertThat(Pictures.classes(store)).containsExactly("a", "b,c", "d");
  }

  @Test
  void shouldReplaceAStoreAndDeleteWhatItHad() throws IOException {
    write(Frames.of(spark, 20, 3), "webdataset").option("shardSize", 4096).save(store.toString());
    write(Frames.of(spark, 4, 2), "webdataset").mode("overwrite").save(store.toString());
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(Frames.samples(4).toList());
    assertThat(files(store, "\\.tar$")).hasSize(2);
  }

  @Test
  void shouldLeaveTheOldStoreWhereReplacingItFails() throws IOException {
    write(Frames.of(spark, 4, 2), "mds").save(store.toString());
    List<Path> before = files(store, "");
    assertThatThrownBy(
            () ->
                write(Frames.of(spark, 20, 1, fails()), "mds")
                    .mode("overwrite")
                    .save(store.toString()))
        .hasStackTraceContaining("as told");
    assertThat(Pictures.samples(store)).hasSize(4);
    assertThat(files(store, "")).isEqualTo(before);
  }

  @Test
  void shouldWriteEachRowOnceWhereEveryTaskFailsOnce() throws IOException {
    Frames.Fault once =
        (task, row) -> {
          if (task.attemptNumber() == 0 && row == 2) {
            throw new IllegalStateException("as told");
          }
        };
    write(Frames.of(spark, 20, 3, once), "tfrecord")
        .option("shardSize", "2K")
        .save(store.toString());
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(Frames.samples(20).toList());
    try (Stream<Path> all = Files.walk(store)) {
      assertThat(all).noneMatch(path -> path.toString().matches(".*/0000[0-2]-[0-2]"));
    }
    assertThat(PackingJob.sweep(store, Duration.ZERO).deleted()).isEmpty();
  }

  @Test
  void shouldWriteAllTypesOfColumnsAsFields() throws IOException {
    Dataset<Row> row =
        spark.sql(
            "select 1 i, X'%s' bytes, 2L l, 3S s, 4Y b, 'five' text, 'k' key, 6.5F f, 7.25D d, true yes, X'08' more"
                .formatted(HexFormat.of().formatHex(Pictures.jpeg(1))));
    write(row, "mds").save(store.toString());
    try (MdsDataset samples = MdsDataset.of(store)) {
      Map<String, Object> sample = samples.get(0);
      assertThat(sample)
          .containsEntry("i", 1L)
          .containsEntry("l", 2L)
          .containsEntry("s", 3L)
          .containsEntry("b", 4L)
          .containsEntry("text", "five")
          .containsEntry("f", 6.5)
          .containsEntry("d", 7.25)
          .containsEntry("yes", 1L);
      assertThat((byte[]) sample.get("more")).containsExactly(8);
    }
  }

  @Test
  void shouldTakeLabelsOfAllTypesAndNone() throws IOException {
    for (DataType type :
        List.of(
            DataTypes.LongType, DataTypes.ShortType, DataTypes.ByteType, DataTypes.IntegerType)) {
      Path each = temp.resolve(type.simpleString());
      Dataset<Row> frame =
          Frames.of(spark, 6, 1)
              .withColumn("label", functions.expr("if(label = 1, null, label)").cast(type));
      write(frame, "tfrecord").save(each.toString());
      assertThat(Pictures.samples(each).stream().map(Sample::label))
          .as(type.simpleString())
          .containsExactly(0, -1, 2, 0, -1, 2);
    }
    Dataset<Row> names =
        Frames.of(spark, 6, 1)
            .withColumn(
                "label", functions.expr("case label when 1 then 'cat' when 2 then 'dog' end"));
    write(names, "webdataset").option("classes", "dog, cat").save(store.toString());
    assertThat(Pictures.samples(store).stream().map(Sample::label))
        .containsExactly(-1, 1, 0, -1, 1, 0);
  }

  @Test
  void shouldTakeColumnsOfOtherNames() throws IOException {
    Dataset<Row> frame = Frames.of(spark, 4, 1).toDF("name", "image", "kind");
    write(frame, "mds")
        .option("keyColumn", "name")
        .option("bytesColumn", "image")
        .option("labelColumn", "kind")
        .save(store.toString());
    assertThat(Pictures.samples(store)).containsExactlyElementsOf(Frames.samples(4).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"mds", "webdataset", "tfrecord"})
  void shouldWriteFilesThatSparkHasReadAsConvertDoes(String format) throws IOException {
    Path images = Pictures.folder(temp.resolve("images"), 6);
    write(files(images), format).option("root", images.toString()).save(store.toString());
    Path converted = Pictures.convert(images, format, temp.resolve("converted"));
    assertThat(sorted(Pictures.samples(store))).isEqualTo(sorted(Pictures.samples(converted)));
    assertThat(Pictures.classes(store))
        .isEqualTo(Pictures.classes(images))
        .containsExactly("cat", "dog", "eclair au lait");
  }

  @Test
  void shouldTakeKeysAndClassesOfFilesAsTold() throws IOException {
    Path images = Pictures.folder(temp.resolve("images"), 2);
    write(files(images), "webdataset")
        .option("root", "file:" + images + "/")
        .option("keys", "file")
        .option("classes", "eclair au lait,dog,cat")
        .save(store.toString());
    assertThat(Pictures.samples(store))
        .extracting(Sample::key, Sample::label)
        .contains(
            org.assertj.core.groups.Tuple.tuple("cat/c_1_png", 2),
            org.assertj.core.groups.Tuple.tuple("dog/deep/d_0_JPEG", 1));
    assertThatThrownBy(
            () ->
                write(files(images).coalesce(1), "webdataset")
                    .option("root", images.toString())
                    .option("classes", "cat,dog")
                    .save(temp.resolve("some").toString()))
        .hasStackTraceContaining(
            "lies in 'eclair au lait', which is none of the classes [cat, dog]");
    assertThatThrownBy(
            () ->
                write(files(images).coalesce(1), "webdataset")
                    .option("root", images + "/cat")
                    .save(temp.resolve("below").toString()))
        .hasStackTraceContaining("does not lie below file:" + images + "/cat, which option root");
  }

  private static Dataset<Row> files(Path images) {
    return spark
        .read()
        .format("binaryFile")
        .option("recursiveFileLookup", "true")
        .load(images.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "resize=8, 8, JPEG",
    "resize=8 raw=true, 8, RAW",
    "raw=true compress=lz4, 16, RAW",
    "coefficients=true, 16, COEFFICIENTS"
  })
  void shouldRecodeAsConvertDoes(String options, int height, ImageFormat format)
      throws IOException {
    DataFrameWriter<Row> writer = write(Frames.of(spark, 1, 1), "mds");
    for (String option : options.split(" ", -1)) {
      int equals = option.indexOf('=');
      writer = writer.option(option.substring(0, equals), option.substring(equals + 1));
    }
    writer.save(store.toString());
    Row row = spark.read().format("feedline").load(store.toString()).first();
    assertThat(row.<Integer>getAs("height")).isEqualTo(height);
    assertThat(row.<String>getAs("format"))
        .isEqualTo(format.name().toLowerCase(java.util.Locale.ROOT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mds", "webdataset", "tfrecord"})
  void shouldMakeTheScanIndexesOfEachShard(String format) throws IOException {
    write(Frames.of(spark, 12, 2), format)
        .option("scanIndex", true)
        .option("shardSize", "4K")
        .save(store.toString());
    List<Path> indexes = files(store, "\\.scan-index$");
    assertThat(indexes).hasSizeGreaterThan(2).hasSize(files(store, "/job-").size() / 2);
    try (ImageDataset images = ImageDataset.open(store)) {
      assertThat(images.hasScanIndexFiles()).isTrue();
      assertThat(images.size()).isEqualTo(12);
    }
    refused(Frames.of(spark, 4, 1), "option scanIndex must be true or false", "scanIndex", "yes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "key   | null                | row 2 (from 0) of partition 0 has null in column 'key', and a sample needs a key",
        "bytes | null                | the row of 'k00002' has null in column 'bytes', and a sample needs its bytes",
        "label | 3                   | the row of 'k00002' has label 3, but labels go from 0 to 2; -1 or null stands for no label",
        "label | 'x'                 | the row of 'k00002' is of class 'x', which is none of the classes [a, b, c]",
        "bytes | cast('x' as binary) | k00002",
      },
      quoteCharacter = '"')
  void shouldNameTheRowThatCannotBeWritten(String column, String value, String message) {
    String other = value.equals("'x'") ? "'a'" : column;
    Dataset<Row> frame =
        Frames.of(spark, 4, 1)
            .withColumn(
                column, functions.expr("if(key = 'k00002', %s, %s)".formatted(value, other)));
    assertThatThrownBy(
            () ->
                write(frame, "mds")
                    .option("classes", "a,b,c")
                    .option("resize", 8)
                    .save(store.toString()))
        .hasStackTraceContaining(message);
    assertThat(store)
        .satisfiesAnyOf(
            path -> assertThat(path).doesNotExist(), path -> assertThat(path).isEmptyDirectory());
  }

  @ParameterizedTest
  @ValueSource(strings = {"mds", "tfrecord", "webdataset"})
  void shouldRefuseABrokenImageInEveryFormatUnlessItIsToBeLeftOut(String format)
      throws IOException {
    Dataset<Row> frame =
        Frames.of(spark, 100, 4)
            .withColumn(
                "bytes", functions.expr("if(key < 'k00030', cast('a note' as binary), bytes)"));
    assertThatThrownBy(() -> write(frame, format).save(store.toString()))
        .hasStackTraceContaining("k000")
        .hasStackTraceContaining("not an image");

    try (Warnings warnings = new Warnings(BrokenImages.class)) {
      write(frame, format).option("onError", "skip").mode("overwrite").save(store.toString());
      assertThat(warnings.messages())
          .singleElement()
          .asString()
          .contains(store + " was written without broken images: 30 left out, of which the first")
          .contains("k00000: not an image", "k00019: not an image")
          .doesNotContain("k00020");
    }
    assertThat(Pictures.samples(store))
        .containsExactlyElementsOf(Frames.samples(100).skip(30).toList());
  }

  @Test
  void shouldRefuseColumnsBeforeAnyTaskStarts() {
    Dataset<Row> frame = Frames.of(spark, 4, 1, fails());
    refused(
        frame.withColumn("at", functions.expr("timestamp'1970-01-01'")),
        "column 'at' is timestamp, which no format holds");
    refused(
        frame.withColumn("list", functions.expr("array(label)")),
        "column 'list' is array<int>, which no format holds");
    refused(frame.drop("key"), "there is no column 'key' among [bytes, label]");
    refused(frame.drop("bytes"), "there is no column 'bytes' among [key, label]");
    refused(frame.withColumn("key", functions.lit(7)), "column 'key' must be string, but is int");
    refused(
        frame.withColumn("label", functions.lit(7.5)),
        "column 'label' must be int, bigint, smallint, tinyint or string");
    refused(frame.withColumn("label", functions.lit("cat")), "column 'label' has names of classes");
    refused(frame, "option root is for rows of files", "root", "/x");
    refused(frame, "there is no column 'kind' among [key, bytes, label]", "labelColumn", "kind");
    refused(frame.toDF("path", "content", "label"), "these are rows of files");
    refused(
        frame.toDF("path", "content", "label"),
        "option root: there is no directory file:" + temp + "/absent",
        "root",
        temp + "/absent");
  }

  @Test
  void shouldRefuseOptionsBeforeAnyTaskStarts() {
    Dataset<Row> frame = Frames.of(spark, 4, 1, fails());
    assertThatThrownBy(
            () -> frame.write().format("feedline").mode("overwrite").save(store.toString()))
        .hasMessage(
            "option to is missing: it names the format to write, one of tfrecord, webdataset, mds");
    refused(
        frame,
        "option to must be a format that many tasks can write, one of tfrecord, webdataset, mds;"
            + " was 'lmdb'",
        "to",
        "lmdb");
    refused(
        frame,
        "writing mds with feedline has no option 'shardsizes'; it has to, shardSize, ",
        "shardSizes",
        "1M");
    refused(frame, "option shardSize: 'much' is not a size", "shardSize", "much");
    refused(frame, "option keys cannot be index", "keys", "index");
    refused(frame, "option keys must be stem or file, was 'x'", "keys", "x");
    refused(frame, "option onError must be fail or skip, was 'null'", "onError", "null");
    refused(frame, "option classes must have each name once", "classes", "a,b,a");
    refused(frame, "option classes must be names with commas", "classes", "[1]");
    refused(frame, "option quality must be a whole number", "quality", "high");
    refused(frame, "the JDK has no hash 'none-such'", "hashes", "none-such");
    assertThatThrownBy(() -> write(frame, "mds").partitionBy("label").save(store.toString()))
        .hasMessageContaining("feedline writes no partitions by column");
    assertThatThrownBy(() -> write(frame, "mds").save()).hasMessageContaining("needs the path");
  }

  private void refused(Dataset<Row> frame, String message, String... options) {
    DataFrameWriter<Row> writer = write(frame, "mds");
    for (int i = 0; i < options.length; i += 2) {
      writer = writer.option(options[i], options[i + 1]);
    }
    DataFrameWriter<Row> refused = writer;
    Path nowhere = temp.resolve("nowhere");
    assertThatThrownBy(() -> refused.save(nowhere.toString())).hasMessageContaining(message);
    assertThat(nowhere).doesNotExist();
  }

  @Test
  void shouldWriteAStoreWithoutSamples() throws IOException {
    write(Frames.of(spark, 4, 2).where("label > 7"), "mds").save(store.toString());
    assertThat(spark.read().format("feedline").load(store.toString()).count()).isZero();
  }

  /** For frames of one partition: tasks of others may still write when the job has failed. */
  private static Frames.Fault fails() {
    return (task, row) -> {
      if (row == 1) {
        throw new IllegalStateException("as told");
      }
    };
  }

  private static DataFrameWriter<Row> write(Dataset<Row> frame, String format) {
    return frame.write().format("feedline").option("to", format);
  }

  private static Sample sample(Row row) {
    Integer label = row.getAs("label");
    return Sample.of(row.getAs("key"), row.getAs("bytes"), label == null ? -1 : label);
  }

  private static List<Sample> sorted(List<Sample> samples) {
    return samples.stream().sorted(Comparator.comparing(Sample::key)).toList();
  }

  /** All files below a directory whose path has this in it, sorted. */
  static List<Path> files(Path directory, String pattern) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.toString().matches("(?s).*(" + pattern + ").*"))
          .sorted()
          .toList();
    }
  }
}
