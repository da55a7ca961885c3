package io.feedline.formats.internal;

import java.util.function.IntSupplier;
import jdk.incubator.vector.IntVector;

/** The preferred vector width in bits; reading it is the first use of the Vector API. */
final class VectorWidth implements IntSupplier {
  @Override
  public int getAsInt() {
    return IntVector.SPECIES_PREFERRED.vectorBitSize();
  }
}
