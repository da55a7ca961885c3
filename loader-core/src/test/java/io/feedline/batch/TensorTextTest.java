package io.feedline.batch;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Looking at a tensor: its text, its elements and its parts. */
class TensorTextTest {

  private final Tensor numbers = Tensor.of(LongStream.range(0, 24).toArray(), 2, 3, 4);

  @Test
  void shouldAlignRowsInNestedBrackets() {
    assertThat(Tensor.of(new float[] {0.5f, -1, 0, 0.25f, 2, 1.5f}, 2, 3).toText())
        .isEqualTo(
            """
            FLOAT32 (2, 3)
            [[ 0.5000, -1.0000,  0.0000],
             [ 0.2500,  2.0000,  1.5000]]""");
    assertThat(numbers.toText())
        .isEqualTo(
            """
            INT64 (2, 3, 4)
            [[[ 0,  1,  2,  3],
              [ 4,  5,  6,  7],
              [ 8,  9, 10, 11]],

             [[12, 13, 14, 15],
              [16, 17, 18, 19],
              [20, 21, 22, 23]]]""");
  }

  @Test
  void shouldShowTheEndsOfEachLongAxis() {
    assertThat(Tensor.of(LongStream.range(0, 1200).toArray(), 2, 600).toText())
        .isEqualTo(
            """
            INT64 (2, 600)
            [[   0,    1,    2, ...,  597,  598,  599],
             [ 600,  601,  602, ..., 1197, 1198, 1199]]""");
    assertThat(Tensor.of(LongStream.range(0, 1001).toArray(), 1001, 1).toText())
        .isEqualTo(
            """
            INT64 (1001, 1)
            [[   0],
             [   1],
             [   2],
             ...,
             [ 998],
             [ 999],
             [1000]]""");
    assertThat(Tensor.of(LongStream.range(0, 1000).toArray()).toText())
        .doesNotContain("...")
        .contains(" 500, ");
  }

  @Test
  void shouldShowScalarsEmptyTensorsAndNumbersOfAnySize() {
    assertThat(Tensor.of(new long[] {7}).select(0).toText()).isEqualTo("INT64 ()\n7");
    assertThat(Tensor.zeros(DType.FLOAT32, Shape.of(0, 3)).toText())
        .isEqualTo("FLOAT32 (0, 3)\n[]");
    assertThat(Tensor.of(new float[] {Float.NaN, Float.NEGATIVE_INFINITY, 1}).toText())
        .isEqualTo("FLOAT32 (3)\n[      NaN, -Infinity,    1.0000]");
    assertThat(Tensor.of(new float[] {1e-7f, 1}).toText())
        .isEqualTo("FLOAT32 (2)\n[1.0000e-07, 1.0000e+00]");
    assertThat(Tensor.of(new float[] {1e6f, 0}).toText())
        .isEqualTo("FLOAT32 (2)\n[1.0000e+06, 0.0000e+00]");
  }

  @Test
  void shouldGiveElementsOfEveryDtype() {
    ByteBuffer memory = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    memory.putLong(0, -1);
    for (DType dtype : DType.values()) {
      Number element = Tensor.of(dtype, Shape.of(8 / dtype.bytes()), memory).get(0);
      switch (dtype) {
        case UINT8 -> assertThat(element).isEqualTo(255L);
        case UINT16 -> assertThat(element).isEqualTo(65_535L);
        case FLOAT16, BFLOAT16, FLOAT32 -> assertThat((Float) element).isNaN();
        case FLOAT64 -> assertThat((Double) element).isNaN();
        default -> assertThat(element).as(dtype.name()).isEqualTo(-1L);
      }
    }
    memory.putShort(0, (short) 0x3C00).putShort(2, (short) 0x3FC0);
    assertThat(Tensor.of(DType.FLOAT16, Shape.of(4), memory).get(0)).isEqualTo(1f);
    assertThat(Tensor.of(DType.BFLOAT16, Shape.of(4), memory).get(1)).isEqualTo(1.5f);
    assertThat(numbers.get(1, 2, 3)).isEqualTo(23L);
    assertThat(numbers.get(1, 0, 2)).isEqualTo(14L);
  }

  @Test
  void shouldGiveViewsOfTheFirstAxis() {
    assertThat(numbers.select(1).shape()).isEqualTo(Shape.of(3, 4));
    assertThat(numbers.select(1).select(2).toLongArray()).containsExactly(20, 21, 22, 23);
    assertThat(numbers.select(0).slice(1, 3).shape()).isEqualTo(Shape.of(2, 4));
    assertThat(numbers.select(0).slice(1, 3).toLongArray())
        .containsExactly(4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(numbers.slice(2, 2).shape()).isEqualTo(Shape.of(0, 3, 4));
    assertThat(Tensor.zeros(DType.INT64, Shape.of(0, 3)).slice(0, 0).byteSize()).isZero();
    numbers.select(1).bytes().putLong(0, 99);
    assertThat(numbers.get(1, 0, 0)).isEqualTo(99L);
  }

  @Test
  void shouldRefusePlacesThatThereAreNot() {
    assertRefused(
        () -> numbers.get(0, 1), "an element of shape (2, 3, 4) has 3 positions, found 2");
    assertThatThrownBy(() -> numbers.get(0, 3, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> numbers.select(2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> numbers.slice(1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
    Tensor scalar = numbers.select(0).select(0).select(0);
    assertRefused(() -> scalar.select(0), "a scalar has no first axis");
  }

  @Test
  void shouldRefuseToShowWhatIsClosedAlsoInAView() {
    boolean[] closed = {false};
    Tensor lent =
        Tensor.borrowed(
            DType.UINT8,
            Shape.of(2, 2),
            ByteBuffer.allocate(4),
            () -> {
              if (closed[0]) {
                throw new IllegalStateException("closed");
              }
            });
    Tensor row = lent.select(1);
    closed[0] = true;
    assertThatThrownBy(row::toText).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> row.get(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lent.slice(0, 1)).isInstanceOf(IllegalStateException.class);
    assertThat(row).hasToString("UINT8 (2)");
  }
}
