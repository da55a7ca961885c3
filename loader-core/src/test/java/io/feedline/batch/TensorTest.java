package io.feedline.batch;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tensors, shapes and dtypes. */
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
    assertThat(Tensor.zeros(DType.INT32, Shape.SCALAR).toIntArray()).containsExactly(0);
  }

  @Test
  void shouldShareTheMemoryItIsMadeOver() {
    ByteBuffer memory = ByteBuffer.allocateDirect(20).order(ByteOrder.BIG_ENDIAN);
    memory.position(4).limit(12);
    Tensor tensor = Tensor.of(DType.FLOAT32, Shape.of(2), memory);
    tensor.bytes().putFloat(4, 1.5f);

    assertThat(memory.position()).isEqualTo(4);
    assertThat(memory.limit()).isEqualTo(12);
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
  void shouldWriteItselfWhereItIsTold() {
    ByteBuffer target = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    Tensor tensor = Tensor.of(new float[] {3, 4});
    tensor.writeTo(target);
    assertThat(target.position()).isEqualTo(8);
    assertThat(target.getFloat(4)).isEqualTo(4);
  }

  @Test
  void shouldRefuseMemoryOfAnotherSize() {
    assertRefused(
        () -> Tensor.of(DType.INT32, Shape.of(2, 3), ByteBuffer.allocate(23)),
        "INT32",
        "(2, 3)",
        "24",
        "23");
    assertRefused(() -> Tensor.of(new float[5], 2, 2), "(2, 2)", "4", "5");
    assertRefused(() -> Tensor.zeros(DType.FLOAT64, Shape.of(1 << 14, 1 << 14)), "2147483648");
    assertThatThrownBy(() -> Tensor.zeros(DType.FLOAT64, Shape.of(Long.MAX_VALUE)))
        .isInstanceOf(ArithmeticException.class);
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
  @EnumSource(DType.class)
  void shouldTakeItsDTypesBytesForEachElement(DType dtype) {
    int bits =
        switch (dtype) {
          case UINT8, INT8, BOOL -> 8;
          case UINT16, INT16, FLOAT16, BFLOAT16 -> 16;
          case INT32, FLOAT32 -> 32;
          case INT64, FLOAT64 -> 64;
        };
    assertThat(dtype.bytes()).isEqualTo(bits / 8);
    assertThat(Tensor.zeros(dtype, Shape.of(3, 5)).toByteArray()).hasSize(15 * bits / 8);
    assertThat(Tensor.zeros(dtype, Shape.SCALAR).byteSize()).isEqualTo(bits / 8);
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
    assertThat(shape.equals((Object) "(3, 224, 224)")).isFalse();
  }

  @Test
  void shouldRefuseAShapeThatCannotBe() {
    assertRefused(() -> Shape.of(2, -1), "[2, -1]");
    assertThatThrownBy(() -> Shape.of(Long.MAX_VALUE, 2)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Shape.of(2).length(1))
        .isInstanceOf(ArrayIndexOutOfBoundsException.class);
  }
}
