package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.ErrorPolicy;
import io.feedline.ExpectedLog;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.IterableDatasetContract;
import io.feedline.data.LoaderException;
import io.feedline.data.Quarantine;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class TableDatasetTest {

  private static final String PEOPLE =
      """
      age,income,city,y
      31,1200.5,Rome,1
      44,,Bonn,0
      x,900,Rome,1
      27,1e3,Oslo,0
      60,2.25,Bonn
      19,0.1,Bonn,1
      """;

  @TempDir private Path directory;

  record Simple(long i32, long i64, double f64, boolean b, String text) {}

  @Nested
  class ParquetDatasetTest extends DatasetContract<Simple> {
    @Override
    protected Dataset<Simple> dataset() throws IOException {
      return TableDataset.records(Tables.copy(directory, "snappy_v2.parquet"), Simple.class)
          .build();
    }
  }

  @Nested
  class CsvDatasetTest extends DatasetContract<Simple> {
    @Override
    protected Dataset<Simple> dataset() throws IOException {
      return TableDataset.records(Tables.copy(directory, "simple.csv"), Simple.class).build();
    }
  }

  @Nested
  class ParquetStreamTest extends IterableDatasetContract<Simple> {
    @Override
    protected IterableDataset<Simple> dataset() throws IOException {
      return TableDataset.records(Tables.copy(directory, "zstd_v1.parquet"), Simple.class).stream();
    }
  }

  @Nested
  class ArrowStreamTest extends IterableDatasetContract<Simple> {
    @Override
    protected IterableDataset<Simple> dataset() throws IOException {
      return TableDataset.records(Tables.copy(directory, "stream.arrow"), Simple.class).stream();
    }
  }

  @Nested
  class CsvStreamTest extends IterableDatasetContract<Simple> {
    @Override
    protected IterableDataset<Simple> dataset() throws IOException {
      return TableDataset.records(Tables.copy(directory, "simple.csv.gz"), Simple.class).stream();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "none_v1.parquet",
        "snappy_v1.parquet",
        "gzip_v1.parquet",
        "zstd_v1.parquet",
        "none_v2.parquet",
        "snappy_v2.parquet",
        "gzip_v2.parquet",
        "zstd_v2.parquet",
        "plain.parquet",
        "encodings.parquet",
        "file.arrow",
        "stream.arrow",
        "lz4.feather",
        "zstd.feather"
      })
  void shouldReadWhatPyarrowReads(String name) throws Exception {
    Path file = Tables.copy(directory, name);
    List<Map<String, Object>> expected = Tables.expected();
    boolean few = name.equals("encodings.parquet");
    List<String> columns =
        few
            ? List.of("f32", "f64", "i32", "i64", "u8", "text")
            : List.copyOf(expected.get(0).keySet());
    for (String column : columns) {
      try (TableDataset<Map<String, Object>> table =
          TableDataset.builder(file).columns(column).build()) {
        for (int row = 0; row < expected.size(); row++) {
          Object value = expected.get(row).get(column);
          if (name.equals("plain.parquet") && column.equals("ts_us")) {
            // Timestamps of 96 bits count nanoseconds.
            value = 1000 * (Long) value;
          }
          if (value == null || (value instanceof List<?> list && list.contains(null))) {
            int index = row;
            assertThatThrownBy(() -> table.get(index))
                .isInstanceOf(FormatException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContaining(table.describe(index).substring(file.toString().length() + 2))
                .hasMessageContainingAll("column '" + column + "'", "null");
          } else {
            assertThat(Tables.canonical(table.get(row).get(column)))
                .as("%s of row %d", column, row)
                .isEqualTo(value);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple.csv", "simple.csv.gz", "simple.csv.zst"})
  void shouldReadCsvAsItWasMeant(String name) throws Exception {
    List<Map<String, Object>> expected = Tables.expected();
    try (FileSystem other = Jimfs.newFileSystem(Configuration.unix())) {
      for (Path file :
          List.of(Tables.copy(directory, name), Tables.copy(other.getPath("/"), name))) {
        List<Simple> rows = new ArrayList<>();
        try (DataLoader<Simple> loader =
            DataLoader.builder(TableDataset.records(file, Simple.class).stream())
                .collator((samples, batch) -> batch.values("sample", samples))
                .numWorkers(1)
                .build()) {
          for (Batch batch : loader) {
            try (batch) {
              batch.values("sample").forEach(row -> rows.add((Simple) row));
            }
          }
        }
        assertThat(rows).hasSameSizeAs(expected);
        for (int i = 0; i < rows.size(); i++) {
          Map<String, Object> row = expected.get(i);
          Simple found = rows.get(i);
          assertThat(found.i32()).isEqualTo(row.get("i32"));
          assertThat(found.i64()).isEqualTo(row.get("i64"));
          assertThat(Tables.canonical(found.f64())).isEqualTo(row.get("f64"));
          assertThat(found.b()).isEqualTo(row.get("b"));
          assertThat(found.text()).isEqualTo(row.get("text"));
        }
      }
    }
    Path gz = Tables.copy(directory, "simple.csv.gz");
    assertThatThrownBy(() -> TableDataset.builder(gz).columns("text").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("simple.csv.gz", "stream");
  }

  @Test
  void shouldTellAMissingTableFromAFileThatIsNone() throws IOException {
    Path missing = directory.resolve("missing.parquet");
    assertThatThrownBy(() -> TableDataset.builder(missing).build())
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContainingAll("missing.parquet", "nearest directory that exists");
    Path other = Files.writeString(directory.resolve("other.bin"), "?");
    assertThatThrownBy(() -> TableDataset.builder(other).build())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("this is not a table; expected one of");
  }

  private Path people() throws IOException {
    return Files.writeString(directory.resolve("people.csv"), PEOPLE);
  }

  @Test
  void shouldCollateNumbersOfColumnsIntoOneTensor() throws Exception {
    Path file = Tables.copy(directory, "snappy_v1.parquet");
    List<Map<String, Object>> expected = Tables.expected();
    try (TableDataset<Map<String, Object>> table =
            TableDataset.builder(file)
                .features("i8", "f64", "b", "dec9")
                .tensor("exact", DType.FLOAT64, "f64", "i32")
                .tensor("small", DType.INT32, "u16")
                .label("i64")
                .columns("text", "tokens")
                .build();
        DataLoader<Map<String, Object>> loader =
            DataLoader.builder(table)
                .batchSize(60)
                .collator(PaddingCollator.<Map<String, Object>>of("tokens"))
                .numWorkers(2)
                .build()) {
      try (Batch batch = loader.iterator().next()) {
        assertThat(batch.tensor("features").shape()).isEqualTo(Shape.of(60, 4));
        assertThat(batch.tensor("label").shape()).isEqualTo(Shape.of(60));
        assertThat(batch.tensor("small").shape()).isEqualTo(Shape.of(60, 1));
        float[] features = batch.tensor("features").toFloatArray();
        double[] exact = new double[120];
        batch
            .tensor("exact")
            .bytes()
            .order(java.nio.ByteOrder.nativeOrder())
            .asDoubleBuffer()
            .get(exact);
        for (int row = 0; row < 60; row++) {
          Map<String, Object> of = expected.get(row);
          double f64 = Double.longBitsToDouble(Long.parseUnsignedLong((String) of.get("f64"), 16));
          assertThat(features[4 * row]).isEqualTo(((Long) of.get("i8")).floatValue());
          assertThat(features[4 * row + 1]).isEqualTo((float) f64);
          assertThat(features[4 * row + 2]).isEqualTo((Boolean) of.get("b") ? 1f : 0f);
          assertThat(exact[2 * row]).isEqualTo(f64);
          assertThat(exact[2 * row + 1]).isEqualTo(((Long) of.get("i32")).doubleValue());
          assertThat(batch.tensor("label").toLongArray()[row]).isEqualTo(of.get("i64"));
          assertThat(batch.values("text").get(row)).isEqualTo(of.get("text"));
          assertThat(batch.tensor("tokens_length").toLongArray()[row])
              .isEqualTo(((List<?>) of.get("tokens")).size());
        }
      }
    }
  }

  record Person(TensorSource features, TensorSource label, String city) {}

  @Test
  void shouldNumberCategoriesAndFillNulls() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("cities.csv"), "age;city;y\n1;Rome;0\n;Bonn;1\n3;;2\n4;Oslo;3\n");
    Vocabulary cities = Vocabulary.of(List.of("Bonn", "Rome"));
    try (TableDataset<Person> table =
        TableDataset.records(file, Person.class)
            .features("age", "city")
            .label("y")
            .categories("city", cities)
            .missing(-1, "age")
            .delimiter(';')
            .build()) {
      assertThat(Tables.floats(table.get(0).features())).containsExactly(1, 1);
      assertThat(Tables.floats(table.get(1).features())).containsExactly(-1, 0);
      assertThat(table.get(1).city()).isEqualTo("Bonn");
      assertThatThrownBy(() -> table.get(2))
          .hasMessageContainingAll("cities.csv: line 4: column 'city'", "null");
      assertThatThrownBy(() -> table.get(3))
          .hasMessageContainingAll("cities.csv: line 5: column 'city'", "'Oslo' is none of the 2");
    }
    try (TableDataset<Person> table =
        TableDataset.records(file, Person.class)
            .features("age", "city")
            .label("y")
            .categories("city", cities.withUnknown())
            .missing(Float.NaN, "age")
            .missing("Rome", "city")
            .delimiter(';')
            .build()) {
      assertThat(Tables.floats(table.get(1).features())).containsExactly(Float.NaN, 0);
      assertThat(Tables.floats(table.get(2).features())).containsExactly(3, 1);
      assertThat(Tables.floats(table.get(3).features())).containsExactly(4, 2);
    }
  }

  @Test
  void shouldFitSaveAndLoadAVocabulary() throws Exception {
    for (String name : List.of("snappy_v1.parquet", "file.arrow", "simple.csv.gz")) {
      Vocabulary fitted = Vocabulary.fit(Tables.copy(directory, name), "text");
      TreeSet<String> texts = new TreeSet<>();
      Tables.expected().forEach(row -> texts.add((String) row.get("text")));
      if (name.endsWith(".gz")) {
        texts.remove("");
      }
      assertThat(fitted.names()).isEqualTo(List.copyOf(texts));
      Path file = directory.resolve("names.json");
      fitted.withUnknown().save(file);
      Vocabulary loaded = Vocabulary.load(file);
      assertThat(loaded.names()).isEqualTo(fitted.names());
      assertThat(loaded.size()).isEqualTo(fitted.size() + 1);
      assertThat(loaded.number("none of them")).isEqualTo(fitted.size());
      assertThatThrownBy(() -> fitted.number("none of them"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("none of them");
    }
    assertThat(Vocabulary.fit(Dataset.of(List.of("b", "a", "b"))).names())
        .containsExactly("a", "b");
    Path broken = Files.writeString(directory.resolve("broken.json"), "{\"names\": 3}");
    assertThatThrownBy(() -> Vocabulary.load(broken)).hasMessageContaining("broken.json");
  }

  @Test
  @ExpectedLog("SKIP: ")
  void shouldNameFileLineAndColumnOfABrokenRow() throws Exception {
    Path file = people();
    for (boolean stream : new boolean[] {false, true}) {
      TableDataset.Builder<Map<String, Object>> builder =
          TableDataset.builder(file).features("age", "income").label("y");
      List<String> story = new ArrayList<>();
      try (DataLoader<Map<String, Object>> loader = loader(builder, stream).build()) {
        BatchIterator batches = loader.iterator();
        while (batches.hasNext()) {
          try (Batch batch = batches.next()) {
            story.add(Arrays.toString(batch.tensor("features").toFloatArray()));
          } catch (LoaderException broken) {
            story.add(broken.getCause().getMessage());
          }
        }
      }
      assertThat(story)
          .containsExactly(
              "[31.0, 1200.5]",
              file
                  + ": line 3: column 'income': the value is null; missing(value, \"income\") gives"
                  + " a default",
              file + ": line 4: column 'age': 'x' is not a number",
              "[27.0, 1000.0]",
              file + ": line 6: 3 fields, expected 4",
              "[19.0, 0.1]");
      try (DataLoader<Map<String, Object>> loader =
          loader(builder, stream).errorPolicy(ErrorPolicy.skip()).build()) {
        loader.forEach(Batch::close);
        assertThat(loader.quarantine().entries())
            .hasSize(3)
            .extracting(Quarantine.Entry::description)
            .allMatch(place -> place.contains("people.csv"));
      }
    }
  }

  private static DataLoaderBuilder<Map<String, Object>> loader(
      TableDataset.Builder<Map<String, Object>> builder, boolean stream) throws IOException {
    return stream
        ? DataLoader.builder(builder.stream()).numWorkers(1)
        : DataLoader.builder(builder.build()).numWorkers(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"deltas_file.arrow", "deltas_stream.arrow"})
  void shouldReadADictionaryThatGrowsFromBatchToBatch(String name) throws Exception {
    List<String> colors = new ArrayList<>();
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(Tables.copy(directory, name)).missing("none").build()) {
      assertThat(table.groupSizes()).containsExactly(3, 3, 3);
      for (int row = 0; row < 9; row++) {
        colors.add((String) table.get(row).get("color"));
      }
    }
    assertThat(String.join(" ", colors)).isEqualTo("red green red green blue none blue white red");
  }

  /** As a worker does that is slower than the one that reads on. */
  @Test
  void shouldMakeRowsThatWereGivenBeforeTheStreamWasClosed() throws Exception {
    Path file = Tables.copy(directory, "none_v1.parquet");
    List<PendingSample<Map<String, Object>>> given = new ArrayList<>();
    try (SampleStream<Map<String, Object>> rows =
        TableDataset.builder(file).columns("i32").stream().open(0, 0)) {
      for (int row = 0; row < 30; row++) {
        given.add(rows.next());
      }
    }
    Files.delete(file);
    for (int row = 0; row < 30; row++) {
      assertThat(given.get(row).get(new SampleContext(0, 0, row)))
          .containsEntry("i32", Tables.expected().get(row).get("i32"));
    }
  }

  @Test
  void shouldRefuseWhatDoesNotFit() throws Exception {
    Path parquet = Tables.copy(directory, "none_v1.parquet");
    Path csv = people();
    refused(TableDataset.builder(parquet).features("i8", "aeg"), "none_v1.parquet", "'aeg'", "i16");
    refused(TableDataset.builder(csv).features("age", "aeg"), "people.csv", "'aeg'", "income");
    refused(
        TableDataset.builder(parquet).features("text"), "none_v1.parquet", "'text'", "categories");
    refused(TableDataset.builder(parquet).features("tokens"), "'tokens'", "lists");
    refused(TableDataset.builder(parquet).label("f64").tensor("label", DType.INT64, "i8"), "label");
    refused(
        TableDataset.builder(parquet).tensor("x", DType.INT32, "i64"),
        "row group 0, row 0",
        "'i64'",
        "INT32");
    refused(TableDataset.builder(parquet).features("i8").missing("x", "i8"), "'x'");
    refused(TableDataset.records(parquet, Person.class), "features", "TensorSource");
    refused(TableDataset.builder(directory.resolve("none.txt")), "none.txt");
    assertThatThrownBy(() -> TableDataset.builder(parquet).tensor("x", DType.BOOL, "b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("BOOL");
    TableDataset<Map<String, Object>> closed = TableDataset.builder(parquet).columns("i8").build();
    closed.close();
    closed.close();
    assertThatThrownBy(() -> closed.get(0)).isInstanceOf(IllegalStateException.class);
    Path empty = Files.writeString(directory.resolve("empty.csv"), "");
    refused(TableDataset.builder(empty), "empty.csv", "names the columns");
  }

  private static void refused(TableDataset.Builder<?> builder, String... words) {
    assertThatThrownBy(
            () -> {
              try (TableDataset<?> table = builder.build()) {
                table.get(0);
              }
            })
        .isInstanceOfAny(IOException.class, IllegalArgumentException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldCountTheTextsThatItKeeps() throws Exception {
    int length = 1 << 20;
    Path file = Files.writeString(directory.resolve("a.csv"), "text\n" + "x".repeat(length));
    try (TableDataset<Map<String, Object>> table = TableDataset.builder(file).build()) {
      table.get(0);
      assertThat(table.cachedBytes()).isBetween((long) length, length + 100L);
    }
    // 25 rows share the names of a dictionary.
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(Tables.copy(directory, "lz4.feather")).columns("category").build()) {
      table.get(0);
      assertThat(table.cachedBytes()).isBetween(25L * Long.BYTES, 25L * 2 * Long.BYTES);
    }
  }

  @Test
  void shouldKeepNoMoreThanTheCacheMay() throws Exception {
    Path file = Tables.copy(directory, "none_v1.parquet");
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file).features("i8", "f64").cacheBytes(500).build()) {
      for (int i = 0; i < 200; i++) {
        assertThat(table.get(i * 17 % 60)).containsKey("features");
        assertThat(table.cachedBytes()).isLessThan(500);
      }
      assertThat(table.groupSizes()).containsExactly(25, 25, 10);
      assertThat(table).asString().contains("60 rows", "[i8, f64]");
    }
  }

  @Test
  void shouldTellTablesAndPlansApart() throws Exception {
    Path file = Tables.copy(directory, "none_v1.parquet");
    List<String> prints = new ArrayList<>();
    Vocabulary red = Vocabulary.of(List.of("red"));
    for (TableDataset.Builder<Map<String, Object>> builder :
        List.of(
            TableDataset.builder(file).features("i8"),
            TableDataset.builder(file).features("i16"),
            TableDataset.builder(file).features("i8").missing(3),
            TableDataset.builder(file).tensor("features", DType.FLOAT64, "i8"),
            TableDataset.builder(file).label("text").categories("text", red),
            TableDataset.builder(file).label("text").categories("text", red.withUnknown()),
            TableDataset.builder(Tables.copy(directory, "plain.parquet")).features("i8"))) {
      try (TableDataset<Map<String, Object>> table = builder.build()) {
        prints.add(table.fingerprint());
      }
    }
    assertThat(prints).doesNotHaveDuplicates();
  }
}
