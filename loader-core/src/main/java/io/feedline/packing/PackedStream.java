package io.feedline.packing;

import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.packing.SequenceReader.SequenceException;
import io.feedline.packing.TokenPacking.PackedRow;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The rows of one shard, made in portions: some sequences are read, then their rows are returned. A
 * sequence that fails takes the place of a row before the rows of its portion.
 *
 * <p>A {@link #mark}, the place of the next row, contains the beginning of its portion, and the
 * number of the portion's rows that were returned. To go there, the stream makes the portion again.
 */
abstract class PackedStream implements SampleStream<PackedRow> {

  /**
   * The length of a mark without the mark of {@code sequences} at its end. Its numbers count the
   * sequences before the portion, the tokens of the next sequence before it, and the rows returned.
   */
  private static final int OWN_NUMBERS = 3;

  final SequenceReader sequences;
  final TokenPacking packing;

  private final Deque<PackedRow> rows = new ArrayDeque<>();

  private final Deque<SequenceException> failures = new ArrayDeque<>();

  /** The number of rows and failures of the portion that were returned. */
  private long given;

  private Place begin;

  /** True if a portion was begun, and an interrupt ended the reading of its sequences. */
  private boolean unfinished;

  PackedStream(SequenceReader sequences, TokenPacking packing) {
    this.sequences = sequences;
    this.packing = packing;
  }

  /**
   * The start of a portion.
   *
   * @param read the number of sequences before the portion
   * @param offset the number of tokens of the next sequence before the portion
   * @param mark the mark of the next sequence; empty if unknown
   */
  record Place(long read, int offset, List<Long> mark) {}

  abstract Place place();

  abstract void goTo(Place place) throws Exception;

  /** Reads a portion; after an interrupt continues with the same portion. */
  abstract void fill(Deque<PackedRow> into, Deque<SequenceException> failed)
      throws InterruptedException;

  @Override
  public final PendingSample<PackedRow> next() throws SequenceException, InterruptedException {
    if (!beginPortion()) {
      return null;
    }
    given++;
    if (!failures.isEmpty()) {
      throw failures.remove();
    }
    return PendingSample.of(rows.remove());
  }

  /** Makes the next portion if all rows were returned; returns false at the end of the shard. */
  private boolean beginPortion() throws InterruptedException {
    if (isUsedUp()) {
      if (!unfinished) {
        begin = place();
        given = 0;
        unfinished = true;
      }
      fill(rows, failures);
      unfinished = false;
    }
    return !isUsedUp();
  }

  private boolean isUsedUp() {
    return rows.isEmpty() && failures.isEmpty();
  }

  @Override
  public final List<Long> mark() {
    boolean between = isUsedUp() && !unfinished;
    Place at = between ? place() : begin;
    if (at.mark().isEmpty()) {
      return List.of();
    }
    List<Long> mark = new ArrayList<>();
    mark.add(at.read());
    mark.add((long) at.offset());
    mark.add(between ? 0 : given);
    mark.addAll(at.mark());
    return mark;
  }

  @Override
  public final void goTo(long samples, List<Long> mark) throws Exception {
    if (mark.size() <= OWN_NUMBERS
        || mark.get(1) > Integer.MAX_VALUE
        || mark.stream().anyMatch(number -> number < 0)) {
      throw new IOException(mark + " is not a position in a stream of packed rows");
    }
    goTo(new Place(mark.get(0), mark.get(1).intValue(), mark.subList(OWN_NUMBERS, mark.size())));
    for (long left = mark.get(2); left > 0; left--) {
      // All rows to skip belong to the portion that begins at the place.
      if ((left < mark.get(2) && isUsedUp()) || !beginPortion()) {
        throw new IOException(
            "the shard has fewer rows behind sequence %d than before: it has been changed"
                .formatted(mark.get(0)));
      }
      given++;
      if (failures.poll() == null) {
        rows.remove();
      }
    }
  }

  @Override
  public final void close() throws IOException {
    rows.clear();
    failures.clear();
    sequences.close();
  }
}
