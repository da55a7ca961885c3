package io.feedline.formats.text;

import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.internal.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The index of a {@link MegatronDataset}, whose Javadoc has the layout. Counts are checked against
 * the length of the file before memory is taken for them.
 *
 * @param type the type of the ids
 * @param lengths the lengths of the sequences, in tokens
 * @param offsets the offsets of the sequences, in bytes
 * @param documents the first sequence of each document, then the number of sequences
 */
record MegatronIndex(
    Path path, TokenFile.Type type, int[] lengths, long[] offsets, long[] documents) {

  private static final byte[] MAGIC = "MMIDIDX\0\0".getBytes(StandardCharsets.ISO_8859_1);
  private static final int HEADER_BYTES = 34;
  private static final int MOST = Integer.MAX_VALUE - 8;
  private static final int BLOCK_BYTES = 1 << 16;

  static MegatronIndex read(Path path) throws IOException {
    try (OpenFile file = OpenFile.of(path)) {
      long length = file.length();
      if (length < HEADER_BYTES) {
        throw damaged(path, "it has %d bytes, its header takes %d".formatted(length, HEADER_BYTES));
      }
      ByteBuffer header = bytes(file, 0, HEADER_BYTES);
      byte[] magic = new byte[MAGIC.length];
      header.get(magic);
      if (!Arrays.equals(magic, MAGIC)) {
        throw new IOException(
            path + " is not an index of Megatron's: it does not begin with MMIDIDX");
      }
      long version = header.getLong();
      if (version != 1) {
        throw new IOException(
            "%s is an index of version %d, 1 is supported".formatted(path, version));
      }
      TokenFile.Type type = type(header.get(), path);
      long sequences = header.getLong();
      long documents = header.getLong();
      // With these limits the following sum cannot overflow.
      boolean few = sequences >= 0 && sequences <= MOST && documents >= 0 && documents <= MOST;
      long end = few ? HEADER_BYTES + 12 * sequences + 8 * documents : 0;
      if (length != end && length != end + sequences) {
        throw damaged(
            path,
            "it has %d bytes, which %d sequences and %d documents do not take"
                .formatted(length, sequences, documents));
      }
      return new MegatronIndex(
          path,
          type,
          ints(file, HEADER_BYTES, (int) sequences),
          longs(file, HEADER_BYTES + 4 * sequences, (int) sequences),
          longs(file, HEADER_BYTES + 12 * sequences, (int) documents));
    }
  }

  private static TokenFile.Type type(int code, Path path) throws IOException {
    for (TokenFile.Type type : TokenFile.Type.values()) {
      if (type.megatronCode() == code && code != 0) {
        return type;
      }
    }
    throw new IOException(
        "%s: the type of its tokens is %s; integers are supported"
            .formatted(
                path, code == 6 ? "float64" : code == 7 ? "float32" : "unknown, code " + code));
  }

  private static int[] ints(OpenFile file, long offset, int count) throws IOException {
    int[] values = new int[count];
    int block = BLOCK_BYTES / Integer.BYTES;
    for (int from = 0; from < count; from += block) {
      int part = Math.min(block, count - from);
      bytes(file, offset + 4L * from, 4 * part).asIntBuffer().get(values, from, part);
    }
    return values;
  }

  private static long[] longs(OpenFile file, long offset, int count) throws IOException {
    long[] values = new long[count];
    int block = BLOCK_BYTES / Long.BYTES;
    for (int from = 0; from < count; from += block) {
      int part = Math.min(block, count - from);
      bytes(file, offset + 8L * from, 8 * part).asLongBuffer().get(values, from, part);
    }
    return values;
  }

  private static ByteBuffer bytes(OpenFile file, long offset, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    file.read(offset, bytes);
    return bytes.flip();
  }

  /** Checks that all sequences lie in the file of tokens, and that the documents are in order. */
  void check(long bytes, Path tokens) throws IOException {
    for (int i = 0; i < lengths.length; i++) {
      long size = (long) lengths[i] * type.bytes();
      boolean inside = lengths[i] >= 0 && offsets[i] >= 0 && offsets[i] <= bytes - size;
      if (!inside || size > MOST) {
        throw damaged(
            path,
            "sequence %d has %d tokens of %s at byte offset %d, but %s has %d bytes"
                .formatted(i, lengths[i], type, offsets[i], tokens, bytes));
      }
    }
    long before = 0;
    for (int i = 0; i < documents.length; i++) {
      if (documents[i] < before || documents[i] > lengths.length) {
        throw damaged(
            path,
            "document %d begins with sequence %d, of %d; the one before with %d"
                .formatted(i, documents[i], lengths.length, before));
      }
      before = documents[i];
    }
  }

  private static IOException damaged(Path path, String how) {
    return new IOException("%s is damaged: %s".formatted(path, how));
  }

  /** Returns a digest of the sequences' type and lengths, for the fingerprint of the dataset. */
  @Override
  public String toString() {
    Digest digest = new Digest();
    for (int length : lengths) {
      digest.add(length);
    }
    return type + ":" + digest;
  }
}
