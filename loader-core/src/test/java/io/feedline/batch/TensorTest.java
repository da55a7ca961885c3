package io.feedline.batch;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors, their text, elements and parts; shapes and dtypes. */
class TensorTest {

  @Test
  void shouldCopyTheElementsItIsMadeOf() {
    float[] floats = {1, -2.5f, Float.NaN};
    long[] longs = {Long.MIN_VALUE, 0, 7, 9};
    byte[] bytes = {-1, 0, 1};
    Tensor ofFloats = Tensor.of(floats);
    Tensor ofLongs = Tensor.of(longs, 2, 2);
    Tensor ofBytes = Tensor.of(bytes, 3, 1, 1);
    floats[0] = 5;
    longs[0] = 5;
    bytes[0] = 5;

    assertThat(ofFloats.toFloatArray()).containsExactly(1, -2.5f, Float.NaN);
    assertThat(ofLongs.toLongArray()).containsExactly(Long.MIN_VALUE, 0, 7, 9);
    assertThat(ofBytes.toByteArray()).containsExactly(-1, 0, 1);
    assertThat(ofFloats).hasToString("FLOAT32 (3)");
    assertThat(ofLongs).hasToString("INT64 (2, 2)");
    assertThat(ofBytes).hasToString("UINT8 (3, 1, 1)");
    assertThat(ofLongs.byteSize()).isEqualTo(32);
  }

  @Test
  void shouldGiveIntsOfInt32() {
    ByteBuffer memory = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
    memory.putInt(4, Integer.MIN_VALUE).putInt(8, -1).putInt(12, Integer.MAX_VALUE);
    int[] elements = Tensor.of(DType.INT32, Shape.of(2, 2), memory).toIntArray();
    assertThat(elements).containsExactly(0, Integer.MIN_VALUE, -1, Integer.MAX_VALUE);
    elements[0] = 5;
    assertThat(memory.getInt(0)).isZero();
    assertThat(Tensor.zeros(DType.INT32, Shape.of(2, 0)).toIntArray()).isEmpty();
  }

  @Test
  void shouldShareTheMemoryItIsMadeOver() {
    ByteBuffer memory = ByteBuffer.allocateDirect(20).order(ByteOrder.BIG_ENDIAN);
    memory.position(4).limit(12);
    Tensor tensor = Tensor.of(DType.FLOAT32, Shape.of(2), memory);
    tensor.bytes().putFloat(4, 1.5f);

    assertThat(List.of(memory.position(), memory.limit())).containsExactly(4, 12);
    assertThat(memory.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(memory.order(ByteOrder.nativeOrder()).getFloat(8)).isEqualTo(1.5f);
    assertThat(tensor.toFloatArray()).containsExactly(0, 1.5f);
    assertThat(tensor.copy().toFloatArray()).containsExactly(0, 1.5f);
  }

  @Test
  void shouldGiveANewViewEachTime() {
    Tensor tensor = Tensor.of(new long[] {1, 2});
    tensor.bytes().position(8);
    assertThat(tensor.bytes().position()).isZero();
    assertThat(tensor.bytes().remaining()).isEqualTo(16);
    assertThat(tensor.bytes().order()).isEqualTo(ByteOrder.nativeOrder());
    Tensor readOnly =
        Tensor.of(DType.INT64, Shape.of(1), ByteBuffer.allocate(8).asReadOnlyBuffer());
    assertThatThrownBy(() -> readOnly.bytes().putLong(1))
        .isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void shouldRefuseMemoryOfAnotherSize() {
    ByteBuffer memory = ByteBuffer.allocate(23);
    assertRefused(() -> Tensor.of(DType.INT32, Shape.of(2, 3), memory), "(2, 3)", "24", "23");
    assertRefused(() -> Tensor.of(new float[5], 2, 2), "(2, 2)", "4", "5");
    assertRefused(() -> Tensor.zeros(DType.FLOAT64, Shape.of(1 << 14, 1 << 14)), "2147483648");
    assertThrown(
        ArithmeticException.class, () -> Tensor.zeros(DType.FLOAT64, Shape.of(Long.MAX_VALUE)));
  }

  @Test
  void shouldRefuseToGiveElementsOfAnotherType() {
    Map<ThrowingCallable, String> refusals =
        Map.of(
            () -> Tensor.of(new long[1]).toFloatArray(), "INT64, not FLOAT32; toLongArray()",
            () -> Tensor.of(new float[1]).toLongArray(), "FLOAT32, not INT64; toFloatArray()",
            () -> Tensor.zeros(DType.INT32, Shape.of(1)).toLongArray(), "INT64; toIntArray()",
            () -> Tensor.of(new byte[1]).toIntArray(), "UINT8, not INT32; bytes()");
    refusals.forEach(
        (call, words) ->
            assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(words + " gives its elements"));
  }

  @ParameterizedTest
  @EnumSource
  void shouldTakeItsDTypesBytesForEachElement(DType dtype) {
    int bytes =
        switch (dtype) {
          case UINT8, INT8, BOOL -> 1;
          case UINT16, INT16, FLOAT16, BFLOAT16 -> 2;
          case INT32, FLOAT32 -> 4;
          case INT64, FLOAT64 -> 8;
        };
    assertThat(dtype.bytes()).isEqualTo(bytes);
    assertThat(Tensor.zeros(dtype, Shape.of(3, 5)).toByteArray()).hasSize(15 * bytes);
    assertThat(Tensor.zeros(dtype, Shape.of(3, 0)).byteSize()).isZero();
  }

  @Test
  void shouldKnowItsAxes() {
    long[] lengths = {3, 224, 224};
    Shape shape = Shape.of(lengths);
    lengths[0] = 9;
    shape.lengths()[0] = 9;
    assertThat(shape).hasToString("(3, 224, 224)").isEqualTo(Shape.of(3, 224, 224));
    assertThat(shape.hashCode()).isEqualTo(Shape.of(3, 224, 224).hashCode());
    assertThat(shape.rank()).isEqualTo(3);
    assertThat(shape.length(1)).isEqualTo(224);
    assertThat(shape.elements()).isEqualTo(3 * 224 * 224);
    assertThat(shape.prepend(8)).isEqualTo(Shape.of(8, 3, 224, 224));
    assertThat(Shape.of()).isSameAs(Shape.SCALAR).hasToString("()");
    assertThat(Shape.SCALAR.elements()).isEqualTo(1);
    assertThat(Shape.SCALAR.prepend(2)).isEqualTo(Shape.of(2)).isNotEqualTo(Shape.of(2, 1));
    assertThat(Shape.of(4, 0).elements()).isZero();
    assertRefused(() -> Shape.of(2, -1), "[2, -1]");
    assertThrown(ArithmeticException.class, () -> Shape.of(Long.MAX_VALUE, 2));
    assertThrown(ArrayIndexOutOfBoundsException.class, () -> shape.length(3));
  }

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

  @ParameterizedTest
  @EnumSource
  void shouldGiveElementsOfEveryDtype(DType dtype) {
    ByteBuffer memory = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putLong(0, -1);
    Tensor tensor = Tensor.of(dtype, Shape.of(8 / dtype.bytes()), memory);
    Object expected =
        switch (dtype) {
          case UINT8 -> 255L;
          case UINT16 -> 65_535L;
          case FLOAT16, BFLOAT16, FLOAT32 -> Float.NaN;
          case FLOAT64 -> Double.NaN;
          default -> -1L;
        };
    assertThat(tensor.get(0)).isEqualTo(expected);
    memory.putShort(0, (short) 0x3C00).putShort(2, (short) 0x3FC0);
    if (dtype == DType.FLOAT16 || dtype == DType.BFLOAT16) {
      assertThat(tensor.get(dtype == DType.FLOAT16 ? 0 : 1))
          .isEqualTo(dtype == DType.FLOAT16 ? 1f : 1.5f);
    }
    assertThat(numbers.get(1, 2, 3)).isEqualTo(23L);
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
    assertThrown(IndexOutOfBoundsException.class, () -> numbers.get(0, 3, 0));
    assertThrown(IndexOutOfBoundsException.class, () -> numbers.select(2));
    assertThrown(IndexOutOfBoundsException.class, () -> numbers.slice(1, 3));
    Tensor scalar = numbers.select(0).select(0).select(0);
    assertRefused(() -> scalar.select(0), "a scalar has no first axis");
  }

  @Test
  void shouldRefuseToShowWhatIsClosedAlsoInAView() {
    boolean[] closed = {false};
    Tensor borrowed =
        Tensor.borrowed(
            DType.UINT8,
            Shape.of(2, 2),
            ByteBuffer.allocate(4),
            () -> {
              if (closed[0]) {
                throw new IllegalStateException("closed");
              }
            });
    Tensor row = borrowed.select(1);
    closed[0] = true;
    assertThrown(IllegalStateException.class, row::toText);
    assertThrown(IllegalStateException.class, () -> row.get(0));
    assertThrown(IllegalStateException.class, () -> borrowed.slice(0, 1));
    assertThat(row).hasToString("UINT8 (2)");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 63, 64, 65, 4096, 1_000_001})
  void shouldGiveDirectMemoryThatBeginsOnACacheLine(int bytes) {
    for (int i = 0; i < 20; i++) {
      HostAllocator.HostMemory memory = HostAllocator.direct().allocate(bytes);
      ByteBuffer buffer = memory.buffer();
      assertThat(buffer.isDirect()).isTrue();
      assertThat(buffer.position()).isZero();
      assertThat(buffer.limit()).isEqualTo(bytes);
      assertThat(buffer.capacity()).isEqualTo(bytes);
      assertThat(buffer.alignmentOffset(0, 64)).isZero();
      memory.close();
      memory.close();
      assertThrown(IllegalStateException.class, memory::buffer, "given back");
    }
  }
}
