package io.feedline.internal;

import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Checks of the orders that a user's sampler or batch sampler returns. */
public final class Orders {

  private Orders() {}

  /**
   * Returns the order; throws an {@link IllegalStateException} if it is null or has a negative
   * length.
   *
   * @param unit the noun for the order's elements in messages, in the plural
   */
  public static <T> T check(
      @Nullable T order, ToLongFunction<T> length, String unit, Object sampler, long epoch) {
    if (order == null) {
      throw new IllegalStateException("%s gives no order for epoch %d".formatted(sampler, epoch));
    }
    long found = length.applyAsLong(order);
    if (found < 0) {
      throw new IllegalStateException(
          "%s gives epoch %d %d %s; an epoch has 0 or more".formatted(sampler, epoch, found, unit));
    }
    return order;
  }
}
