package io.feedline.formats.jpeg.coefficients.internal;

import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.I64;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.LANES;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.MASK;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.i16;
import static io.feedline.formats.jpeg.coefficients.internal.CoefficientLayout.u16;
import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.B2I;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.S2I;

import io.feedline.formats.jpeg.internal.Coefficients;
import io.feedline.formats.jpeg.internal.VectorPixelKernels;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * The {@link SetKernels} on the JDK's Vector API. Only values that are not 0 are stored; one
 * operation moves those of a place (an index in zigzag order) to their lanes (MCUs).
 *
 * <p>This operation, {@code IntVector.expand}, is called by a method handle, because this class is
 * compiled for JDK 17, which lacks the method. {@link VectorSetKernelChoice} says on which machines
 * these kernels are used.
 *
 * <p>Loops are small on purpose; {@link VectorPixelKernels} says why.
 */
final class VectorSetKernels extends SetKernels {
  private static final MethodHandle EXPAND = expand();

  /** The species of all kernels: with vectors of two lengths, C2 would allocate both as objects. */
  private static final VectorSpecies<Integer> INTS = VectorPixelKernels.INTS;

  private static final int STEP = INTS.length();
  private static final int STEP_MASK = (1 << STEP) - 1;
  private static final VectorSpecies<Byte> BYTES = ofBytes(STEP);
  private static final VectorSpecies<Byte> SHORTS = ofBytes(2 * STEP);

  /** The shift for each lane that moves the lane's nibble to the upper end of a 32-bit word. */
  private static final IntVector NIBBLES = IntVector.broadcast(INTS, 28).sub(lanes().mul(4));

  /** The lanes whose nibbles lie in the upper word of a long. */
  private static final VectorMask<Integer> UPPER =
      VectorMask.fromLong(INTS, 0xFFFF_FF00L & STEP_MASK);

  VectorSetKernels() {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new UnsupportedOperationException("vectors of bytes are not little-endian here");
    }
    byte[] set = new byte[CoefficientLayout.REACH];
    long[] places = new long[64];
    set[0] = 64;
    set[1] = 2;
    read(set, 0, set.length, new int[Coefficients.BLOCKS], 0, places);
    set[0] |= (byte) CoefficientLayout.NARROW;
    read(set, 0, set.length, new int[Coefficients.BLOCKS], 0, places);
  }

  private static MethodHandle expand() {
    try {
      return MethodHandles.lookup()
          .findVirtual(
              IntVector.class, "expand", MethodType.methodType(IntVector.class, VectorMask.class));
    } catch (ReflectiveOperationException missing) {
      throw new UnsupportedOperationException(missing);
    }
  }

  private static VectorSpecies<Byte> ofBytes(int bytes) {
    return VectorSpecies.of(byte.class, VectorShape.forBitSize(8 * bytes));
  }

  private static IntVector lanes() {
    return IntVector.zero(INTS).addIndex(1);
  }

  @Override
  boolean writesAllLanes() {
    return true;
  }

  @Override
  void narrow(byte[] bytes, int at, int[] values, int slot, int quantizer) {
    int base = i16(bytes, at);
    for (int lane = 0; lane < LANES; lane += STEP) {
      store(signed(bytes, at + 2 + lane).add(base).mul(quantizer), values, slot + lane);
    }
  }

  @Override
  void wide(byte[] bytes, int at, int[] values, int slot, int quantizer) {
    for (int lane = 0; lane < LANES; lane += STEP) {
      IntVector dc =
          (IntVector)
              ByteVector.fromArray(SHORTS, bytes, at + 2 * lane)
                  .reinterpretAsShorts()
                  .convertShape(S2I, INTS, 0);
      store(dc.mul(quantizer), values, slot + lane);
    }
  }

  /** Stores the lower 16 bits of products as signed numbers. */
  private static void store(IntVector products, int[] values, int at) {
    products.lanewise(LSHL, 16).lanewise(ASHR, 16).intoArray(values, at);
  }

  @Override
  int bytes(byte[] bytes, int masks, int from, int end, int[] values, int slot, long[] places) {
    int next = from;
    for (int place = 1, at = masks; place < end; place++, at += MASK) {
      int mask = u16(bytes, at);
      int quantizer = (int) places[place];
      int to = start(places[place], slot);
      for (int lane = 0; lane < LANES; lane += STEP, mask >>>= STEP) {
        spread(signed(bytes, next), mask & STEP_MASK).mul(quantizer).intoArray(values, to + lane);
        next += Integer.bitCount(mask & STEP_MASK);
      }
    }
    return next;
  }

  @Override
  int nibbles(
      byte[] bytes,
      int masks,
      int from,
      int begin,
      int end,
      int[] values,
      int slot,
      long[] places) {
    int next = from;
    for (int place = begin, at = masks; place < end; place++, at += MASK) {
      int mask = u16(bytes, at);
      long packed = (long) I64.get(bytes, next);
      int quantizer = (int) places[place];
      int to = start(places[place], slot);
      next += (Integer.bitCount(mask) + 1) >> 1;
      for (int lane = 0; lane < LANES; lane += STEP, mask >>>= STEP) {
        spread(nibbles(packed), mask & STEP_MASK).mul(quantizer).intoArray(values, to + lane);
        packed >>>= 4 * Integer.bitCount(mask & STEP_MASK);
      }
    }
    return next;
  }

  private static IntVector signed(byte[] bytes, int at) {
    return (IntVector) ByteVector.fromArray(BYTES, bytes, at).convertShape(B2I, INTS, 0);
  }

  private static IntVector nibbles(long packed) {
    return words(packed).lanewise(LSHL, NIBBLES).lanewise(ASHR, 28);
  }

  /** Returns, in each lane, the 32-bit word that contains the lane's nibble. */
  private static IntVector words(long packed) {
    IntVector lower = IntVector.broadcast(INTS, (int) packed);
    return STEP > 8 ? lower.blend((int) (packed >>> 32), UPPER) : lower;
  }

  /** Moves lane i to the lane that the i-th set bit of a mask names; the other lanes become 0. */
  private static IntVector spread(IntVector packed, int mask) {
    try {
      return expanded(packed, VectorMask.fromLong(INTS, mask));
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable checked) {
      throw new AssertionError("expand declares no exceptions", checked);
    }
  }

  private static IntVector expanded(IntVector packed, VectorMask<?> mask) throws Throwable {
    return (IntVector) EXPAND.invokeExact(packed, mask);
  }
}
