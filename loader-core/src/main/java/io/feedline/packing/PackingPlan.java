package io.feedline.packing;

import io.feedline.sampler.Sampler.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The assignment of sequences' pieces to rows, in primitive arrays. Immutable and thread-safe. */
abstract class PackingPlan {

  final TokenPacking packing;
  final int[] lengths;

  private PackingPlan(TokenPacking packing, int[] lengths) {
    this.packing = packing;
    this.lengths = lengths;
  }

  /** Returns a plan. The lengths must be valid for this packing; they are not copied. */
  static PackingPlan of(TokenPacking packing, int[] lengths, Order order) {
    return packing.strategy() == TokenPacking.Strategy.CONCATENATE
        ? new Concatenation(packing, lengths, order)
        : new Bins(packing, lengths, order);
  }

  record Piece(int sequence, int from, int length) {}

  abstract int rows();

  abstract List<Piece> pieces(int row);

  private static final class Bins extends PackingPlan {
    private final int[] sequences;

    /** The number of each piece in its sequence; null if all pieces are first pieces. */
    private final int @Nullable [] parts;

    private final int[] starts;

    Bins(TokenPacking packing, int[] lengths, Order order) {
      super(packing, lengths);
      IntList filled = new IntList();
      IntList filledParts = new IntList();
      IntList rowStarts = new IntList();
      rowStarts.add(0);
      Buffer buffer = new Buffer(packing);
      for (long position = 0; position < order.size(); position++) {
        int sequence = (int) order.indexAt(position);
        buffer.add(sequence, lengths[sequence]);
        if ((position + 1) % packing.buffer() == 0 || position + 1 == order.size()) {
          buffer.pack(filled, filledParts, rowStarts);
        }
      }
      this.sequences = filled.toArray();
      this.parts = filledParts.size() == 0 ? null : filledParts.toArray();
      this.starts = rowStarts.toArray();
    }

    private static final class Buffer {
      private final TokenPacking packing;
      private final BinPacker packer;
      private final IntList sequences = new IntList();
      private final IntList parts = new IntList();
      private final IntList lengths = new IntList();
      private int[] rowOf = new int[0];
      private int[] byRow = new int[0];

      Buffer(TokenPacking packing) {
        this.packing = packing;
        this.packer = BinPacker.of(packing.strategy(), packing.rowLength());
      }

      void add(int sequence, int length) {
        int pieces = packing.pieces(length);
        for (int piece = 0; piece < pieces; piece++) {
          sequences.add(sequence);
          parts.add(piece);
          lengths.add(packing.pieceLength(length, piece));
        }
      }

      void pack(IntList filled, IntList filledParts, IntList rowStarts) {
        int count = sequences.size();
        if (rowOf.length < count) {
          rowOf = new int[count];
          byRow = new int[count];
        }
        int rows = packer.pack(lengths.array(), count, rowOf);
        int[] ends = sortByRow(count, rows);
        int base = filled.size();
        for (int i = 0; i < count; i++) {
          filled.add(sequences.get(byRow[i]));
          if (packing.overlong() == TokenPacking.Overlong.SPLIT) {
            filledParts.add(parts.get(byRow[i]));
          }
        }
        for (int end : ends) {
          rowStarts.add(base + end);
        }
        sequences.clear();
        parts.clear();
        lengths.clear();
      }

      /** Sorts the pieces by their row; returns the end of each row in the sorted pieces. */
      private int[] sortByRow(int count, int rows) {
        int[] ends = new int[rows];
        for (int i = 0; i < count; i++) {
          ends[rowOf[i]]++;
        }
        int start = 0;
        for (int row = 0; row < rows; row++) {
          int pieces = ends[row];
          ends[row] = start;
          start += pieces;
        }
        for (int i = 0; i < count; i++) {
          byRow[ends[rowOf[i]]++] = i;
        }
        return ends;
      }
    }

    @Override
    int rows() {
      return starts.length - 1;
    }

    @Override
    List<Piece> pieces(int row) {
      List<Piece> pieces = new ArrayList<>();
      for (int i = starts[row]; i < starts[row + 1]; i++) {
        int part = parts == null ? 0 : parts[i];
        pieces.add(
            new Piece(
                sequences[i],
                part * packing.rowLength(),
                packing.pieceLength(lengths[sequences[i]], part)));
      }
      return pieces;
    }
  }

  /** Rows that are cut from all sequences, one after the other. */
  private static final class Concatenation extends PackingPlan {
    private final int[] sequences;

    /** For each row, the place of its first sequence in {@code sequences}. */
    private final int[] firsts;

    /** For each row, the number of tokens of its first sequence that are in earlier rows. */
    private final int[] offsets;

    Concatenation(TokenPacking packing, int[] lengths, Order order) {
      super(packing, lengths);
      int[] kept = new int[lengths.length];
      IntList rowFirsts = new IntList();
      IntList rowOffsets = new IntList();
      int count = 0;
      // The start of the next row, relative to the start of the next sequence.
      long next = 0;
      for (long position = 0; position < order.size(); position++) {
        int sequence = (int) order.indexAt(position);
        if (lengths[sequence] == 0) {
          continue;
        }
        for (; next < lengths[sequence]; next += packing.rowLength()) {
          rowFirsts.add(count);
          rowOffsets.add((int) next);
        }
        next -= lengths[sequence];
        kept[count++] = sequence;
      }
      this.sequences = Arrays.copyOf(kept, count);
      this.firsts = rowFirsts.toArray();
      this.offsets = rowOffsets.toArray();
    }

    @Override
    int rows() {
      return firsts.length;
    }

    @Override
    List<Piece> pieces(int row) {
      List<Piece> pieces = new ArrayList<>();
      int room = packing.rowLength();
      int from = offsets[row];
      for (int i = firsts[row]; room > 0 && i < sequences.length; i++) {
        int length = Math.min(room, lengths[sequences[i]] - from);
        pieces.add(new Piece(sequences[i], from, length));
        room -= length;
        from = 0;
      }
      return pieces;
    }
  }
}
