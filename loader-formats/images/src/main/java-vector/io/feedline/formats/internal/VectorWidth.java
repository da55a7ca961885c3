package io.feedline.formats.internal;

import java.util.function.IntSupplier;
import jdk.incubator.vector.IntVector;

/** The width in bits of the vectors that this machine prefers: the first use of the Vector API. */
final class VectorWidth implements IntSupplier {
  @Override
  public int getAsInt() {
    return IntVector.SPECIES_PREFERRED.vectorBitSize();
  }
}
