package io.feedline.packing;

import io.feedline.packing.SequenceReader.SequenceException;
import io.feedline.packing.TokenPacking.PackedRow;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A stream that packs sequences buffer by buffer; the rows of a buffer are made at once. */
final class BinStream extends PackedStream {

  private final BinPacker packer;
  private final List<TokenSequence> buffer = new ArrayList<>();
  private final List<SequenceException> failed = new ArrayList<>();

  BinStream(SequenceReader sequences, TokenPacking packing) {
    super(sequences, packing);
    this.packer = BinPacker.of(packing.strategy(), packing.rowLength());
  }

  @Override
  Place place() {
    return new Place(sequences.read(), 0, sequences.mark());
  }

  @Override
  void goTo(Place place) throws Exception {
    sequences.goTo(place.read(), place.mark());
  }

  @Override
  void fill(Deque<PackedRow> into, Deque<SequenceException> failures) throws InterruptedException {
    boolean ended = false;
    while (!ended && into.isEmpty() && failures.isEmpty()) {
      while (!ended && buffer.size() + failed.size() < packing.buffer()) {
        try {
          TokenSequence sequence = sequences.next();
          if (sequence == null) {
            ended = true;
          } else {
            buffer.add(sequence);
          }
        } catch (SequenceException e) {
          failed.add(e);
        }
      }
      failures.addAll(failed);
      addRows(into);
      failed.clear();
      buffer.clear();
    }
  }

  private void addRows(Deque<PackedRow> into) {
    IntList lengths = new IntList();
    for (TokenSequence sequence : buffer) {
      for (int piece = 0; piece < packing.pieces(sequence.size()); piece++) {
        lengths.add(packing.pieceLength(sequence.size(), piece));
      }
    }
    int[] rowOf = new int[lengths.size()];
    PackedRow.Filler[] fillers =
        new PackedRow.Filler[packer.pack(lengths.array(), lengths.size(), rowOf)];
    int next = 0;
    for (TokenSequence sequence : buffer) {
      for (int piece = 0; piece < packing.pieces(sequence.size()); piece++) {
        int row = rowOf[next];
        if (fillers[row] == null) {
          fillers[row] = new PackedRow.Filler(packing.rowLength());
        }
        fillers[row].add(sequence, piece * packing.rowLength(), lengths.get(next++));
      }
    }
    Order order =
        packing.shuffle()
            ? RandomSampler.of(fillers.length, sequences.seed()).order(sequences.read())
            : Order.sequential(fillers.length);
    for (int i = 0; i < fillers.length; i++) {
      into.add(fillers[(int) order.indexAt(i)].row());
    }
  }
}
