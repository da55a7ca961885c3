package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
import io.feedline.formats.hdf5.ChunkFilter.Piece;
import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The chunks of an array: 12 bytes of memory each if none is missing. Immutable, thread-safe. */
final class Chunks {

  /** The largest factor by which deflate or LZF can make data smaller. */
  private static final int LARGEST_RATIO = 1032;

  private final OpenFile file;
  private final int chunkBytes;
  private final List<ChunkFilter> filters;

  /** The row-major numbers of the chunks that exist, ascending; null if all chunks exist. */
  private final long @Nullable [] numbers;

  private final long[] addresses;
  private final int[] sizes;

  /** The mask of {@link Found} for each chunk; null if all masks are 0. */
  private final int @Nullable [] masks;

  /** Takes the existing chunks in any order; {@code grid} also counts the missing chunks. */
  Chunks(OpenFile file, int chunkBytes, List<ChunkFilter> filters, long grid, List<Found> found) {
    this.file = file;
    this.chunkBytes = chunkBytes;
    this.filters = List.copyOf(filters);
    List<Found> sorted = new ArrayList<>(found);
    sorted.sort((a, b) -> Long.compare(a.number(), b.number()));
    long[] all = sorted.stream().mapToLong(Found::number).toArray();
    this.numbers = all.length == grid ? null : all;
    this.addresses = sorted.stream().mapToLong(Found::address).toArray();
    this.sizes = sorted.stream().mapToInt(Found::size).toArray();
    int[] left = sorted.stream().mapToInt(Found::mask).toArray();
    this.masks = Arrays.stream(left).allMatch(mask -> mask == 0) ? null : left;
  }

  /**
   * An existing chunk: its row-major number, its place in the file, and its length in bytes. Bit i
   * of {@code mask} is 1 if filter i was not applied.
   */
  record Found(long number, long address, int size, int mask) {}

  int find(long number) {
    return numbers == null ? (int) number : Arrays.binarySearch(numbers, number);
  }

  int chunkBytes() {
    return chunkBytes;
  }

  boolean isPlain(int chunk) {
    return active(chunk).isEmpty();
  }

  private List<ChunkFilter> active(int chunk) {
    return masks == null || masks[chunk] == 0
        ? filters
        : IntStream.range(0, filters.size())
            .filter(i -> (masks[chunk] >>> i & 1) == 0)
            .mapToObj(filters::get)
            .toList();
  }

  void readPlain(int chunk, long offset, ByteBuffer target) throws IOException {
    if (sizes[chunk] != chunkBytes) {
      throw failed(
          chunk, "it has %d bytes, where %d are expected".formatted(sizes[chunk], chunkBytes));
    }
    file.read(addresses[chunk] + offset, target);
  }

  void read(int chunk, byte[] target) throws IOException {
    if (isPlain(chunk)) {
      readPlain(chunk, 0, ByteBuffer.wrap(target, 0, chunkBytes));
      return;
    }
    List<ChunkFilter> active = active(chunk);
    Scratch scratch = Scratch.ofThread();
    Piece piece = stored(chunk, scratch);
    for (int i = active.size() - 1; i >= 0; i--) {
      ChunkFilter filter = active.get(i);
      int length = lengthBefore(active.subList(0, i), piece.length() - filter.added());
      if (filter.keepsLength() && piece.length() != length + filter.added()) {
        throw failed(
            chunk,
            "there are %d bytes before %s, where %d are expected"
                .formatted(piece.length(), filter, length + filter.added()));
      }
      Scratch.Use use = i % 2 == 0 ? Scratch.Use.EVEN : Scratch.Use.ODD;
      byte[] result = i == 0 ? target : scratch.buffer(use, length);
      try {
        filter.undo(piece, result, length);
      } catch (FormatException damaged) {
        throw failed(chunk, damaged.getMessage());
      }
      piece = new Piece(result, length);
    }
  }

  void read(int chunk, ByteBuffer target) throws IOException {
    if (isPlain(chunk)) {
      readPlain(chunk, 0, target);
    } else if (target.hasArray() && target.arrayOffset() + target.position() == 0) {
      read(chunk, target.array());
      target.position(chunkBytes);
    } else {
      byte[] restored = Scratch.ofThread().buffer(Scratch.Use.CHUNK, chunkBytes);
      read(chunk, restored);
      target.put(restored, 0, chunkBytes);
    }
  }

  private Piece stored(int chunk, Scratch scratch) throws IOException {
    int size = sizes[chunk];
    if (size < 0 || (long) size * LARGEST_RATIO + LARGEST_RATIO < chunkBytes) {
      throw failed(
          chunk,
          "%d bytes cannot be a chunk of %d".formatted(Integer.toUnsignedLong(size), chunkBytes));
    }
    if (size > file.length() - addresses[chunk]) {
      throw failed(chunk, "its %d bytes reach beyond the file's %d".formatted(size, file.length()));
    }
    byte[] bytes = scratch.buffer(Scratch.Use.STORED, size);
    file.read(addresses[chunk], bytes, 0, size);
    return new Piece(bytes, size);
  }

  /** Returns a chunk's length after some filters; {@code given} if one of them compresses. */
  private int lengthBefore(List<ChunkFilter> before, int given) {
    int length = chunkBytes;
    for (ChunkFilter filter : before) {
      if (!filter.keepsLength()) {
        return Math.max(0, given);
      }
      length += filter.added();
    }
    return length;
  }

  private FormatException failed(int chunk, String problem) {
    return new FormatException(
        "chunk %d at offset %d: %s"
            .formatted(numbers == null ? chunk : numbers[chunk], addresses[chunk], problem));
  }
}
