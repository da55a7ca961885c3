package io.feedline;

/**
 * The rounds, cases and ranks of heavy tests: all of them, or {@code -Dfeedline.test.strength=20}
 * percent. A build that runs the tests on several JDKs runs them at full strength on one.
 */
public final class Strength {

  private static final int PERCENT = Integer.getInteger("feedline.test.strength", 100);

  private Strength() {}

  /** Returns how many of {@code all} rounds a test makes: at least one. */
  public static int of(int all) {
    return Math.max(1, (int) ((long) all * PERCENT / 100));
  }
}
