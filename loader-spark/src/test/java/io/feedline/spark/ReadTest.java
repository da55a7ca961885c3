package io.feedline.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.internal.ReadMeter;
import io.feedline.spark.Pictures.Sample;
import io.feedline.spark.hadoop.internal.NeedsHadoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores of all formats as data frames. */
@NeedsHadoop
class ReadTest {

  private static SparkSession spark;

  @TempDir private static Path shared;

  private static Path folder;

  @TempDir private Path temp;

  @BeforeAll
  static void begin() throws IOException {
    spark = Sessions.local();
    folder = Pictures.folder(shared.resolve("images"), 8);
  }

  static Stream<String> formats() {
    return StoreFormat.all().stream().filter(StoreFormat::isWritable).map(StoreFormat::name);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void shouldReadEveryFormatAsItIs(String format) throws IOException {
    Path store = Pictures.convert(folder, format, temp.resolve("store"));
    if (format.equals("zip") && spark.version().startsWith("3.")) {
      assertThatThrownBy(() -> read().load(store.toString()).count())
          .hasMessageStartingWith("zip needs a newer version of a library than Spark's own");
      return;
    }
    List<Row> rows = read().load(store.toString()).collectAsList();
    assertThat(rows.get(0).schema().fieldNames())
        .containsExactly("key", "bytes", "label", "class", "width", "height", "format");
    List<Sample> found = new ArrayList<>();
    try (ImageDataset images = ImageDataset.open(store)) {
      for (Row row : rows) {
        byte[] bytes = row.getAs("bytes");
        Integer label = row.getAs("label");
        found.add(Sample.of(row.getAs("key"), bytes, label == null ? -1 : label));
        Image image = Image.ofEncoded(bytes, "");
        assertThat(row.<Integer>getAs("width")).isEqualTo(image.width());
        assertThat(row.<Integer>getAs("height")).isEqualTo(image.height());
        assertThat(row.<String>getAs("format"))
            .isEqualTo(row.<String>getAs("key").endsWith("_1") ? "png" : row.getAs("format"))
            .isIn("jpeg", "png");
        assertThat(row.<String>getAs("class"))
            .isEqualTo(images.classes().isEmpty() ? null : images.classes().get(label));
      }
    }
    assertThat(found).isEqualTo(Pictures.samples(store));
  }

  @Test
  void shouldReadTheSameByColumnsOfAnyChoice() throws IOException {
    Path store = Pictures.convert(folder, "webdataset", temp.resolve("store"));
    Dataset<Row> all = read().load(store.toString());
    List<Row> rows = all.collectAsList();
    for (String column : all.columns()) {
      assertThat(all.select(column).collectAsList().stream().map(row -> row.get(0)))
          .as(column)
          .usingElementComparator((a, b) -> java.util.Objects.deepEquals(a, b) ? 0 : 1)
          .containsExactlyElementsOf(rows.stream().map(row -> row.<Object>getAs(column)).toList());
    }
    assertThat(all.select("height", "label").collectAsList().stream().map(row -> row.getInt(0)))
        .containsExactlyElementsOf(rows.stream().map(row -> row.<Integer>getAs("height")).toList());
  }

  @Test
  void shouldCountWithoutReadingAnImage() throws IOException {
    Path images = Pictures.folder(temp.resolve("images"), 4);
    Dataset<Row> rows = read().load(images.toString());
    assertThat(rows.count()).isEqualTo(12);
    try (Stream<Path> files = Files.walk(images)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("nowhere"));
      }
    }
    Dataset<Row> broken = read().load(images.toString());
    assertThat(broken.count()).isEqualTo(12);
    assertThat(broken.groupBy("class").count().collectAsList()).hasSize(3);
    assertThatThrownBy(() -> broken.select("bytes").collectAsList())
        .hasStackTraceContaining("NoSuchFileException: " + images);
  }

  @Test
  void shouldGiveTheBytesOfABrokenImageWithoutItsSize() throws IOException {
    Path images = Pictures.folder(temp.resolve("images"), 3);
    Path broken = images.resolve("dog/d_2.jpg");
    Files.write(broken, new byte[] {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, 7});
    Dataset<Row> rows = read().load(images.toString());
    Row row = rows.where("width is null").collectAsList().get(0);
    assertThat(row.<String>getAs("key")).isEqualTo("dog/d_2");
    assertThat(row.<byte[]>getAs("bytes")).hasSize(4);
    assertThat(row.<Integer>getAs("height")).isNull();
    assertThat(row.<String>getAs("format")).isEqualTo("jpeg");
    assertThat(rows.where("width is null").count()).isEqualTo(1);
    assertThatThrownBy(
            () -> read().option("onError", "fail").load(images.toString()).collectAsList())
        .hasStackTraceContaining(broken.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"key", "label", "bytes", "width"})
  void shouldLeaveOutTheRowsOfBrokenImagesWhicheverColumnsAreRead(String column)
      throws IOException {
    Path images = Pictures.folder(temp.resolve("images"), 3);
    Path broken = images.resolve("dog/d_2.jpg");
    Files.write(broken, new byte[] {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, 7});
    Dataset<Row> rows = read().option("onError", "skip").load(images.toString());
    try (Warnings warnings = new Warnings(BrokenImages.class)) {
      assertThat(rows.count()).isEqualTo(8);
      assertThat(rows.select(column).collectAsList()).hasSize(8);
      assertThat(rows.where("width is null").count()).isZero();
      assertThat(warnings.messages())
          .hasSize(3)
          .allMatch(message -> message.contains("were read without broken images: 1 left out"))
          .allMatch(message -> message.contains(broken.toString()));
    }
  }

  static Stream<String> formatsInParts() {
    return formats().filter(format -> !format.equals("lmdb") && !format.equals("zip"));
  }

  /** All of {@code select(...).where("width is null")}: headers, labels and keys. */
  @ParameterizedTest
  @MethodSource("formatsInParts")
  void shouldReadFewBytesForAllColumnsButTheBytes(String format) throws IOException {
    Path store = large(format);
    List<SampleColumn> columns =
        Arrays.stream(SampleColumn.values()).filter(each -> each != SampleColumn.BYTES).toList();
    assertThat(bytesRead(store, columns, List.of(), 4)).isPositive().isLessThan(4 * (1 << 15));
  }

  @ParameterizedTest
  @MethodSource("formatsInParts")
  void shouldReadOnlyTheSamplesThatAFilterOfLabelsOrKeysTakes(String format) throws IOException {
    Path store = large(format);
    SampleFilter labels = new SampleFilter(SampleColumn.LABEL, SampleFilter.Kind.IN, List.of(1));
    assertThat(bytesRead(store, List.of(SampleColumn.BYTES), List.of(labels), 1))
        .isBetween(1L << 18, (1L << 18) + 4 * (1 << 14));
    SampleFilter keys =
        new SampleFilter(
            SampleColumn.KEY,
            SampleFilter.Kind.STARTS_WITH,
            List.of(UTF8String.fromString("none")));
    assertThat(bytesRead(store, List.of(SampleColumn.BYTES), List.of(keys), 0))
        .isLessThan(4 * (1 << 14));
  }

  /** Four images of 256 KiB, the last one of a class of its own. */
  private Path large(String format) throws IOException {
    Path store = temp.resolve("store");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(store, Packing.of(List.of("ant", "bee"), 4))) {
      for (int i = 0; i < 4; i++) {
        byte[] bytes = Arrays.copyOf(Pictures.jpeg(i), 1 << 18);
        writer.write(new EncodedImage("%02d".formatted(i), bytes, i / 3, "jpg"));
      }
      writer.commit();
    }
    return store;
  }

  private static long bytesRead(
      Path store, List<SampleColumn> columns, List<SampleFilter> filters, int rows)
      throws IOException {
    ReadPlan plan =
        ReadPlan.of(spark, SourceOptions.of(Map.of(SourceOptions.PATH, store.toString())));
    // Its index is made when it is first opened.
    plan.open().close();
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    try (RangeReader reader =
        new RangeReader(plan, columns, filters, new StoreScan.Range(0, 4, 4))) {
      int found = 0;
      while (reader.next()) {
        found++;
      }
      assertThat(found).isEqualTo(rows);
      return meter.take();
    } finally {
      ReadMeter.restore(before);
    }
  }

  @Test
  void shouldAnswerFiltersOfLabelsKeysAndClassesBeforeAnImageIsRead() throws IOException {
    Path images = Pictures.folder(temp.resolve("images"), 4);
    try (Stream<Path> files = Files.list(images.resolve("cat"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("nowhere"));
      }
    }
    Dataset<Row> rows = read().load(images.toString());
    for (String condition :
        List.of(
            "label = 1",
            "label in (1, 7)",
            "class = 'dog'",
            "key like 'dog/%'",
            "label is not null and class = 'dog' and width > 0")) {
      Dataset<Row> dogs = rows.where(condition);
      assertThat(dogs.select("key", "bytes").collectAsList())
          .as(condition)
          .hasSize(4)
          .allMatch(row -> row.getString(0).startsWith("dog/"));
      assertThat(dogs.count()).as(condition).isEqualTo(4);
    }
    assertThat(rows.where("label is null").count()).isZero();
    assertThat(rows.where("label <> 1").count()).as("which stays with Spark").isEqualTo(8);
    assertThat(rows.where("label = 1").queryExecution().executedPlan().toString())
        .contains("where [LABEL IS_NOT_NULL, LABEL IN(1)]")
        .doesNotContain("Filter (label");
    assertThatThrownBy(() -> rows.where("label = 0").select("bytes").collectAsList())
        .hasStackTraceContaining("NoSuchFileException: " + images.resolve("cat"));
  }

  @Test
  void shouldHaveNoLabelAndNoClassWhereTheStoreHasNone() throws IOException {
    Path images = Files.createDirectories(temp.resolve("flat"));
    Files.write(images.resolve("a.jpg"), Pictures.jpeg(1));
    Row row = read().load(images.toString()).collectAsList().get(0);
    assertThat(row.<String>getAs("key")).isEqualTo("a");
    assertThat(row.<Integer>getAs("label")).isNull();
    assertThat(row.<String>getAs("class")).isNull();
  }

  @Test
  void shouldReadTheFilesThatSparkItselfHasWritten() throws IOException {
    StructType file =
        new StructType().add("bytes", DataTypes.BinaryType).add("path", DataTypes.StringType);
    StructType schema = new StructType().add("image", file).add("label", DataTypes.LongType);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rows.add(
          RowFactory.create(RowFactory.create(Pictures.jpeg(i), "p" + i + ".jpg"), (long) i % 3));
    }
    spark.createDataFrame(rows, schema).coalesce(1).write().parquet(temp + "/parquet");
    Path part;
    try (Stream<Path> files = Files.list(temp.resolve("parquet"))) {
      part = files.filter(each -> each.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
    List<Row> found =
        read().option("LABEL-field", "label").load(part.toUri().toString()).collectAsList();
    assertThat(found.stream().map(row -> Sample.of("", row.getAs("bytes"), row.getAs("label"))))
        .containsExactlyElementsOf(
            Stream.iterate(0, i -> i + 1)
                .limit(10)
                .map(i -> Sample.of("", Pictures.jpeg(i), i % 3))
                .toList());
  }

  @Test
  void shouldReadInTheOrderOfTheStoreInAnyPartitions() throws IOException {
    List<Sample> whole = Pictures.samples(folder);
    for (int most : new int[] {1, 5, 24, 1000}) {
      Dataset<Row> rows = read().option("samplesPerPartition", most).load(folder.toString());
      assertThat(rows.rdd().getNumPartitions()).isEqualTo((24 + most - 1) / most);
      assertThat(rows.select("key").collectAsList().stream().map(row -> row.getString(0)))
          .containsExactlyElementsOf(whole.stream().map(Sample::key).toList());
    }
  }

  @Test
  void shouldMakePartitionsOfWholeShardsOrEqualRangesOfOneShard() {
    assertThat(ranges(new long[] {10, 10, 10, 10}, 0, 2)).containsExactly("0-20", "20-40");
    assertThat(ranges(new long[] {10, 10, 10, 10}, 0, 100))
        .containsExactly("0-10", "10-20", "20-30", "30-40");
    assertThat(ranges(new long[] {1, 100, 1}, 0, 3)).containsExactly("0-1", "1-101", "101-102");
    assertThat(ranges(new long[] {1, 1, 1, 100}, 0, 2)).containsExactly("0-3", "3-103");
    assertThat(ranges(new long[] {0, 5, 0}, 0, 2)).containsExactly("0-5");
    assertThat(ranges(new long[] {10}, 0, 3)).containsExactly("0-3", "3-6", "6-10");
    assertThat(ranges(new long[] {10}, 4, 100)).containsExactly("0-3", "3-6", "6-10");
    assertThat(ranges(new long[] {2}, 0, 8)).containsExactly("0-1", "1-2");
    assertThat(ranges(new long[] {0}, 0, 8)).isEmpty();
    assertThat(ranges(new long[] {}, 0, 8)).isEmpty();
    assertThat(ranges(new long[] {10, 2, 2}, 5, 1)).containsExactly("0-5", "5-10", "10-14");
  }

  private static List<String> ranges(long[] shards, int most, int parallelism) {
    return StoreScan.ranges(shards, most, parallelism).stream()
        .map(range -> range.from() + "-" + range.to())
        .toList();
  }

  @Test
  void shouldRefuseOptionsThatItDoesNotKnow() {
    assertThatThrownBy(() -> read().option("imageField", "x").load(folder.toString()).count())
        .hasMessage(
            "reading imagefolder with feedline has no option 'imagefield'; it has from,"
                + " samplesPerPartition, onError, allow-empty");
    assertThatThrownBy(() -> read().option("onError", "stop").load(folder.toString()).count())
        .hasMessage("option onError must be null or fail or skip, was 'stop'");
    assertThatThrownBy(
            () -> read().option("samplesPerPartition", 0).load(folder.toString()).count())
        .hasMessage(
            "option samplesPerPartition must be a whole number from 1 to 2147483647, was '0'");
    assertThatThrownBy(() -> read().option("from", "cvs").load(folder.toString()).count())
        .hasMessageStartingWith("there is no format 'cvs'; known are ");
  }

  @Test
  void shouldSayWhatIsMissing() {
    assertThatThrownBy(() -> read().load(temp + "/nothing").count())
        .hasMessageContaining("nothing: there is no such file or directory");
    assertThatThrownBy(() -> read().load().count()).hasMessageContaining("needs the path");
    assertThatThrownBy(() -> read().load("/a", "/b").count())
        .hasMessageContaining("one store at a time");
  }

  @Test
  void shouldReadTheColumnsOfAGivenSchema() {
    StructType some = new StructType().add("label", DataTypes.IntegerType);
    assertThat(read().schema(some).load(folder.toString()).collectAsList())
        .hasSize(24)
        .allMatch(row -> row.size() == 1);
    assertThatThrownBy(
            () ->
                read()
                    .schema(some.add("key", DataTypes.LongType))
                    .load(folder.toString())
                    .collectAsList())
        .hasMessageContaining("feedline reads no column 'key' that is bigint; it has key string,");
  }

  @Test
  void shouldTakeAPathWithoutASchemeAsSparkDoes() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("a b"), folder);
    spark.conf().set("fs.defaultFS", "file:///");
    assertThat(read().load(link.toString()).count()).isEqualTo(24);
    assertThat(read().load("file:" + link).count()).isEqualTo(24);
    assertThat(read().load(link.toUri().toString().replace("%20", " ")).count()).isEqualTo(24);
  }

  @Test
  void shouldTellSparkHowManyRowsThereAre() {
    Dataset<Row> labels = read().load(folder.toString()).select("label");
    assertThat(labels.queryExecution().optimizedPlan().stats().rowCount().get().toString())
        .isEqualTo("24");
    assertThat(labels.agg(functions.count(functions.lit(1))).first().getLong(0)).isEqualTo(24);
  }

  private static org.apache.spark.sql.DataFrameReader read() {
    return spark.read().format("feedline");
  }
}
