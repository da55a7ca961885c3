package io.feedline;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

public final class Refusals {

  private Refusals() {}

  /** Fails unless an {@link IllegalArgumentException} is thrown whose message has all words. */
  public static void assertRefused(ThrowingCallable call, CharSequence... words) {
    assertThrown(IllegalArgumentException.class, call, words);
  }

  /** Fails unless an exception of a type is thrown whose message has all words. */
  public static void assertThrown(
      Class<? extends Throwable> type, ThrowingCallable call, CharSequence... words) {
    assertThatThrownBy(call)
        .isInstanceOf(type)
        .message()
        .contains(words.length == 0 ? new CharSequence[] {""} : words);
  }
}
