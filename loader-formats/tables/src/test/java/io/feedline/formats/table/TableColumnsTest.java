package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.ColumnValues.Kind;
import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.table.RowPlan.Entry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways from columns to values: which are refused, and what becomes of the others' edges. */
@Timeout(60)
class TableColumnsTest {

  @TempDir private Path directory;

  private static List<String> columns(Path file) {
    List<String> names = new ArrayList<>();
    assertThatThrownBy(() -> TableDataset.builder(file).columns("?").build())
        .isInstanceOf(FormatException.class)
        .satisfies(
            problem -> {
              String text = problem.getMessage();
              String list = text.substring(text.lastIndexOf('[') + 1, text.lastIndexOf(']'));
              names.addAll(List.of(list.split(", ")));
            });
    return names;
  }

  @Test
  void shouldReadNoImagesFromCsv() throws Exception {
    assertThatThrownBy(() -> TableImages.of(Tables.copy(directory, "simple.csv")))
        .hasMessageContainingAll("simple.csv", "not from csv");
  }

  @Test
  void shouldRefuseColumnsOfArrowWhoseRowsAreNotFound() throws Exception {
    Path file = directory.resolve("among.arrow");
    Files.write(file, FixtureFiles.bytes(getClass(), "/io/feedline/formats/arrow/among.arrow"));
    int refused = 0;
    for (String column : columns(file)) {
      TableDataset.Builder<Map<String, Object>> builder =
          TableDataset.builder(file).columns(column);
      String first = column.split("\\.", 2)[0];
      if (List.of("view", "listview", "runs", "union", "dense").contains(first)) {
        refused++;
        assertThatThrownBy(builder::build)
            .as(column)
            .isInstanceOf(FormatException.class)
            .hasMessageContainingAll("among.arrow", "is not read");
        assertThatThrownBy(builder::stream).isInstanceOf(FormatException.class);
      } else {
        builder.build().close();
      }
    }
    assertThat(refused).isGreaterThanOrEqualTo(5);
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file).columns("fixed", "deep.a.b").build()) {
      assertThat(table.get(3))
          .containsEntry("fixed", new long[] {1, 2})
          .containsEntry("deep.a.b", 1L);
    }
  }

  private static SchemaElement element(String name, FieldRepetitionType repetition, int children) {
    SchemaElement element = new SchemaElement(name).setRepetition_type(repetition);
    return children == 0 ? element.setType(Type.INT32) : element.setNum_children(children);
  }

  private static SchemaElement list(String name) {
    return element(name, FieldRepetitionType.OPTIONAL, 1).setConverted_type(ConvertedType.LIST);
  }

  private Path parquet(SchemaElement... elements) throws IOException {
    List<SchemaElement> schema = new ArrayList<>();
    schema.add(new SchemaElement("root"));
    schema.addAll(List.of(elements));
    int children = 0;
    for (int at = 1; at < schema.size(); children++) {
      at = behind(schema, at);
    }
    schema.get(0).setNum_children(children);
    ByteArrayOutputStream footer = new ByteArrayOutputStream();
    Util.writeFileMetaData(new FileMetaData(1, schema, 0, List.of()), footer);
    ByteBuffer file =
        ByteBuffer.allocate(12 + footer.size())
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(new byte[] {'P', 'A', 'R', '1'})
            .put(footer.toByteArray())
            .putInt(footer.size())
            .put(new byte[] {'P', 'A', 'R', '1'});
    return Files.write(directory.resolve("schema.parquet"), file.array());
  }

  private static int behind(List<SchemaElement> schema, int at) {
    int next = at + 1;
    for (int i = 0; i < schema.get(at).getNum_children(); i++) {
      next = behind(schema, next);
    }
    return next;
  }

  @Test
  void shouldNameEachColumnOfParquetOnce() throws Exception {
    FieldRepetitionType optional = FieldRepetitionType.OPTIONAL;
    FieldRepetitionType repeated = FieldRepetitionType.REPEATED;
    Path file =
        parquet(
            element("map", optional, 1).setConverted_type(ConvertedType.MAP),
            element("key_value", repeated, 2),
            element("key", FieldRepetitionType.REQUIRED, 0),
            element("value", optional, 0),
            element("group", repeated, 2),
            element("a", optional, 0),
            element("b", optional, 0),
            element("bare", repeated, 0),
            list("three"),
            element("list", repeated, 1),
            element("element", optional, 2),
            element("a", optional, 0),
            element("b", optional, 0),
            list("two"),
            element("element", repeated, 2),
            element("a", optional, 0),
            element("b", optional, 0),
            list("one"),
            element("array", repeated, 1),
            element("a", optional, 0),
            list("tuple"),
            element("tuple_tuple", repeated, 1),
            element("a", optional, 0),
            list("number"),
            element("array", repeated, 0));
    assertThat(columns(file))
        .containsExactly(
            "map.key_value.key",
            "map.key_value.value",
            "group.a",
            "group.b",
            "bare",
            "three.a",
            "three.b",
            "two.a",
            "two.b",
            "one.a",
            "tuple.a",
            "number");
    Path twice =
        parquet(
            list("x"),
            element("list", repeated, 1),
            element("element", optional, 1),
            element("a", optional, 0),
            element("x.a", optional, 0));
    assertThatThrownBy(() -> TableDataset.builder(twice).build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("schema.parquet", "several columns are called 'x.a'");
  }

  /** A block of one column, which counts the places that are asked for. */
  private record OfColumn(ColumnValues column, int rows, AtomicInteger placed) implements Block {
    OfColumn(ColumnValues column, int rows) {
      this(column, rows, new AtomicInteger());
    }

    @Override
    public String place(int row) {
      placed.incrementAndGet();
      return "row " + row;
    }

    @Override
    public List<ColumnValues> read() {
      return List.of(column);
    }
  }

  private static RowPlan<Map<String, Object>> plan(DType dtype, Map<String, Object> absent) {
    return new RowPlan<>(
        List.of(new Entry("x", List.of("c"), dtype, true, null)),
        null,
        absent,
        Map.of(),
        null,
        false);
  }

  @Test
  void shouldFindThePlaceOfARowOnlyWhenItsFailureIsThrown() throws Exception {
    ColumnValues column = new ColumnValues(Kind.WHOLE, 3);
    column.fail(0, "bad");
    column.setNull(2);
    OfColumn block = new OfColumn(column, 3);
    RowPlan<Map<String, Object>> plan = plan(DType.INT64, Map.of());
    RowBlock rows = plan.rows(Path.of("f"), block);
    assertThat(block.placed()).hasValue(0);
    assertThatThrownBy(() -> plan.sample(rows, 0, block::place)).hasMessage("f: row 0: bad");
    assertThatThrownBy(() -> plan.sample(rows, 2, block::place))
        .hasMessageContaining("f: row 2: column 'c': the value is null");
    assertThat(plan.sample(rows, 1, block::place)).containsKey("x");
    assertThat(block.placed()).hasValue(2);
  }

  private static long first(ColumnValues column, DType dtype, Object absent) throws Exception {
    RowPlan<Map<String, Object>> plan =
        plan(dtype, absent == null ? Map.of() : Map.of("c", absent));
    OfColumn block = new OfColumn(column, 1);
    Object x = plan.sample(plan.rows(Path.of("f"), block), 0, block::place).get("x");
    if (dtype == null) {
      return (Long) x;
    }
    ByteBuffer target = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    ((TensorSource) x).writeTo(target);
    return target.getLong(0);
  }

  @ParameterizedTest
  @CsvSource({"INT64", "''"})
  void shouldFillNullsWithTheVeryNumberThatIsGiven(String type) throws Exception {
    DType dtype = type.isEmpty() ? null : DType.valueOf(type);
    ColumnValues column = new ColumnValues(Kind.UNSIGNED, 1);
    column.setNull(0);
    assertThat(first(column, dtype, -1)).isEqualTo(-1);
    assertThat(first(column, dtype, 9007199254740993L)).isEqualTo(9007199254740993L);
    assertThat(first(column, dtype, 2.0)).isEqualTo(2);
    assertThatThrownBy(() -> first(column, dtype, 1.5))
        .hasMessageContainingAll("'c'", "1.5 is not a whole number");
    ColumnValues large = new ColumnValues(Kind.UNSIGNED, 1);
    large.set(0, -1L);
    assertThatThrownBy(() -> first(large, dtype, null))
        .hasMessageContaining("18446744073709551615 does not fit");
  }

  @Test
  void shouldTakeNumbersWithoutASignForLargeOnes() throws Exception {
    for (long bits : new long[] {-1, Long.MIN_VALUE, 0x8000_0000_0000_0401L, 5}) {
      ColumnValues column = new ColumnValues(Kind.UNSIGNED, 1);
      column.set(0, bits);
      String number = Long.toUnsignedString(bits);
      assertThat(RowPlan.name(column, 0)).isEqualTo(number);
      assertThat(Double.longBitsToDouble(first(column, DType.FLOAT64, null)))
          .isEqualTo(new BigInteger(number).doubleValue());
      assertThat(Float.intBitsToFloat((int) first(column, DType.FLOAT32, null)))
          .isEqualTo((float) new BigInteger(number).doubleValue());
      if (bits < 0) {
        assertThatThrownBy(() -> first(column, DType.INT32, null))
            .hasMessageContaining(number + " does not fit into INT32");
      }
    }
  }

  @Test
  void shouldRefuseTwoToTheSixtyThreeAsALong() {
    ColumnValues column = new ColumnValues(Kind.DOUBLE, 1);
    column.set(0, 0x1p63);
    assertThatThrownBy(() -> first(column, DType.INT64, null)).hasMessageContaining("9.22");
    assertThatThrownBy(() -> new JavaValues(long.class, null, null).of(column, 0))
        .isInstanceOf(FormatException.class);
  }

  record NumbersAsList(List<Long> tokens) {}

  record WordsAsNumber(long words) {}

  record TextAsNumbers(long[] text) {}

  record BytesAsNumber(long bytes) {}

  record Words(long[] words) {}

  record Text(long text) {}

  @Test
  void shouldRefuseComponentsThatAColumnDoesNotFit() throws Exception {
    Path file = Tables.copy(directory, "none_v1.parquet");
    refused(TableDataset.records(file, NumbersAsList.class), "'tokens'", "List");
    Vocabulary words = Vocabulary.of(List.of("red")).withUnknown();
    refused(TableDataset.records(file, WordsAsNumber.class).categories("words", words), "'words'");
    refused(TableDataset.records(file, TextAsNumbers.class).categories("text", words), "'text'");
    refused(TableDataset.records(file, BytesAsNumber.class).categories("bytes", words), "'bytes'");
    refused(TableDataset.builder(file).columns("f64").categories("f64", words), "'f64'");
    refused(TableDataset.builder(file).features("f64").categories("f64", words), "'f64'");
    assertThatThrownBy(() -> Vocabulary.fit(file, "f64"))
        .hasMessageContainingAll("none_v1.parquet", "'f64'", "names are texts");
    try (TableDataset<Words> table =
        TableDataset.records(file, Words.class).categories("words", words).build()) {
      assertThat(table.get(1).words()).containsExactly(1, 1, 1);
    }
    try (TableDataset<Text> table =
        TableDataset.records(file, Text.class).categories("text", words).build()) {
      assertThat(table.get(0).text()).isEqualTo(1);
    }
  }

  private static void refused(TableDataset.Builder<?> builder, String... words) throws Exception {
    try (TableDataset<?> table = builder.build()) {
      assertThatThrownBy(() -> table.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("none_v1.parquet")
          .hasMessageContainingAll(words);
    }
  }

  @Test
  void shouldGiveBytesThatAUserMayChange() throws Exception {
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(Tables.copy(directory, "none_v1.parquet")).columns("bytes").build()) {
      byte[] bytes = (byte[]) table.get(0).get("bytes");
      byte[] before = bytes.clone();
      bytes[0]++;
      assertThat(table.get(0)).containsEntry("bytes", before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"t.tsv", "T.TSV", "t.csv"})
  void shouldTakeTheDelimiterFromTheName(String name) throws Exception {
    String text = "a\tb\n1,5\t2\n";
    boolean tabs = !name.endsWith("csv");
    Path file =
        Files.writeString(
            directory.resolve(name), tabs ? text : text.replace(',', ';').replace('\t', ','));
    try (TableDataset<Map<String, Object>> table = TableDataset.builder(file).build()) {
      assertThat(table.get(0)).containsEntry("a", tabs ? "1,5" : "1;5").containsEntry("b", "2");
    }
    assertThat(Vocabulary.fit(file, "b").names()).containsExactly("2");
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file).delimiter('|').build()) {
      assertThat(table.get(0)).hasSize(1);
    }
    assertThatThrownBy(() -> TableDataset.builder(file).delimiter('\0'))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseARowOfTooManyFields() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("wide.csv"), "a,b\n1,2\n" + ",".repeat(1 << 20) + "\n3,4\n");
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file).features("a").build()) {
      assertThat(table.size()).isEqualTo(3);
      assertThat(table.get(0)).containsKey("features");
      assertThatThrownBy(() -> table.get(1))
          .hasMessageContainingAll("wide.csv", "line 3", "more than 1048576 fields");
      assertThat(table.get(2)).containsKey("features");
    }
  }

  @Test
  void shouldGoOnBehindABrokenGroup() throws Exception {
    Path file = Tables.copy(directory, "none_v1.parquet");
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int footer = bytes.length - 8 - all.getInt(bytes.length - 8);
    ColumnMetaData chunk =
        Util.readFileMetaData(new ByteArrayInputStream(bytes, footer, bytes.length - 8 - footer))
            .getRow_groups()
            .get(1)
            .getColumns()
            .get(0)
            .getMeta_data();
    int begin =
        (int)
            (chunk.isSetDictionary_page_offset()
                ? chunk.getDictionary_page_offset()
                : chunk.getData_page_offset());
    Arrays.fill(bytes, begin, begin + 16, (byte) 0xff);
    Files.write(file, bytes);
    IterableDataset<Map<String, Object>> table = TableDataset.builder(file).columns("i8").stream();
    List<Long> mark;
    try (SampleStream<Map<String, Object>> rows = table.open(0, 0)) {
      for (int i = 0; i < 25; i++) {
        assertThat(rows.next()).isNotNull();
      }
      assertThatThrownBy(rows::next).hasMessageContaining("row group 1, column i8");
      mark = rows.mark();
    }
    try (SampleStream<Map<String, Object>> rows = table.open(0, 0)) {
      rows.goTo(25, mark);
      for (int i = 0; i < 10; i++) {
        assertThat(rows.next()).isNotNull();
      }
      assertThat(rows.next()).isNull();
    }
  }

  @Test
  void shouldFailTheRowOfATimestampThatIsTooLarge() throws Exception {
    Path file = Tables.copy(directory, "plain.parquet");
    byte[] bytes = Files.readAllBytes(file);
    long day = 86_400_000_000L;
    long micros = (Long) Tables.expected().get(0).get("ts_us");
    byte[] stored =
        ByteBuffer.allocate(12)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(1000 * Math.floorMod(micros, day))
            .putInt((int) Math.floorDiv(micros, day) + 2_440_588)
            .array();
    int at = 0;
    while (!Arrays.equals(bytes, at, at + 12, stored, 0, 12)) {
      at++;
    }
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at + 8, Integer.MAX_VALUE);
    Files.write(file, bytes);
    try (TableDataset<Map<String, Object>> table =
        TableDataset.builder(file).columns("ts_us").build()) {
      assertThatThrownBy(() -> table.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("plain.parquet: row group 0, row 0", "'ts_us'", "not a number");
      assertThat(table.get(1)).containsKey("ts_us");
    }
  }

  record Labeled(TensorSource label) {}

  @Test
  void shouldRefuseTwoEntriesOfOneNameInARecord() throws Exception {
    Path file = Tables.copy(directory, "none_v1.parquet");
    TableDataset.Builder<Labeled> builder =
        TableDataset.records(file, Labeled.class).label("i8").label("i16");
    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two entries are called 'label'");
  }
}
