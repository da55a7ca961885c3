package io.feedline;

import java.util.function.LongSupplier;

/** The loader's clock, which tests of other packages can replace. */
public final class OwnClock {

  private OwnClock() {}

  public static <T> DataLoaderBuilder<T> set(DataLoaderBuilder<T> builder, LongSupplier nanos) {
    return builder.clock(nanos);
  }
}
