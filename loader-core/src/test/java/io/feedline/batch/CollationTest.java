package io.feedline.batch;

import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.LoaderException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The default collation rules, row by row and error by error, through a loader. */
class CollationTest extends OneBatch {

  private Batch collate(Object... samples) {
    return batchOf(builder -> builder, samples);
  }

  private void assertTensor(String name, DType dtype, long... shape) {
    assertThat(batch.tensor(name).dtype()).isEqualTo(dtype);
    assertThat(batch.tensor(name).shape()).isEqualTo(Shape.of(shape));
  }

  @Test
  void shouldStackTensorsOfEachDtypeAndShape() {
    for (DType dtype : DType.values()) {
      Tensor two = Tensor.zeros(dtype, Shape.of(3));
      two.bytes().put(0, (byte) 1);
      collate(Tensor.zeros(dtype, Shape.of(3)), two);

      assertTensor("data", dtype, 2, 3);
      byte[] bytes = batch.tensor("data").toByteArray();
      assertThat(bytes).hasSize(6 * dtype.bytes());
      assertThat(bytes[3 * dtype.bytes()]).isEqualTo((byte) 1);
    }
    for (Shape shape : List.of(Shape.SCALAR, Shape.of(0, 4))) {
      collate(Tensor.zeros(DType.INT64, shape), Tensor.zeros(DType.INT64, shape));
      assertTensor("data", DType.INT64, shape.prepend(2).lengths());
    }
  }

  @Test
  void shouldMakeFloatsFloat32AndDoublesFloat64() {
    collate(1.5f, -0.0f, Float.NaN);
    assertTensor("data", DType.FLOAT32, 3);
    assertThat(batch.tensor("data").toFloatArray()).containsExactly(1.5f, -0.0f, Float.NaN);

    collate(Math.PI, Double.MIN_VALUE);
    assertTensor("data", DType.FLOAT64, 2);
    assertThat(batch.tensor("data").bytes().getDouble(8)).isEqualTo(Double.MIN_VALUE);
  }

  @Test
  void shouldMakeIntegersOfAnyWidthInt64() {
    collate(Integer.MIN_VALUE, Long.MAX_VALUE, (short) -3, (byte) -4);

    assertTensor("data", DType.INT64, 4);
    assertThat(batch.tensor("data").toLongArray())
        .containsExactly(Integer.MIN_VALUE, Long.MAX_VALUE, -3, -4);
  }

  /** Expects one tensor of the elements 1, 2, 3, ... or of alternating flags. */
  private void assertCounts(DType dtype, Shape shape, Object... samples) {
    collate(samples);
    assertTensor("data", dtype, shape.lengths());
    Tensor tensor = batch.tensor("data");
    for (int i = 0; i < shape.elements(); i++) {
      double expected = dtype == DType.BOOL ? (i + 1) % 2 : i + 1;
      assertThat(tensor.element(tensor.bytes(), i).doubleValue()).isEqualTo(expected);
    }
  }

  @Test
  void shouldMakeTensorsOfFlagsAndOfFlatAndNestedArrays() {
    Shape shape = Shape.of(2, 2);
    assertCounts(DType.BOOL, Shape.of(3), true, false, true);
    assertCounts(
        DType.FLOAT32, shape, Tensor.of(new float[] {1, 2}), Tensor.of(new float[] {3, 4}));
    assertCounts(DType.FLOAT32, shape, new float[] {1, 2}, new float[] {3, 4});
    assertCounts(DType.FLOAT64, shape, new double[] {1, 2}, new double[] {3, 4});
    assertCounts(DType.INT64, shape, new long[] {1, 2}, new long[] {3, 4});
    assertCounts(DType.INT32, shape, new int[] {1, 2}, new int[] {3, 4});
    assertCounts(DType.INT16, shape, new short[] {1, 2}, new short[] {3, 4});
    assertCounts(DType.BOOL, shape, new boolean[] {true, false}, new boolean[] {true, false});
    assertCounts(
        DType.FLOAT32,
        Shape.of(2, 2, 2),
        new float[][] {{1, 2}, {3, 4}},
        new float[][] {{5, 6}, {7, 8}});
    assertCounts(
        DType.FLOAT64, Shape.of(2, 2, 1), new double[][] {{1}, {2}}, new double[][] {{3}, {4}});
    assertCounts(
        DType.INT64,
        Shape.of(2, 2, 2, 1),
        new long[][][] {{{1}, {2}}, {{3}, {4}}},
        new long[][][] {{{5}, {6}}, {{7}, {8}}});
    assertCounts(
        DType.INT32, Shape.of(1, 2, 1, 1, 2), (Object) new int[][][][] {{{{1, 2}}}, {{{3, 4}}}});
    assertCounts(DType.INT16, Shape.of(1, 2, 2), (Object) new short[][] {{1, 2}, {3, 4}});
    assertCounts(
        DType.BOOL, Shape.of(1, 2, 2), (Object) new boolean[][] {{true, false}, {true, false}});
  }

  @Test
  void shouldNotKnowTheLengthOfRowsThatAreNotThere() {
    collate((Object) new float[0][4]);
    assertTensor("data", DType.FLOAT32, 1, 0, 0);
    collate((Object) new float[2][0][4]);
    assertTensor("data", DType.FLOAT32, 1, 2, 0, 0);
    assertRefused(1, "(0, 0, 0)", new int[0][1], new int[0][][]);
  }

  @Test
  void shouldLeaveListsOfArraysAndArraysOfBytesListsOfEntries() {
    collate(
        List.of(new float[] {1}, new float[] {2, 3}), new Object[] {new float[1], new float[2]});
    assertTensor("0", DType.FLOAT32, 2, 1);
    assertTensor("1", DType.FLOAT32, 2, 2);

    byte[] bytes = {7};
    collate((Object) new byte[][] {bytes, {8, 9}});
    assertThat(batch.values("0").get(0)).isSameAs(bytes);
    assertThat(batch.values().keySet()).containsExactly("0", "1");
  }

  @Test
  void shouldListStringsBytesAndConstantsUnchanged() {
    collate("a", CharBuffer.wrap("b"), "");
    assertThat(batch.values("data").toString()).isEqualTo("[a, b, ]");

    byte[] first = {1};
    byte[] second = {2, 3};
    collate(first, second);
    assertThat(batch.values("data").get(0)).isSameAs(first);
    assertThat(batch.values("data").get(1)).isSameAs(second);

    collate(TimeUnit.DAYS, TimeUnit.HOURS);
    assertThat(batch.values("data").toArray()).containsExactly(TimeUnit.DAYS, TimeUnit.HOURS);
  }

  private record Inside(float left, float top) {}

  private record Outside(long id, Inside box, String text) {}

  /** A record that others see. */
  public record Visible(int label) {}

  @Test
  void shouldTakeRecordsApartPrivateOnesToo() {
    collate(new Outside(7, new Inside(1, 2), "x"), new Outside(8, new Inside(3, 4), "y"));

    assertThat(batch.tensors().keySet()).containsExactly("id", "box.left", "box.top");
    assertThat(batch.tensor("id").toLongArray()).containsExactly(7, 8);
    assertThat(batch.tensor("box.top").toFloatArray()).containsExactly(2, 4);
    assertThat(batch.values("text").toArray()).containsExactly("x", "y");

    record Other(int label) {}
    collate(new Visible(1), new Other(2), new Visible(3), new Other(4));
    assertThat(batch.tensor("label").toLongArray()).containsExactly(1, 2, 3, 4);
  }

  @Test
  void shouldKeepTheOrderOfOrderedMaps() {
    Map<String, Object> linked = new LinkedHashMap<>();
    linked.put("z", 1);
    linked.put("a", 2);
    collate(linked, linked);
    assertThat(batch.tensors().keySet()).containsExactly("z", "a");

    TreeMap<String, Object> descending = new TreeMap<>((a, b) -> b.compareTo(a));
    descending.putAll(Map.of("b", 1, "a", 2, "c", 3));
    collate(descending, descending.descendingMap());
    assertThat(batch.tensors().keySet()).containsExactly("c", "b", "a");
    assertThat(batch.tensor("a").toLongArray()).containsExactly(2, 2);
  }

  @Test
  void shouldSortTheKeysOfMapsWithoutAnOrder() {
    Random random = new Random(3);
    for (int round = 0; round < 20; round++) {
      Map<String, Object> map = new HashMap<>();
      random.ints(30).forEach(i -> map.put("k" + i, i));
      collate(map, Map.copyOf(map));
      assertThat(List.copyOf(batch.tensors().keySet())).isSorted();
    }
  }

  @Test
  void shouldTakeListsAndObjectArraysApart() {
    collate(List.of(1, 2.0f), new Object[] {3, 4.0f}, Arrays.asList(5, 6.0f));

    assertThat(batch.tensor("0").toLongArray()).containsExactly(1, 3, 5);
    assertThat(batch.tensor("1").toFloatArray()).containsExactly(2, 4, 6);
  }

  @Test
  void shouldNameNestedEntriesByTheirPath() {
    Object sample =
        Map.of("pair", List.of(Map.of("x", 1), new Inside(2, 3)), "more", new Object[] {"s"});
    collate(sample, sample);

    assertThat(batch.tensors().keySet()).containsExactly("pair.0.x", "pair.1.left", "pair.1.top");
    assertThat(batch.values().keySet()).containsExactly("more.0");
  }

  @Test
  void shouldKeepThePlansOfSomeKindsOfSamplesInTurn() throws Exception {
    RowCollator<Object> collator = Collator.defaults();
    Object[] samples = IntStream.range(1, 9).mapToObj(long[]::new).toArray();
    List<RowCollator.Plan<Object>> plans = new ArrayList<>();
    for (Object sample : samples) {
      plans.add(collator.plan(sample));
    }
    for (int i = 0; i < samples.length; i++) {
      assertThat(collator.plan(samples[i])).isSameAs(plans.get(i));
    }
  }

  /** Samples of any structure are read back as they were put in. */
  @Test
  void shouldCollateAnyStructure() {
    Random random = new Random(23);
    for (int round = 0; round < 100; round++) {
      long structure = random.nextLong();
      Object[] samples = new Object[1 + random.nextInt(5)];
      Map<String, Object[]> expected = new LinkedHashMap<>();
      for (int i = 0; i < samples.length; i++) {
        samples[i] = generate(new Random(structure), random, "", 3, i, samples.length, expected);
      }
      collate(samples);
      expected.forEach(this::assertEntry);
      assertThat(batch.tensors().size() + batch.values().size()).isEqualTo(expected.size());
    }
  }

  private static Object generate(
      Random shape,
      Random content,
      String path,
      int depth,
      int row,
      int rows,
      Map<String, Object[]> expected) {
    int kind = shape.nextInt(depth == 0 ? 4 : 6);
    if (kind >= 4) {
      Map<String, Object> map = new LinkedHashMap<>();
      int children = 1 + shape.nextInt(3);
      for (int i = 0; i < children; i++) {
        String child = (path.isEmpty() ? "" : path + ".") + i;
        map.put(
            Integer.toString(i), generate(shape, content, child, depth - 1, row, rows, expected));
      }
      return kind == 4 ? map : List.copyOf(map.values());
    }
    Object leaf =
        switch (kind) {
          case 0 -> content.nextLong();
          case 1 -> content.nextFloat();
          case 2 -> Long.toString(content.nextLong());
          default -> content.longs(shape.nextInt(4)).toArray();
        };
    expected.computeIfAbsent(path.isEmpty() ? "data" : path, key -> new Object[rows])[row] = leaf;
    return leaf;
  }

  private void assertEntry(String name, Object[] rows) {
    if (rows[0] instanceof String) {
      assertThat(batch.values(name).toArray()).containsExactly(rows);
      return;
    }
    Tensor tensor = batch.tensor(name);
    ByteBuffer expected = ByteBuffer.allocate(tensor.byteSize()).order(ByteOrder.nativeOrder());
    for (Object row : rows) {
      if (row instanceof Long number) {
        expected.putLong(number);
      } else if (row instanceof Float number) {
        expected.putFloat(number);
      } else {
        Arrays.stream((long[]) row).forEach(expected::putLong);
      }
    }
    assertThat(tensor.toByteArray()).isEqualTo(expected.array());
  }

  // ---- each error ---------------------------------------------------------------------------

  /** Expects an error that names the sample: its index, its place, and a part of the reason. */
  private void assertRefused(int index, String words, Object... samples) {
    assertThatThrownBy(() -> collate(samples))
        .isInstanceOf(LoaderException.class)
        .hasMessageContainingAll("collating sample " + index, "/data/" + index + ".png", words)
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .satisfies(e -> assertThat(((LoaderException) e).index()).hasValue(index));
  }

  @Test
  void shouldRefuseUnequalShapesNamingBoth() {
    Object usual = Map.of("image", Tensor.zeros(DType.UINT8, Shape.of(3, 4, 5)));
    Object other = Map.of("image", Tensor.zeros(DType.UINT8, Shape.of(3, 4, 6)));
    assertRefused(
        2,
        "entry 'image' UINT8 (3, 4, 6) differs from 'image' UINT8 (3, 4, 5), which row 0 of the"
            + " batch (index 0) has",
        usual,
        usual,
        other);
    assertRefused(2, "resize or crop them to one size", usual, usual, other);
    assertRefused(1, "PaddingCollator", new int[3], new int[4]);
  }

  @Test
  void shouldRefuseRaggedArraysNamingTheRows() {
    assertRefused(
        1,
        "entry 'boxes' is of type float[][], whose rows differ in length:"
            + " row [0] has length 2, row [2] has length 1",
        Map.of("boxes", new float[2][4]),
        Map.of("boxes", new float[][] {{1, 2}, {3, 4}, {5}}));
    Object deep = new int[][][] {{{1}, {2}}, {{3}, {4, 5}}};
    assertRefused(0, "row [0][0] has length 1, row [1][1] has length 2", deep);
    assertRefused(0, "the sample is of type int[][][]", deep);
    Object wide = new int[][][] {{{1}}, {{2}, {3}}};
    assertRefused(0, "row [0] has length 1, row [1] has length 2", wide);
    assertRefused(0, "int[][], whose row [1] is null", (Object) new int[][] {{1}, null});
    assertRefused(0, "int[][], whose row [0] is null", (Object) new int[][] {null, {1}});
  }

  @Test
  void shouldRefuseUnequalDtypesNamingBoth() {
    Object floats = Tensor.of(new float[2]);
    assertRefused(1, "FLOAT32 (2)", floats, Tensor.of(new long[2]));
    assertRefused(1, "give all samples one type", floats, Tensor.of(new long[2]));
    assertRefused(1, "FLOAT64", 1, 1.0);
    assertRefused(1, "values", 1, "one");
  }

  @Test
  void shouldRefuseMissingAndExtraKeysNamingThem() {
    Map<String, Object> two = Map.of("a", 1, "b", 2);
    Map<String, Object> one = Map.of("a", 1);
    assertRefused(1, "entry 'b' is missing", two, one);
    assertRefused(1, "entry 'b' is one that row 0 of the batch (index 0) does not have", one, two);
    assertRefused(1, "entry 'a' is missing", one, Map.of("c", 1));
  }

  @Test
  void shouldRefuseListsOfUnequalLengths() {
    Object two = Map.of("l", List.of(1, 2));
    assertRefused(1, "entry 'l.1' is missing", two, Map.of("l", List.of(1)));
    assertRefused(1, "entry '1' is one that", new Object[] {1}, new Object[] {1, 2});
  }

  @Test
  void shouldRefuseNullsNamingTheEntry() {
    Map<String, Object> holey = new HashMap<>();
    holey.put("a", null);
    assertRefused(0, "entry 'a' is null", holey, Map.of("a", 1));
    assertRefused(1, "entry 'a' is null", Map.of("a", 1), holey);
    assertRefused(1, "entry '0'", Arrays.asList(1), Arrays.asList((Object) null));
    Outside hollow = new Outside(1, null, "x");
    assertRefused(0, "entry 'box' is", hollow, hollow);
    assertThrown(
        LoaderException.class,
        () -> collate(1, null),
        "sample 1",
        "/data/1.png",
        "the sample is null");
  }

  @Test
  void shouldRefuseOtherClassesNamingThem() {
    assertRefused(0, "entry 'a' is of type Object;", Map.of("a", new Object()));
    assertRefused(0, "the sample is of type BigDecimal;", new BigDecimal("1"));
    assertRefused(0, "the sample is of type Character;", 'c');
    assertRefused(0, "the sample is of type char[];", new char[1]);
  }

  @Test
  void shouldRefuseKeysThatAreNoStringsAndTwoEntriesOfOneName() {
    Object number = Map.of("a", Map.of(1, 2));
    assertRefused(0, "the keys of a map must be strings, found 1", number);
    assertRefused(1, "found 1", Map.of("1", 2), new TreeMap<>(Map.of(1, 2)));
    Map<String, Object> twice = new LinkedHashMap<>();
    twice.put("a.b", 1);
    twice.put("a", Map.of("b", 2));
    assertRefused(0, "two entries of the batch are called 'a.b'", twice);
  }
}
