package io.feedline;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

public final class Refusals {

  private Refusals() {}

  /** Fails unless an {@link IllegalArgumentException} is thrown whose message has all words. */
  public static void assertRefused(ThrowingCallable call, CharSequence... words) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains(words.length == 0 ? new CharSequence[] {""} : words);
  }
}
