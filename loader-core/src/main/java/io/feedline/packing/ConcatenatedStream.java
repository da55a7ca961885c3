package io.feedline.packing;

import io.feedline.packing.SequenceReader.SequenceException;
import io.feedline.packing.TokenPacking.PackedRow;
import java.io.IOException;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream that cuts all sequences, one after the other, into rows; makes one row at a time. */
final class ConcatenatedStream extends PackedStream {

  /** The sequence whose tokens come next; null if that sequence has not been read yet. */
  private @Nullable TokenSequence current;

  /** The number of tokens of {@code current} that are already in rows. */
  private int offset;

  /** The mark (place) in the stream of sequences before {@code current} was read. */
  private List<Long> currentMark = List.of();

  private PackedRow.Filler filler;

  ConcatenatedStream(SequenceReader sequences, TokenPacking packing) {
    super(sequences, packing);
    this.filler = new PackedRow.Filler(packing.rowLength());
  }

  @Override
  Place place() {
    return current == null
        ? new Place(sequences.read(), 0, sequences.mark())
        : new Place(sequences.read() - 1, offset, currentMark);
  }

  @Override
  void goTo(Place place) throws Exception {
    sequences.goTo(place.read(), place.mark());
    if (place.offset() > 0) {
      currentMark = place.mark();
      current = sequences.next();
      offset = place.offset();
      if (current == null || current.size() <= offset) {
        throw new IOException(
            "sequence %d of the shard has fewer tokens than before: it has been changed"
                .formatted(place.read()));
      }
    }
  }

  @Override
  void fill(Deque<PackedRow> into, Deque<SequenceException> failures) throws InterruptedException {
    boolean ended = false;
    while (!ended && filler.room() > 0) {
      if (current != null) {
        addTokens();
        continue;
      }
      List<Long> mark = sequences.mark();
      try {
        current = sequences.next();
        offset = 0;
        currentMark = mark;
        ended = current == null;
      } catch (SequenceException e) {
        failures.add(e);
      }
    }
    if (!filler.isEmpty()) {
      into.add(filler.row());
      filler = new PackedRow.Filler(packing.rowLength());
    }
  }

  private void addTokens() {
    int length = Math.min(filler.room(), current.size() - offset);
    if (length > 0) {
      filler.add(current, offset, length);
    }
    offset += length;
    if (offset == current.size()) {
      current = null;
    }
  }
}
