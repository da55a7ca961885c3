package io.feedline.packing;

import java.util.Arrays;

/** Token ids, and their labels where these are not the ids. Immutable. */
abstract class Tokens {

  private final int[] ids;

  /** Null where they are the ids. */
  private final int[] labels;

  Tokens(int[] ids, int[] labels) {
    this.ids = ids;
    this.labels = labels;
  }

  /** Returns the number of tokens. */
  public final int size() {
    return ids.length;
  }

  /** Returns the token ids, without padding; not a copy, and not to be changed. */
  public final int[] ids() {
    return ids;
  }

  /** Returns whether there are labels that are not the ids. */
  public final boolean hasLabels() {
    return labels != null;
  }

  /** Returns the labels, the ids where there are no others; not a copy, and not to be changed. */
  public final int[] labels() {
    return labels == null ? ids : labels;
  }

  final boolean sameTokens(Tokens other) {
    return Arrays.equals(ids, other.ids) && Arrays.equals(labels, other.labels);
  }

  final int hashOfTokens() {
    return 31 * Arrays.hashCode(ids) + Arrays.hashCode(labels);
  }
}
