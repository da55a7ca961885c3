package io.feedline.packing;

import java.util.Arrays;

/**
 * A row of packed tokens: pieces of sequences, one after the other, {@link #rowLength} tokens at
 * most. A {@link PackingCollator} pads it to that length.
 *
 * <p>Immutable and thread-safe.
 */
public final class PackedRow {

  private final TokenSequence tokens;
  private final int rowLength;
  private final int[] lengths;

  private PackedRow(int rowLength, TokenSequence tokens, int[] lengths) {
    this.tokens = tokens;
    this.rowLength = rowLength;
    this.lengths = lengths;
  }

  /** Returns the number of tokens. */
  public int size() {
    return tokens.size();
  }

  /** Returns the token ids, without padding; not a copy, and not to be changed. */
  public int[] ids() {
    return tokens.ids();
  }

  /** Returns whether labels were given; if not, the ids are the labels. */
  public boolean hasLabels() {
    return tokens.hasLabels();
  }

  /** Returns the labels; the ids if no labels were given. Not a copy, and not to be changed. */
  public int[] labels() {
    return tokens.labels();
  }

  /** Returns the number of places in the row, of which {@link #size} are filled. */
  public int rowLength() {
    return rowLength;
  }

  /**
   * Returns the lengths of the pieces, each 1 or more, with the sum {@link #size}; not a copy, and
   * not to be changed.
   */
  public int[] lengths() {
    return lengths;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PackedRow row
        && rowLength == row.rowLength
        && tokens.equals(row.tokens)
        && Arrays.equals(lengths, row.lengths);
  }

  @Override
  public int hashCode() {
    return 31 * tokens.hashCode() + Arrays.hashCode(lengths);
  }

  @Override
  public String toString() {
    return "PackedRow(%d of %d tokens, lengths %s)"
        .formatted(size(), rowLength, Arrays.toString(lengths));
  }

  static final class Filler {
    private final int rowLength;
    private final int[] ids;
    private int[] labels;
    private int[] lengths = new int[8];
    private int filled;
    private int pieces;

    /** Creates an empty row. */
    Filler(int rowLength) {
      this.rowLength = rowLength;
      this.ids = new int[rowLength];
    }

    int room() {
      return rowLength - filled;
    }

    boolean isEmpty() {
      return filled == 0;
    }

    /** Adds a piece of a sequence, of 1 token or more, for which there is room. */
    void add(TokenSequence sequence, int from, int length) {
      if (sequence.hasLabels() && labels == null) {
        labels = ids.clone();
      }
      System.arraycopy(sequence.ids(), from, ids, filled, length);
      if (labels != null) {
        System.arraycopy(sequence.labels(), from, labels, filled, length);
      }
      if (pieces == lengths.length) {
        lengths = Arrays.copyOf(lengths, 2 * pieces);
      }
      lengths[pieces++] = length;
      filled += length;
    }

    PackedRow row() {
      return new PackedRow(
          rowLength,
          new TokenSequence(
              Arrays.copyOf(ids, filled), labels == null ? null : Arrays.copyOf(labels, filled)),
          Arrays.copyOf(lengths, pieces));
    }
  }
}
