package io.feedline.sampler;

import io.feedline.sampler.Sampler.Order;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * An order of known size that is drawn as a whole when its first index is asked for: the first
 * thread that asks draws the order, and other threads wait.
 */
final class DrawnOrder implements Order {

  private final long size;
  private Supplier<Order> draw;
  private volatile Order drawn;

  /** Creates an order that calls {@code draw} once, and again only after a failure. */
  DrawnOrder(long size, Supplier<Order> draw) {
    this.size = size;
    this.draw = draw;
  }

  /** Returns the order of an array of indices; does not copy the array. */
  static Order of(int[] indices, boolean repeats) {
    return of(indices.length, position -> indices[(int) position], repeats);
  }

  static Order of(long size, LongUnaryOperator indices, boolean repeats) {
    return new Order() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public long indexAt(long position) {
        return indices.applyAsLong(Objects.checkIndex(position, size));
      }

      @Override
      public long occurrence(long position) {
        return repeats ? position : 0;
      }
    };
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long indexAt(long position) {
    return drawn().indexAt(position);
  }

  @Override
  public long occurrence(long position) {
    return drawn().occurrence(position);
  }

  private Order drawn() {
    Order order = drawn;
    return order == null ? draw() : order;
  }

  private synchronized Order draw() {
    if (drawn == null) {
      drawn = draw.get();
      draw = null;
    }
    return drawn;
  }
}
