package io.feedline.packing;

import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.packing.SequenceReader.SequenceException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The rows of one shard, made in portions: some sequences are read, then their rows are given. A
 * sequence that fails takes the place of a row before the rows of its portion.
 *
 * <p>A mark is the beginning of a portion, and how many of its rows have been given: going there
 * makes the portion once more.
 */
abstract class PackedStream implements SampleStream<PackedRow> {

  /** Sequences before the portion, used tokens of the last of these sequences, rows given. */
  private static final int OWN_NUMBERS = 3;

  final SequenceReader sequences;
  final TokenPacking packing;

  private final Deque<PackedRow> rows = new ArrayDeque<>();

  private final Deque<SequenceException> failures = new ArrayDeque<>();

  /** Rows and failures of the portion. */
  private long given;

  private Place begin;

  /** True if a portion has begun and an interrupt has kept it from being read. */
  private boolean unfinished;

  PackedStream(SequenceReader sequences, TokenPacking packing) {
    this.sequences = sequences;
    this.packing = packing;
  }

  /**
   * The start of a portion.
   *
   * @param read how many sequences come before it
   * @param offset how many tokens of the next sequence come before it
   * @param mark where that sequence lies; empty: not known
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

  /** False at the end. */
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
      // The place lies within its portion, or behind no row of it.
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
