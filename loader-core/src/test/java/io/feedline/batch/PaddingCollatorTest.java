package io.feedline.batch;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.data.LoaderException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PaddingCollatorTest extends OneBatch {

  @SuppressWarnings("ArrayRecordComponent") // samples are never compared
  private record Text(long[] ids, float weight, String title) {}

  private Batch collate(PaddingCollator<Object> collator, Object... samples) {
    return batchOf(builder -> builder.collator(collator), samples);
  }

  private static PaddingCollator<Object> pad(String entry, Padding padding) {
    return PaddingCollator.builder().pad(entry, padding).build();
  }

  private long[] longs(String name) {
    return batch.tensor(name).toLongArray();
  }

  private Shape shape(String name) {
    return batch.tensor(name).shape();
  }

  @Test
  void shouldPadToTheLongestAndTellTheLengths() {
    collate(
        PaddingCollator.of("ids"),
        new Text(new long[] {1, 2, 3}, 0.5f, "a"),
        new Text(new long[0], 1.5f, "b"),
        new Text(new long[] {4}, 2.5f, "c"));

    assertThat(batch.tensors().keySet()).containsExactly("ids", "ids_length", "weight");
    assertThat(shape("ids")).isEqualTo(Shape.of(3, 3));
    assertThat(longs("ids")).containsExactly(1, 2, 3, 0, 0, 0, 4, 0, 0);
    assertThat(shape("ids_length")).isEqualTo(Shape.of(3));
    assertThat(longs("ids_length")).containsExactly(3, 0, 1);
    assertThat(batch.tensor("weight").toFloatArray()).containsExactly(0.5f, 1.5f, 2.5f);
    assertThat(batch.values("title").toArray()).containsExactly("a", "b", "c");

    collate(PaddingCollator.of("ids"), new Text(new long[] {1}, 0, "a"));
    assertThat(batch.tensors().keySet()).containsExactly("ids", "ids_length", "weight");
  }

  /** Expects that a collator refuses samples, with these words. */
  private void assertRefuses(PaddingCollator<Object> collator, List<?> samples, String... words) {
    assertThrown(LoaderException.class, () -> collate(collator, samples.toArray()), words);
  }

  @Test
  void shouldPadOnTheLeftWithAValueUnderAnotherName() {
    collate(
        pad("data", Padding.with(-100).left().lengthsName("n")), new long[] {1, 2}, new long[] {3});

    assertThat(longs("data")).containsExactly(1, 2, -100, 3);
    assertThat(longs("n")).containsExactly(2, 1);
  }

  @Test
  void shouldRoundUpToAMultiple() {
    PaddingCollator<Object> fours = pad("data", Padding.zeros().multipleOf(4));
    collate(fours, new long[5], new long[2]);
    assertThat(shape("data")).isEqualTo(Shape.of(2, 8));
    collate(fours, new long[4], new long[2]);
    assertThat(shape("data")).isEqualTo(Shape.of(2, 4));
  }

  @Test
  void shouldPadToAFixedLengthAndRefuseMore() {
    PaddingCollator<Object> four = pad("data", Padding.zeros().length(4));
    collate(four, new long[] {7}, new long[] {8, 9});
    assertThat(longs("data")).containsExactly(7, 0, 0, 0, 8, 9, 0, 0);
    assertRefuses(
        four,
        List.of(new long[1], new long[5]),
        "entry 'data' has shape (5) in row 1 of the batch, longer than 4 in axis 0",
        "sample 1");
  }

  @Test
  void shouldPadEntriesInsideMapsListsAndRecords() {
    Map<String, Object> one = Map.of("q", List.of(new Text(new long[] {1}, 1, "x"), 5));
    Map<String, Object> two = Map.of("q", List.of(new Text(new long[] {2, 3}, 2, "y"), 6));
    collate(PaddingCollator.of("q.0.ids"), one, two);

    assertThat(longs("q.0.ids")).containsExactly(1, 0, 2, 3);
    assertThat(longs("q.0.ids_length")).containsExactly(1, 2);
    assertThat(longs("q.1")).containsExactly(5, 6);
  }

  @Test
  void shouldPadSeveralEntriesEachInItsWay() {
    collate(
        PaddingCollator.builder()
            .pad("a", Padding.zeros())
            .pad("b", Padding.with(1).left())
            .build(),
        Map.of("a", new long[] {1}, "b", new boolean[] {false, false}),
        Map.of("a", new long[] {2, 3}, "b", new boolean[] {false}));

    assertThat(longs("a")).containsExactly(1, 0, 2, 3);
    assertThat(batch.tensor("b").toByteArray()).containsExactly(0, 0, 1, 0);
  }

  @Test
  void shouldPadBytesAsUint8() {
    collate(pad("data", Padding.with(255)), new byte[] {1, 2}, new byte[] {3});

    assertThat(batch.tensor("data").dtype()).isEqualTo(DType.UINT8);
    assertThat(batch.tensor("data").toByteArray()).containsExactly(1, 2, 3, -1);
  }

  @Test
  void shouldPadTheRowsOfNestedArraysOneWithoutRowsToo() {
    record Picture(int[][] boxes) {}
    collate(
        pad("boxes", Padding.with(-1)),
        new Picture(new int[0][2]),
        new Picture(new int[][] {{1, 2}, {3, 4}}),
        new Picture(new int[][] {{5, 6}}));

    assertThat(batch.tensor("boxes").dtype()).isEqualTo(DType.INT32);
    assertThat(shape("boxes")).isEqualTo(Shape.of(3, 2, 2));
    assertThat(batch.tensor("boxes").toIntArray())
        .containsExactly(-1, -1, -1, -1, 1, 2, 3, 4, 5, 6, -1, -1);
    assertThat(longs("boxes_length")).containsExactly(0, 2, 1);

    collate(pad("data", Padding.zeros().axes(0, 1)), new int[0][2], new int[][] {{1, 2}});
    assertThat(shape("data")).isEqualTo(Shape.of(2, 1, 2));
    assertThat(shape("data_length")).isEqualTo(Shape.of(2, 2));
    assertThat(longs("data_length")).containsExactly(0, 0, 1, 2);

    List<int[][]> ragged = List.<int[][]>of(new int[][] {{1}, {}});
    assertRefuses(PaddingCollator.of("data"), ragged, "int[][], whose rows differ in length");
  }

  /** Against a naive padding, element by element, in any axes and on both sides. */
  @Test
  void shouldPutEachElementInItsPlace() {
    Random random = new Random(31);
    for (int round = 0; round < 200; round++) {
      int rank = 1 + random.nextInt(3);
      int[] axes = random.ints(1 + random.nextInt(rank), 0, rank).sorted().distinct().toArray();
      boolean left = random.nextBoolean();
      Padding padding = Padding.with(-1).axes(axes).multipleOf(1 + random.nextInt(3));
      long[] base = random.longs(rank, 0, 4).toArray();
      Object[] samples = new Object[1 + random.nextInt(4)];
      for (int i = 0; i < samples.length; i++) {
        long[] lengths = base.clone();
        Arrays.stream(axes).forEach(axis -> lengths[axis] = random.nextInt(5));
        int elements = (int) Shape.of(lengths).elements();
        samples[i] = Tensor.of(random.longs(elements, 0, 1000).toArray(), lengths);
      }

      collate(pad("data", left ? padding.left() : padding), samples);

      long[] common = shape("data").lengths();
      int rowElements = (int) shape("data").elements() / samples.length;
      for (int row = 0; row < samples.length; row++) {
        long[] found =
            Arrays.copyOfRange(longs("data"), row * rowElements, (row + 1) * rowElements);
        assertThat(found).isEqualTo(naive((Tensor) samples[row], common, left));
      }
      for (int axis : axes) {
        assertThat(common[axis + 1] % padding.multipleOf()).isZero();
      }
    }
  }

  private static long[] naive(Tensor sample, long[] batchShape, boolean left) {
    long[] common = Arrays.copyOfRange(batchShape, 1, batchShape.length);
    long[] own = sample.shape().lengths();
    long[] elements = sample.toLongArray();
    long[] result = new long[(int) Shape.of(common).elements()];
    for (int i = 0; i < result.length; i++) {
      long rest = i;
      long place = 0;
      long stride = 1;
      boolean inside = true;
      for (int axis = common.length - 1; axis >= 0; axis--) {
        long at = rest % common[axis] - (left ? common[axis] - own[axis] : 0);
        rest /= common[axis];
        inside &= at >= 0 && at < own[axis];
        place += at * stride;
        stride *= own[axis];
      }
      result[i] = inside ? elements[(int) place] : -1;
    }
    return result;
  }

  @Test
  void shouldFillEachDtype() {
    for (DType dtype : DType.values()) {
      collate(
          pad("data", Padding.with(1)),
          Tensor.zeros(dtype, Shape.of(1)),
          Tensor.zeros(dtype, Shape.of(2)));
      Number filled = batch.tensor("data").get(0, 1);
      assertThat(filled.doubleValue()).as(dtype.toString()).isEqualTo(1);
    }
  }

  @Test
  void shouldKnowHalvesAndRefuseWhatADtypeCannotHold() {
    assertThat(PadValue.bits("a", DType.FLOAT16, Double.NEGATIVE_INFINITY)).isEqualTo(0xFC00);
    assertThat(PadValue.bits("a", DType.FLOAT16, -65504)).isEqualTo(0xFBFF);
    assertThat(PadValue.bits("a", DType.FLOAT16, -0.0)).isEqualTo(0x8000);
    assertThat(PadValue.bits("a", DType.FLOAT16, 0.5)).isEqualTo(0x3800);
    assertThat(PadValue.bits("a", DType.BFLOAT16, -2)).isEqualTo(0xC000);
    assertThat(PadValue.bits("a", DType.UINT8, 255)).isEqualTo(255);
    assertCannotPad(DType.UINT8, 256);
    assertCannotPad(DType.INT8, -129);
    assertCannotPad(DType.INT64, 0.5);
    assertCannotPad(DType.INT64, 0x1p63);
    assertCannotPad(DType.INT64, Double.NaN);
    assertCannotPad(DType.BOOL, 2);
    assertCannotPad(DType.FLOAT16, 0.1);
    assertCannotPad(DType.FLOAT16, 65536);
    assertCannotPad(DType.BFLOAT16, 0.1);
  }

  private static void assertCannotPad(DType dtype, double value) {
    assertRefused(
        () -> PadValue.bits("a", dtype, value),
        "entry 'a' is %s, which cannot be padded with exactly %s".formatted(dtype, value));
  }

  @Test
  void shouldRefuseWhatDiffersBeyondThePaddedAxes() {
    PaddingCollator<Object> collator = PaddingCollator.of("data");
    assertRefuses(
        collator,
        List.of(Tensor.zeros(DType.INT8, Shape.of(2, 3)), Tensor.zeros(DType.INT8, Shape.of(2, 4))),
        "entry 'data' has shape (2, 4) in row 1 of the batch and (2, 3) in row 0; they may"
            + " differ in axis 0");
    assertRefuses(
        collator, List.of(new long[1], new int[1]), "is INT32 in row 1 of the batch and INT64 in");
    assertRefuses(collator, List.of(1, 2), "entry 'data' is of type Integer; tensors");
    assertRefuses(
        pad("data", Padding.zeros().axes(1)),
        List.of(new long[1]),
        "(1) has no axis 1 to be padded");
  }

  /** Not a record, as a Kotlin data class is not one either. */
  private static final class Clip {}

  @Test
  void shouldRefuseEntriesThatDoNotAgree() {
    PaddingCollator<Object> collator = PaddingCollator.of("a");
    long[] one = {0};
    Map<String, Object> holey = new HashMap<>();
    holey.put("a", one);
    holey.put("b", null);
    assertRefuses(
        collator,
        List.of(Map.of("a", one), Map.of("a", one, "b", 1)),
        "row 1 of the batch has the entries [a, b], row 0 has [a]");
    assertRefuses(
        PaddingCollator.of("x"), List.of(Map.of("a", 1)), "no entry 'x' to be padded", "have [a]");
    assertRefuses(
        PaddingCollator.of("wave"),
        List.of(new Clip()),
        "no entry 'wave' to be padded; the samples have [data], as which a sample of",
        "PaddingCollatorTest.Clip is taken whole: entries are the components of a record");
    assertRefuses(collator, List.of(holey), "entry 'b' of row 0 of the batch is null");
    assertRefuses(
        collator,
        List.of(Map.of("a", one, "b", one), Map.of("a", one, "b", new long[2])),
        "'b' INT64 (2)",
        "'b' INT64 (1)",
        ".pad(\"b\", Padding.zeros())");
  }

  @Test
  void shouldKeepListedTensorsApart() {
    float[][] image = {{1, 2}};
    float[][] boxes = {{1, 2, 3, 4}};
    collate(
        PaddingCollator.builder().list("image", "boxes").build(),
        Map.of("image", new float[2][3], "boxes", new float[0][4], "name", "a", "label", 1),
        Map.of("image", image, "boxes", boxes, "name", "b", "label", 2));

    assertThat(batch.tensors("image"))
        .extracting(Tensor::shape)
        .containsExactly(Shape.of(2, 3), Shape.of(1, 2));
    assertThat(batch.tensor("image.1").toFloatArray()).containsExactly(1, 2);
    assertThat(batch.tensors("boxes").get(1).shape()).isEqualTo(Shape.of(1, 4));
    assertThat(batch.tensors("boxes").get(0).shape().elements()).isZero();
    assertThat(longs("label")).containsExactly(1, 2);
    assertThat(batch.values("name")).isEqualTo(List.of("a", "b"));
    assertRefused(() -> batch.tensors("label"), "no list of tensors 'label'", "list(\"label\")");
    Tensor listed = batch.tensors("image").get(0);
    batch.close();
    assertThrown(IllegalStateException.class, listed::bytes);
    assertThrown(IllegalStateException.class, () -> batch.tensors("image"));
  }

  @Test
  void shouldRefuseListsThatAreNotThereOrOfTwoTypes() {
    PaddingCollator.Builder<Object> builder = PaddingCollator.builder().list("image");
    PaddingCollator<Object> images = builder.build();
    assertRefuses(
        images, List.of(Map.of("label", 1)), "no entry 'image' to be listed", "have [label]");
    assertRefuses(
        images,
        List.of(Map.of("image", new float[1]), Map.of("image", new long[1])),
        "entry 'image' is INT64 in row 1 of the batch and FLOAT32 in row 0");
    assertRefused(() -> builder.pad("image", Padding.zeros()), "entry 'image' is listed already");
    assertRefused(() -> builder.list("image"), "entry 'image' is listed already");
  }

  @Test
  void shouldCheckItsOptions() {
    assertRefused(() -> PaddingCollator.of(), "no entry is padded; Collator.defaults() does that");
    assertRefused(() -> PaddingCollator.of("a", "a"), "entry 'a' is padded already");
    Padding zeros = Padding.zeros();
    assertRefused(() -> zeros.axes(-1), "axes must be 0 or more, were [-1]");
    assertRefused(() -> zeros.multipleOf(0), "multipleOf must be 1 or more, was 0");
    assertRefused(() -> zeros.length(1, 2), "one length for each of the axes [0], was [1, 2]");
    assertRefused(() -> zeros.length(-1), "length must be 0 or more, was [-1]");
    assertRefused(() -> zeros.multipleOf(8).length(12), "length([12]) and multipleOf(8) exclude");
  }
}
