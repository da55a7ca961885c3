package io.feedline.formats.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

public final class Refusals {

  private Refusals() {}

  /** Requires that a call throws an exception of a kind, whose message contains some words. */
  public static void refused(
      Class<? extends Throwable> kind, ThrowingCallable call, String... words) {
    assertThatThrownBy(call).isInstanceOf(kind).hasMessageContainingAll(words);
  }
}
