package io.feedline.packing;

import io.feedline.batch.DType;
import io.feedline.batch.ListCollator;
import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.Shape;
import io.feedline.internal.Majority;
import io.feedline.packing.TokenPacking.PackedRow;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * A collator of packed rows. A batch of {@code n} rows of {@code l} places has the tensors
 *
 * <table>
 * <caption>INT64, unless {@link Builder#dtype} is set</caption>
 * <tr><th>name</th><th>shape</th><th>at a token</th><th>at padding</th></tr>
 * <tr><td>{@code input_ids}</td><td>(n, l)</td><td>its id</td><td>0, or {@link Builder#padId}</td></tr>
 * <tr><td>{@code position_ids}</td><td>(n, l)</td><td>its position in its document, from 0</td>
 *     <td>0, 1, ...</td></tr>
 * <tr><td>{@code segment_ids}</td><td>(n, l)</td><td>its document, from 1 in each row</td>
 *     <td>0</td></tr>
 * <tr><td>{@code labels}</td><td>(n, l)</td><td>as {@link Labels} says</td>
 *     <td>-100, or {@link Builder#ignoreIndex}</td></tr>
 * </table>
 *
 * <p>and on request
 *
 * <table>
 * <caption>Tensors that keep attention within a document</caption>
 * <tr><th>name</th><th>dtype</th><th>shape</th><th>content</th></tr>
 * <tr><td>{@code cu_seqlens}</td><td>INT32</td><td>(documents + 1)</td><td>the start of each document in the tokens of all rows, and {@code n * l}: the argument of FlashAttention's functions for varying lengths. The padding of a row counts as a document</td></tr>
 * <tr><td>{@code max_seqlen}</td><td>INT32</td><td>(1)</td><td>the length of
 *     the longest document</td></tr>
 * <tr><td>{@code attention_mask}</td><td>BOOL</td><td>(n, l, l)</td><td>whether the token of axis 1
 *     sees the token of axis 2. Padding sees padding, so that no row of a softmax is empty</td></tr>
 * </table>
 *
 * <p>Thread-safe.
 */
public final class PackingCollator implements ListCollator<PackedRow> {

  /** The labels of the tokens. */
  public enum Labels {
    /** No labels. */
    NONE,

    /** The token itself, for models that shift labels themselves, such as Hugging Face's. */
    SAME,

    /** The next token, for a loss that compares position by position. */
    NEXT
  }

  /** The attention mask: for each token, the tokens that it attends to. */
  public enum AttentionMask {
    /** No mask. */
    NONE,

    /** A token attends to all tokens of its document. */
    BLOCK_DIAGONAL,

    /** A token attends to itself and to the tokens before it in its document. */
    BLOCK_DIAGONAL_CAUSAL
  }

  private final DType dtype;
  private final int padId;
  private final int ignoreIndex;
  private final Labels labels;
  private final boolean ignoreBoundaries;
  private final boolean documents;
  private final boolean cuSeqlens;
  private final AttentionMask attentionMask;
  private final LongAdder tokens = new LongAdder();
  private final LongAdder places = new LongAdder();

  private PackingCollator(Builder builder) {
    this.dtype = builder.dtype;
    this.padId = builder.padId;
    this.ignoreIndex = builder.ignoreIndex;
    this.labels = builder.labels;
    this.ignoreBoundaries = builder.ignoreBoundaries;
    this.documents = builder.documents;
    this.cuSeqlens = builder.cuSeqlens;
    this.attentionMask = builder.attentionMask;
  }

  /** Returns the collator with the default options. */
  public static PackingCollator of() {
    return builder().build();
  }

  /** Returns a builder of a collator. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the share of filled places in all rows so far, from 0 to 1; 1 before the first row. For
   * datasets {@link PackedDataset#stats} returns the share in advance.
   */
  public double fillRate() {
    long all = places.sum();
    return all == 0 ? 1 : (double) tokens.sum() / all;
  }

  @Override
  public void collate(List<PackedRow> rows, BatchAssembler batch) throws SampleCollationException {
    int rowLength = rowLength(rows);
    Shape shape = Shape.of(rows.size(), rowLength);
    ByteBuffer ids = batch.tensor("input_ids", dtype, shape);
    ByteBuffer positions = batch.tensor("position_ids", dtype, shape);
    ByteBuffer segments = batch.tensor("segment_ids", dtype, shape);
    for (PackedRow row : rows) {
      int padding = rowLength - row.size();
      put(ids, row.ids());
      fill(ids, padding, padId);
      int segment = 1;
      for (int length : lengths(row)) {
        count(positions, length);
        fill(segments, length, segment++);
      }
      count(positions, padding);
      fill(segments, padding, 0);
      tokens.add(row.size());
    }
    places.add((long) rows.size() * rowLength);
    if (labels != Labels.NONE) {
      ByteBuffer out = batch.tensor("labels", dtype, shape);
      rows.forEach(row -> put(out, labelled(row)));
    }
    if (cuSeqlens) {
      addCuSeqlens(rows, batch);
    }
    if (attentionMask != AttentionMask.NONE) {
      ByteBuffer mask =
          batch.tensor("attention_mask", DType.BOOL, Shape.of(rows.size(), rowLength, rowLength));
      rows.forEach(row -> addMask(row, mask));
    }
  }

  private static int rowLength(List<PackedRow> rows) throws SampleCollationException {
    int usual = Majority.first(rows.stream().map(PackedRow::rowLength).toList());
    int rowLength = rows.get(usual).rowLength();
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).rowLength() != rowLength) {
        throw new SampleCollationException(
            i,
            new IllegalArgumentException(
                "row %d of the batch is packed for %d places, row %d for %d; give all sequences one packing"
                    .formatted(i, rows.get(i).rowLength(), usual, rowLength)));
      }
    }
    return rowLength;
  }

  /** Returns the lengths of a row's documents: its pieces if {@code documents}, else the row. */
  private int[] lengths(PackedRow row) {
    return documents ? row.lengths() : new int[] {row.size()};
  }

  /** Returns the lengths of a row's documents; the padding counts as another document. */
  private int[] lengthsWithPadding(PackedRow row) {
    int[] lengths = lengths(row);
    int padding = row.rowLength() - row.size();
    if (padding == 0) {
      return lengths;
    }
    int[] all = Arrays.copyOf(lengths, lengths.length + 1);
    all[lengths.length] = padding;
    return all;
  }

  private int[] labelled(PackedRow row) {
    int shift = labels == Labels.NEXT ? 1 : 0;
    int[] out = new int[row.rowLength()];
    int kept = row.size() - shift;
    System.arraycopy(row.labels(), shift, out, 0, kept);
    Arrays.fill(out, kept, out.length, ignoreIndex);
    if (ignoreBoundaries) {
      int start = 0;
      for (int length : lengths(row)) {
        // A document's first token has no label: it would have to be predicted from the document
        // before it.
        out[shift == 0 ? start : start + length - 1] = ignoreIndex;
        start += length;
      }
    }
    return out;
  }

  private void addCuSeqlens(List<PackedRow> rows, BatchAssembler batch) {
    IntList ends = new IntList();
    ends.add(0);
    int end = 0;
    int longest = 0;
    for (PackedRow row : rows) {
      for (int length : lengthsWithPadding(row)) {
        end = Math.addExact(end, length);
        ends.add(end);
        longest = Math.max(longest, length);
      }
    }
    batch
        .tensor("cu_seqlens", DType.INT32, Shape.of(ends.size()))
        .asIntBuffer()
        .put(ends.array(), 0, ends.size());
    batch.tensor("max_seqlen", DType.INT32, Shape.of(1)).putInt(longest);
  }

  private void addMask(PackedRow row, ByteBuffer mask) {
    boolean causal = attentionMask == AttentionMask.BLOCK_DIAGONAL_CAUSAL;
    int start = 0;
    for (int length : lengthsWithPadding(row)) {
      for (int i = start; i < start + length; i++) {
        int end = causal ? i + 1 : start + length;
        for (int seen = 0; seen < row.rowLength(); seen++) {
          mask.put((byte) (seen >= start && seen < end ? 1 : 0));
        }
      }
      start += length;
    }
  }

  private void put(ByteBuffer out, int[] numbers) {
    for (int number : numbers) {
      put(out, number);
    }
  }

  private void fill(ByteBuffer out, int count, int number) {
    for (int i = 0; i < count; i++) {
      put(out, number);
    }
  }

  private void count(ByteBuffer out, int count) {
    for (int i = 0; i < count; i++) {
      put(out, i);
    }
  }

  private void put(ByteBuffer out, int number) {
    if (dtype == DType.INT64) {
      out.putLong(number);
    } else {
      out.putInt(number);
    }
  }

  /** The options of a collator. Not thread-safe. */
  public static final class Builder {
    private DType dtype = DType.INT64;
    private int padId;
    private int ignoreIndex = -100;
    private Labels labels = Labels.SAME;
    private boolean ignoreBoundaries = true;
    private boolean documents = true;
    private boolean cuSeqlens;
    private AttentionMask attentionMask = AttentionMask.NONE;

    private Builder() {}

    /**
     * Sets the dtype of ids, positions, segments and labels. Default {@link DType#INT64}.
     *
     * @throws IllegalArgumentException if it is neither INT32 nor INT64
     */
    public Builder dtype(DType dtype) {
      if (dtype != DType.INT32 && dtype != DType.INT64) {
        throw new IllegalArgumentException("dtype must be INT32 or INT64, was " + dtype);
      }
      this.dtype = dtype;
      return this;
    }

    /** Sets the id of padding. Default 0. */
    public Builder padId(int padId) {
      this.padId = padId;
      return this;
    }

    /** Sets the label of places that the loss leaves out. Default -100, as in PyTorch. */
    public Builder ignoreIndex(int ignoreIndex) {
      this.ignoreIndex = ignoreIndex;
      return this;
    }

    /** Sets the kind of labels. Default {@link Labels#SAME}. */
    public Builder labels(Labels labels) {
      this.labels = Objects.requireNonNull(labels, "labels");
      return this;
    }

    /**
     * Sets whether the loss leaves out the first token of each document, since no token before it
     * in its document predicts it. With {@link Labels#SAME}, the label at the token's own place is
     * left out; with {@link Labels#NEXT}, the label at the end of the document before. Default
     * true.
     */
    public Builder ignoreBoundaries(boolean ignoreBoundaries) {
      this.ignoreBoundaries = ignoreBoundaries;
      return this;
    }

    /**
     * Sets whether each piece of a row is a document of its own. If false, a row is one document,
     * as in pre-training on a plain concatenation. Default true.
     */
    public Builder documentBoundaries(boolean documentBoundaries) {
      this.documents = documentBoundaries;
      return this;
    }

    /** Sets whether a batch has {@code cu_seqlens} and {@code max_seqlen}. Default false. */
    public Builder cuSeqlens(boolean cuSeqlens) {
      this.cuSeqlens = cuSeqlens;
      return this;
    }

    /**
     * Sets the kind of {@code attention_mask}. The mask takes the square of a row's length in bytes
     * for each row. Default {@link AttentionMask#NONE}.
     */
    public Builder attentionMask(AttentionMask attentionMask) {
      this.attentionMask = Objects.requireNonNull(attentionMask, "attentionMask");
      return this;
    }

    /** Builds the collator. */
    public PackingCollator build() {
      return new PackingCollator(this);
    }
  }
}
