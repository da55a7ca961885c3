package io.feedline.formats.jpeg.coefficients.internal;

import io.feedline.formats.jpeg.internal.VectorPixelKernels;
import java.util.function.Supplier;

/**
 * The choice of {@link SetKernels} where the Vector API is in use. {@link VectorSetKernels} need
 * {@code IntVector.expand}, which exists from JDK 19 on. C2 compiles {@code expand} to one
 * instruction for vectors of 512 bits, and since JDK 23 also for shorter vectors. Elsewhere {@code
 * expand} would be slower than plain loops.
 *
 * <p>Rejected for JDK 17: a table of shuffles for vectors of 8 ints. The kernels of JPEGs use
 * vectors of 16, and with both lengths in a process all vector kernels took three times as long.
 */
final class VectorSetKernelChoice implements Supplier<SetKernels> {
  private static final int WITH_EXPAND = 19;
  private static final int WITH_EXPAND_OF_SHORT_VECTORS = 23;
  private static final int LONG = 512;

  @Override
  public SetKernels get() {
    boolean isLong = VectorPixelKernels.INTS.vectorBitSize() >= LONG;
    int needed = isLong ? WITH_EXPAND : WITH_EXPAND_OF_SHORT_VECTORS;
    return Runtime.version().feature() >= needed ? new VectorSetKernels() : new PlainSetKernels();
  }
}
