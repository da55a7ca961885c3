package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * A filter that was applied to a chunk before it was stored, and its inverse (HDF5 File Format
 * Specification, filter pipeline message). Immutable and thread-safe.
 */
sealed interface ChunkFilter {

  record Piece(byte[] bytes, int length) {}

  /** Returns how many bytes longer the filter makes data; 0 for a filter that compresses. */
  default int added() {
    return 0;
  }

  default boolean keepsLength() {
    return true;
  }

  void undo(Piece stored, byte[] target, int length) throws FormatException;

  /**
   * Returns the filter with an identifier; null if it is not supported. {@code H5Zpublic.h} and the
   * HDF Group's registry list the identifiers.
   */
  static @Nullable ChunkFilter of(int id, int[] parameters, int elementBytes) {
    return switch (id) {
      case 1 -> new Deflate();
      case 2 -> new Shuffle(parameters.length > 0 ? parameters[0] : elementBytes);
      case 3 -> new Fletcher32();
      case 32_000 -> new Lzf();
      default -> null;
    };
  }

  record Deflate() implements ChunkFilter {

    @Override
    public boolean keepsLength() {
      return false;
    }

    @Override
    public void undo(Piece stored, byte[] target, int length) throws FormatException {
      Inflater inflater = Scratch.ofThread().inflater();
      inflater.setInput(stored.bytes(), 0, stored.length());
      try {
        int done = 0;
        while (done < length) {
          int step = inflater.inflate(target, done, length - done);
          if (step == 0) {
            throw new FormatException(
                "its %d bytes inflate to %d, where %d are expected"
                    .formatted(stored.length(), done, length));
          }
          done += step;
        }
        if (inflater.inflate(new byte[1]) != 0 || !inflater.finished()) {
          throw new FormatException(
              "its %d bytes do not end where they have inflated to %d"
                  .formatted(stored.length(), length));
        }
      } catch (DataFormatException damaged) {
        throw new FormatException(
            "its %d bytes cannot be inflated: %s".formatted(stored.length(), damaged.getMessage()),
            damaged);
      }
    }
  }

  /** The filter that stores the first bytes of all elements, then their second bytes, and so on. */
  record Shuffle(int elementBytes) implements ChunkFilter {

    @Override
    public void undo(Piece stored, byte[] target, int length) {
      byte[] source = stored.bytes();
      if (elementBytes <= 1) {
        System.arraycopy(source, 0, target, 0, length);
        return;
      }
      int elements = length / elementBytes;
      for (int part = 0; part < elementBytes; part++) {
        int from = part * elements;
        for (int i = 0, to = part; i < elements; i++, to += elementBytes) {
          target[to] = source[from + i];
        }
      }
      int rest = elements * elementBytes;
      System.arraycopy(source, rest, target, rest, length - rest);
    }
  }

  /** The filter that appends a checksum of 4 bytes to the data. */
  record Fletcher32() implements ChunkFilter {

    private static final int CHECKSUM_BYTES = 4;
    private static final int WORDS_WITHOUT_OVERFLOW = 360;

    @Override
    public int added() {
      return CHECKSUM_BYTES;
    }

    @Override
    public void undo(Piece stored, byte[] target, int length) throws FormatException {
      byte[] source = stored.bytes();
      int computed = checksum(source, length);
      int expected =
          (source[length] & 0xff)
              | (source[length + 1] & 0xff) << 8
              | (source[length + 2] & 0xff) << 16
              | source[length + 3] << 24;
      // HDF5 before 1.6.3 swapped the bytes of each half on little-endian machines.
      int swapped = Integer.reverseBytes((expected >>> 16) | (expected << 16));
      if (computed != expected && computed != swapped) {
        throw new FormatException(
            "its checksum is %08x, but that of its data is %08x".formatted(expected, computed));
      }
      System.arraycopy(source, 0, target, 0, length);
    }

    static int checksum(byte[] bytes, int length) {
      long sum1 = 0;
      long sum2 = 0;
      int words = length / 2;
      for (int i = 0; i < words; i++) {
        sum1 += (bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff);
        sum2 += sum1;
        if (i % WORDS_WITHOUT_OVERFLOW == WORDS_WITHOUT_OVERFLOW - 1) {
          sum1 = fold(sum1);
          sum2 = fold(sum2);
        }
      }
      sum1 = fold(sum1);
      sum2 = fold(sum2);
      if (length % 2 == 1) {
        sum1 = fold(sum1 + ((bytes[length - 1] & 0xff) << 8));
        sum2 = fold(sum2 + sum1);
      }
      return (int) (fold(sum2) << 16 | fold(sum1));
    }

    private static long fold(long sum) {
      return (sum & 0xffff) + (sum >>> 16);
    }
  }

  record Lzf() implements ChunkFilter {

    private static final int LITERALS = 32;

    @Override
    public boolean keepsLength() {
      return false;
    }

    @Override
    public void undo(Piece stored, byte[] target, int length) throws FormatException {
      byte[] in = stored.bytes();
      int end = stored.length();
      int from = 0;
      int to = 0;
      while (from < end) {
        int control = in[from++] & 0xff;
        if (control < LITERALS) {
          int run = control + 1;
          require(run <= end - from && run <= length - to, from, to);
          System.arraycopy(in, from, target, to, run);
          from += run;
          to += run;
          continue;
        }
        int run = (control >> 5) + 2;
        if (run == 9) {
          require(from < end, from, to);
          run += in[from++] & 0xff;
        }
        require(from < end, from, to);
        int back = to - ((control & 0x1f) << 8) - (in[from++] & 0xff) - 1;
        require(back >= 0 && run <= length - to, from, to);
        // Each byte is copied alone, since the run may repeat bytes that it has just written.
        for (int i = 0; i < run; i++) {
          target[to++] = target[back++];
        }
      }
      require(to == length, from, to);
    }

    private static void require(boolean right, int from, int to) throws FormatException {
      if (!right) {
        throw new FormatException(
            "its LZF data is damaged, at byte %d, after %d bytes of output".formatted(from, to));
      }
    }
  }
}
