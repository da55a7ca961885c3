package io.feedline.formats.hdf5;

import io.feedline.formats.store.internal.files.PartCache;
import java.io.IOException;
import java.nio.ByteBuffer;

final class ChunkedRows implements Rows {

  private final Chunks chunks;
  private final PartCache<byte[]> cache;
  private final byte[] fill;

  /** The lengths of the array's axes; the first axis counts rows. */
  private final long[] lengths;

  private final int[] chunkLengths;

  /** The number of chunks along each axis; unused for the first axis. */
  private final long[] counts;

  private final long chunksPerRow;
  private final int[] rowSteps;

  private final int[] partSteps;
  private final int sliceBytes;

  private final boolean chunkIsRows;

  /** The last axis along which a chunk and the array differ in length; 0 if none. */
  private final int runAxis;

  ChunkedRows(
      Chunks chunks, PartCache<byte[]> cache, byte[] fill, long[] lengths, int[] chunkLengths) {
    this.chunks = chunks;
    this.cache = cache;
    this.fill = fill;
    this.lengths = lengths.clone();
    this.chunkLengths = chunkLengths.clone();
    this.counts = new long[lengths.length];
    this.rowSteps = new int[lengths.length];
    this.partSteps = new int[lengths.length];
    int rowStep = fill.length;
    int partStep = fill.length;
    for (int i = lengths.length - 1; i >= 1; i--) {
      rowSteps[i] = rowStep;
      partSteps[i] = partStep;
      rowStep *= (int) lengths[i];
      partStep *= chunkLengths[i];
    }
    long perRow = 1;
    int axis = 0;
    for (int i = 1; i < lengths.length; i++) {
      counts[i] = count(lengths[i], chunkLengths[i]);
      perRow = Math.multiplyExact(perRow, counts[i]);
      axis = lengths[i] == chunkLengths[i] ? axis : i;
    }
    this.chunksPerRow = perRow;
    this.runAxis = axis;
    this.chunkIsRows = axis == 0;
    this.sliceBytes = chunks.chunkBytes() / chunkLengths[0];
  }

  static long count(long length, long chunkLength) {
    return (length + chunkLength - 1) / chunkLength;
  }

  @Override
  public void read(long row, ByteBuffer target) throws IOException {
    long first = row / chunkLengths[0] * chunksPerRow;
    int within = (int) (row % chunkLengths[0]);
    if (chunkIsRows) {
      readWhole(chunks.find(first), within, target);
      return;
    }
    ByteBuffer whole = target.slice();
    target.position(target.limit());
    long[] place = new long[lengths.length];
    for (long i = 0; i < chunksPerRow; i++) {
      ByteBuffer part = part(chunks.find(first + i), within);
      copy(part.array(), part.arrayOffset() + part.position(), whole, 0, place, 1);
      advance(place);
    }
  }

  private void readWhole(int chunk, int within, ByteBuffer target) throws IOException {
    if (chunk < 0) {
      Rows.fill(target, fill);
    } else if (chunks.isPlain(chunk)) {
      chunks.readPlain(chunk, (long) within * sliceBytes, target);
    } else if (chunkLengths[0] == 1) {
      chunks.read(chunk, target);
    } else {
      target.put(cached(chunk), within * sliceBytes, sliceBytes);
    }
  }

  private byte[] cached(int chunk) throws IOException {
    return cache.get(
        new PartCache.Key(this, chunk),
        chunks.chunkBytes(),
        () -> {
          byte[] restored = new byte[chunks.chunkBytes()];
          chunks.read(chunk, restored);
          return restored;
        });
  }

  /** Returns the bytes of a row that a chunk contains; the next call may overwrite them. */
  private ByteBuffer part(int chunk, int within) throws IOException {
    if (chunk >= 0 && chunkLengths[0] > 1 && !chunks.isPlain(chunk)) {
      return ByteBuffer.wrap(cached(chunk), within * sliceBytes, sliceBytes);
    }
    byte[] part = Scratch.ofThread().buffer(Scratch.Use.CHUNK, sliceBytes);
    ByteBuffer target = ByteBuffer.wrap(part, 0, sliceBytes);
    readWhole(chunk, within, target);
    return target.flip();
  }

  /**
   * Copies elements of a chunk into a row, along {@code axis} and all later axes. The earlier axes
   * determine the byte offsets {@code from} in the chunk and {@code to} in the row.
   */
  private void copy(byte[] part, int from, ByteBuffer row, int to, long[] place, int axis) {
    long start = place[axis] * chunkLengths[axis];
    int extent = (int) Math.min(chunkLengths[axis], lengths[axis] - start);
    int target = to + (int) start * rowSteps[axis];
    if (axis == runAxis) {
      row.put(target, part, from, extent * rowSteps[axis]);
      return;
    }
    for (int i = 0; i < extent; i++) {
      copy(part, from + i * partSteps[axis], row, target + i * rowSteps[axis], place, axis + 1);
    }
  }

  private void advance(long[] place) {
    for (int i = place.length - 1; i >= 1; i--) {
      place[i]++;
      if (place[i] < counts[i]) {
        return;
      }
      place[i] = 0;
    }
  }
}
