package io.feedline.formats.bench;

import io.feedline.formats.internal.VectorApi;
import java.lang.invoke.MethodHandles;
import java.util.function.Supplier;

/** The two sets of kernels that a package of pixels has, as a benchmark's parameter. */
public enum KernelSet {
  /** The plain loops. */
  PLAIN,

  /** Those on the Vector API, which the JVM must have been started with. */
  VECTOR;

  private static final String VECTOR_CLASS = "VectorKernels";

  /**
   * A package's kernels of this set.
   *
   * @param lookup of the package
   * @param type what both kinds are
   * @param plain makes the plain ones
   * @throws IllegalStateException if vectors are asked for and cannot be used here
   */
  public <K> K of(MethodHandles.Lookup lookup, Class<K> type, Supplier<? extends K> plain) {
    if (this == PLAIN) {
      return plain.get();
    }
    K kernels = VectorApi.kernels(lookup, type, VECTOR_CLASS, plain);
    if (!kernels.getClass().getSimpleName().equals(VECTOR_CLASS)) {
      throw new IllegalStateException(
          "no vector kernels here: the log says why (--add-modules jdk.incubator.vector?)");
    }
    return kernels;
  }
}
