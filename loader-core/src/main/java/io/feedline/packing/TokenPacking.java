package io.feedline.packing;

import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleContext;
import io.feedline.internal.Cancellation;
import io.feedline.internal.Counts;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongToIntFunction;

/**
 * A way to pack token sequences into rows of one length, known as packing from Hugging Face's TRL
 * and as sample packing from Axolotl.
 *
 * <pre>{@code
 * TokenPacking packing = TokenPacking.of(2048);
 * PackedDataset rows = packing.pack(tokens, lengths);
 * DataLoader<PackedRow> loader =
 *     DataLoader.builder(rows)
 *         .batchSize(8)
 *         .shuffle(true)
 *         .collator(PackingCollator.of())
 *         .build();
 * }</pre>
 *
 * <p>A packing is a function of the options and the sequences' lengths: equal options and lengths
 * give equal rows, for any number of workers and ranks. Within a row, pieces keep the order in
 * which the sequences came. A sequence without tokens takes no place. A packing adds no tokens, so
 * the tokenizer must add the token that ends a text.
 *
 * <p>Immutable and thread-safe.
 */
public final class TokenPacking {

  /** The rule that chooses the row of a sequence. */
  public enum Strategy {
    /** The earliest row of the buffer that has room. */
    FIRST_FIT,

    /** First fit with the longest sequence of the buffer first, as in LLM Foundry and Axolotl. */
    FIRST_FIT_DECREASING,

    /**
     * The row with the least room that suffices, the longest sequence of the buffer first; TRL's
     * {@code bfd}. About as good as {@link #FIRST_FIT_DECREASING}, and faster for long buffers.
     */
    BEST_FIT_DECREASING,

    /**
     * All sequences one after the other, cut after each full row, as in pre-training; TRL's {@code
     * wrapped}. Only the last row has padding; in a stream, the last row of each shard.
     */
    CONCATENATE
  }

  /** The treatment of a sequence that is longer than a row. */
  public enum Overlong {
    /** The sequence is refused, with an error that names the sequence. */
    REFUSE,

    /** The first tokens of the sequence fill a row; its other tokens are left out. */
    CUT,

    /** The sequence is split into full rows and a rest, which is packed like other sequences. */
    SPLIT
  }

  private static final int MAX_ROW_LENGTH = 1 << 24;

  private final int rowLength;
  private final Strategy strategy;
  private final int buffer;
  private final Overlong overlong;
  private final boolean shuffle;
  private final int packings;
  private final long seed;

  private TokenPacking(Builder builder) {
    this.rowLength = builder.rowLength;
    this.strategy = builder.strategy;
    this.buffer = builder.buffer.orElse(Builder.DEFAULT_BUFFER);
    this.overlong = builder.overlong.orElse(Overlong.REFUSE);
    this.shuffle = builder.shuffle;
    this.packings = builder.packings;
    this.seed = builder.seed;
  }

  /**
   * Returns the packing with the default options: best fit decreasing within 1000 sequences.
   *
   * @param rowLength the number of places of a row, from 1 to 2<sup>24</sup>
   * @throws IllegalArgumentException if it is out of that range
   */
  public static TokenPacking of(int rowLength) {
    return builder(rowLength).build();
  }

  /**
   * Returns a builder of a packing.
   *
   * @param rowLength the number of places of a row, from 1 to 2<sup>24</sup>
   * @throws IllegalArgumentException if it is out of that range
   */
  public static Builder builder(int rowLength) {
    return new Builder(rowLength);
  }

  /** Returns the number of places of a row. */
  public int rowLength() {
    return rowLength;
  }

  /** Returns the rule that chooses the row of a sequence. */
  public Strategy strategy() {
    return strategy;
  }

  /** Returns the number of sequences that are packed together; a concatenation does not use it. */
  public int buffer() {
    return buffer;
  }

  /** Returns the treatment of a sequence that is longer than a row; a concatenation splits it. */
  public Overlong overlong() {
    return strategy == Strategy.CONCATENATE ? Overlong.SPLIT : overlong;
  }

  /** Returns whether a dataset's sequences are packed, or a stream's rows come, in random order. */
  public boolean shuffle() {
    return shuffle;
  }

  /** Returns how many packings a {@link PackedDataset} has. */
  public int packings() {
    return packings;
  }

  /** Returns the seed. */
  public long seed() {
    return seed;
  }

  /**
   * Packs the sequences of a dataset. Plans all rows now, from the lengths, and reads nothing.
   *
   * <p>Random transforms before the packing must not change a sequence's length; they draw random
   * numbers by the index of the row.
   *
   * @param sequences the sequences, read when rows are made; the caller closes them
   * @param lengths the number of tokens of each sequence, by index; copied
   * @throws IllegalArgumentException if there are more or fewer lengths than sequences, a length is
   *     negative, or a length is greater than a row's and {@link Overlong#REFUSE} is set
   */
  public PackedDataset pack(Dataset<TokenSequence> sequences, int[] lengths) {
    if (lengths.length != sequences.size()) {
      throw new IllegalArgumentException(
          "%s has %s, but found %s"
              .formatted(
                  sequences.name(),
                  Counts.of(sequences.size(), "sequence"),
                  Counts.of(lengths.length, "length")));
    }
    return new PackedDataset(sequences, lengths.clone(), this);
  }

  /**
   * Packs the sequences of a dataset, as {@link #pack(Dataset, int[])} does.
   *
   * @param length returns the number of tokens of the sequence at an index; called now, once for
   *     each index
   * @throws IllegalArgumentException if there are 2<sup>31</sup> sequences or more, or a length is
   *     not valid
   */
  public PackedDataset pack(Dataset<TokenSequence> sequences, LongToIntFunction length) {
    int[] lengths = new int[size(sequences)];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = length.applyAsInt(i);
    }
    return new PackedDataset(sequences, lengths, this);
  }

  /**
   * Packs the sequences of a stream, each shard by itself. The worker that reads the first row of a
   * buffer reads the buffer, and makes its sequences. Random transforms before the packing draw
   * random numbers by the packing's seed.
   *
   * <p>A sequence that fails, or is longer than a row and refused, takes the place of a row before
   * the rows of its buffer; the loader's error policy applies to it. The number of rows is not
   * known.
   *
   * @param sequences the sequences, which the result does not close
   * @throws IllegalArgumentException if {@link #packings} is not 1: a stream is packed anew in each
   *     epoch
   */
  public IterableDataset<PackedRow> pack(IterableDataset<TokenSequence> sequences) {
    if (packings != 1) {
      throw new IllegalArgumentException(
          "a stream is packed anew in each epoch: packings(%d) is for datasets with random access"
              .formatted(packings));
    }
    return new PackedIterableDataset(Objects.requireNonNull(sequences, "sequences"), this);
  }

  /**
   * Returns the number of tokens of each sequence. Makes each sequence once, in this thread; if the
   * lengths are known from elsewhere, passing them is faster.
   *
   * @throws IllegalArgumentException if there are 2<sup>31</sup> sequences or more
   * @throws Exception if a sequence cannot be read
   */
  public static int[] lengths(Dataset<TokenSequence> sequences) throws Exception {
    int[] lengths = new int[size(sequences)];
    for (int i = 0; i < lengths.length; i++) {
      Cancellation.check();
      lengths[i] = sequences.get(i, new SampleContext(0, 0, i)).size();
    }
    return lengths;
  }

  private static int size(Dataset<TokenSequence> sequences) {
    if (sequences.size() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "up to %d sequences can be packed, %s has %d; pack subsets of it"
              .formatted(Integer.MAX_VALUE, sequences.name(), sequences.size()));
    }
    return (int) sequences.size();
  }

  int pieces(int length) {
    if (length == 0) {
      return 0;
    }
    return overlong == Overlong.SPLIT ? (length - 1) / rowLength + 1 : 1;
  }

  int pieceLength(int length, int piece) {
    return Math.min(rowLength, length - piece * rowLength);
  }

  Optional<String> refusal(int length) {
    return length <= rowLength || overlong() != Overlong.REFUSE
        ? Optional.empty()
        : Optional.of(
            "has %d tokens, a row %d; choose longer rows, or set overlong(Overlong.CUT) or overlong(Overlong.SPLIT)"
                .formatted(length, rowLength));
  }

  /** Returns the options as text: part of fingerprints, so the same in every locale. */
  @Override
  public String toString() {
    return "TokenPacking(rowLength=%s, strategy=%s%s, shuffle=%s%s, seed=%s)"
        .formatted(
            rowLength,
            strategy,
            strategy == Strategy.CONCATENATE ? "" : ", buffer=" + buffer + ", overlong=" + overlong,
            shuffle,
            packings == 1 ? "" : ", packings=" + packings,
            seed);
  }

  /** The options of a packing. Not thread-safe. */
  public static final class Builder {
    private static final int DEFAULT_BUFFER = 1000;

    private final int rowLength;
    private Strategy strategy = Strategy.BEST_FIT_DECREASING;
    private OptionalInt buffer = OptionalInt.empty();
    private Optional<Overlong> overlong = Optional.empty();
    private boolean shuffle = true;
    private int packings = 1;
    private long seed;

    private Builder(int rowLength) {
      if (rowLength < 1 || rowLength > MAX_ROW_LENGTH) {
        throw new IllegalArgumentException(
            "rowLength must be from 1 to %d, was %d".formatted(MAX_ROW_LENGTH, rowLength));
      }
      this.rowLength = rowLength;
    }

    /** Sets the rule that chooses a sequence's row. Default {@code BEST_FIT_DECREASING}. */
    public Builder strategy(Strategy strategy) {
      this.strategy = Objects.requireNonNull(strategy, "strategy");
      return this;
    }

    /**
     * Sets how many sequences are packed together. A larger buffer leaves less padding; for a
     * stream the buffer is held in memory, and made again when a loader is resumed. Default 1000.
     * Must not be set for a concatenation, which has no buffer.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder buffer(int sequences) {
      if (sequences < 1) {
        throw new IllegalArgumentException("buffer must be 1 or more, was " + sequences);
      }
      this.buffer = OptionalInt.of(sequences);
      return this;
    }

    /**
     * Sets the treatment of a sequence that is longer than a row. Default {@link Overlong#REFUSE}.
     * Must not be set for a concatenation, which always splits such a sequence.
     */
    public Builder overlong(Overlong overlong) {
      this.overlong = Optional.of(overlong);
      return this;
    }

    /**
     * Sets whether the sequences of a dataset are packed in random order. For a stream, sets
     * whether the rows of a buffer come in random order; if false, a decreasing strategy gives the
     * rows with the longest sequences first. Default true. See {@link #seed}.
     */
    public Builder shuffle(boolean shuffle) {
      this.shuffle = shuffle;
      return this;
    }

    /**
     * Sets how many packings a {@link PackedDataset} has, each in its own random order: with a
     * packing for each epoch, {@link PackedDataset#sampler} combines different sequences in each
     * epoch. Default 1: all epochs have the same rows, in different orders.
     *
     * @throws IllegalArgumentException if below 1
     */
    public Builder packings(int packings) {
      if (packings < 1) {
        throw new IllegalArgumentException("packings must be 1 or more, was " + packings);
      }
      this.packings = packings;
      return this;
    }

    /** Sets the seed of {@link #shuffle}; equal seeds give equal packings. Default 0. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * Builds the packing.
     *
     * @throws IllegalArgumentException if {@link #buffer} or {@link #overlong} is set for a
     *     concatenation, or there are several packings without shuffling, which would be equal
     */
    public TokenPacking build() {
      if (strategy == Strategy.CONCATENATE && buffer.isPresent()) {
        throw new IllegalArgumentException(
            "buffer(%d) does not go with strategy(CONCATENATE), which needs none"
                .formatted(buffer.getAsInt()));
      }
      if (strategy == Strategy.CONCATENATE && overlong.isPresent()) {
        throw new IllegalArgumentException(
            "overlong(%s) does not go with strategy(CONCATENATE), which splits sequences"
                .formatted(overlong.get()));
      }
      if (packings > 1 && !shuffle) {
        throw new IllegalArgumentException(
            "packings(%d) does not go with shuffle(false), under which they are equal"
                .formatted(packings));
      }
      return new TokenPacking(this);
    }
  }

  /**
   * A row of packed tokens: pieces of sequences, one after the other, {@link #rowLength} tokens at
   * most. A {@link PackingCollator} pads it to that length.
   *
   * <p>Immutable and thread-safe.
   */
  public static final class PackedRow {

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
     * Returns the lengths of the pieces, each 1 or more, with the sum {@link #size}; not a copy,
     * and not to be changed.
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
}
