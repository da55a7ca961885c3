package io.feedline.packing;

import io.feedline.internal.Counts;
import java.util.Arrays;
import java.util.Objects;

/**
 * The token ids of one text, with optional labels of the tokens: in fine-tuning, for example, the
 * ids of the answer and an ignore index for the prompt.
 *
 * <p>Immutable, as long as its arrays are not changed: they are not copied. Thread-safe.
 */
public final class TokenSequence {

  private final int[] ids;

  private final int[] labels;

  TokenSequence(int[] ids, int[] labels) {
    this.ids = ids;
    this.labels = labels;
  }

  /**
   * Returns a sequence without labels: a {@link PackingCollator} makes labels of the ids.
   *
   * @param ids the ids, not copied, and not to be changed; may be empty
   */
  public static TokenSequence of(int... ids) {
    return new TokenSequence(Objects.requireNonNull(ids, "ids"), null);
  }

  /**
   * Returns a sequence of ids that a tokenizer gives as {@code long[]}.
   *
   * @throws IllegalArgumentException if an id does not fit into an {@code int}
   */
  public static TokenSequence of(long[] ids) {
    int[] narrow = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      narrow[i] = (int) ids[i];
      if (narrow[i] != ids[i]) {
        throw new IllegalArgumentException(
            "token ids must fit into 32 bits, was %d at position %d".formatted(ids[i], i));
      }
    }
    return of(narrow);
  }

  /**
   * Returns a sequence with labels.
   *
   * @param ids the ids, not copied, and not to be changed
   * @param labels a label for each id, at the same place: the label that a model predicts from the
   *     tokens before it. Not copied, and not to be changed
   * @throws IllegalArgumentException if there are more or fewer labels than ids
   */
  public static TokenSequence of(int[] ids, int[] labels) {
    if (ids.length != labels.length) {
      throw new IllegalArgumentException(
          "a sequence needs as many labels as ids, found %s for %s"
              .formatted(Counts.of(labels.length, "label"), Counts.of(ids.length, "id")));
    }
    return new TokenSequence(ids, labels);
  }

  /** Returns the number of tokens. */
  public int size() {
    return ids.length;
  }

  /** Returns the token ids, without padding; not a copy, and not to be changed. */
  public int[] ids() {
    return ids;
  }

  /** Returns whether labels were given; if not, the ids are the labels. */
  public boolean hasLabels() {
    return labels != null;
  }

  /** Returns the labels; the ids if no labels were given. Not a copy, and not to be changed. */
  public int[] labels() {
    return labels == null ? ids : labels;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TokenSequence sequence
        && Arrays.equals(ids, sequence.ids)
        && Arrays.equals(labels, sequence.labels);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(ids) + Arrays.hashCode(labels);
  }

  @Override
  public String toString() {
    return "TokenSequence(%s%s)"
        .formatted(Counts.of(size(), "token"), hasLabels() ? ", labels" : "");
  }
}
