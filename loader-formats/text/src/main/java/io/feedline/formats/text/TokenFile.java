package io.feedline.formats.text;

import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.internal.Counts;
import io.feedline.packing.TokenSequence;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * Sequences of equal length, cut from a file that is one array of token ids, as nanoGPT writes
 * {@code train.bin} and numpy's {@code tofile} writes arrays.
 *
 * <pre>{@code
 * TokenFile tokens = TokenFile.of(Path.of("train.bin"), TokenFile.Type.UINT16, 1024);
 * DataLoader.builder(tokens.map(TokenSequence::ids)).batchSize(16).shuffle(true)
 * }</pre>
 *
 * <p>Ids are little-endian, without a header. Sequence {@code i} begins at token {@code i *
 * stride}; a rest that is shorter than a sequence is left out.
 *
 * <p>The file is read by position, from any file system provider, and not mapped: if a mapped file
 * is cut off while it is read, the JVM fails and not only the sample.
 *
 * <p>Thread-safe. The code that opened the dataset closes it, after the loader; {@code close()} may
 * be called twice, and reading afterwards is an {@link IllegalStateException}.
 */
public final class TokenFile implements ReadAheadDataset<TokenSequence>, Closeable {

  private final OpenFile file;
  private final Type type;
  private final int length;
  private final int stride;
  private final long size;
  private final long tokens;

  private TokenFile(OpenFile file, Type type, int length, int stride) throws IOException {
    this.file = file;
    this.type = type;
    this.length = length;
    this.stride = stride;
    long bytes = file.length();
    if (bytes % type.bytes() != 0) {
      throw new IOException(
          "%s has %d bytes, no multiple of the %d that a token of %s takes: it is cut off, or of another type"
              .formatted(file.path(), bytes, type.bytes(), type));
    }
    this.tokens = bytes / type.bytes();
    this.size = tokens < length ? 0 : (tokens - length) / stride + 1;
  }

  /**
   * Opens a file, cut into consecutive sequences.
   *
   * @param length the length of a sequence in tokens, from 1 to 2<sup>27</sup>
   * @throws IllegalArgumentException if the length is out of its range
   * @throws IOException if the file cannot be opened, or has no whole number of tokens
   */
  public static TokenFile of(Path file, Type type, int length) throws IOException {
    return of(file, type, length, length);
  }

  /**
   * Opens a file, cut into sequences that may overlap or leave tokens out.
   *
   * @param length the length of a sequence in tokens, from 1 to 2<sup>27</sup>
   * @param stride the distance from the first token of a sequence to the first token of the next, 1
   *     or more; with {@code length - 1} the last token of each sequence is the first token of the
   *     next
   * @throws IllegalArgumentException if an argument is out of its range
   * @throws IOException if the file cannot be opened, or has no whole number of tokens
   */
  public static TokenFile of(Path file, Type type, int length, int stride) throws IOException {
    Objects.requireNonNull(type, "type");
    if (length < 1 || length > 1 << 27) {
      throw new IllegalArgumentException("length must be from 1 to 2^27 tokens, was " + length);
    }
    if (stride < 1) {
      throw new IllegalArgumentException("stride must be 1 token or more, was " + stride);
    }
    OpenFile open = OpenFile.of(file);
    try {
      return new TokenFile(open, type, length, stride);
    } catch (IOException | RuntimeException | Error failure) {
      open.close();
      throw failure;
    }
  }

  /** Returns the number of tokens in the file. */
  public long tokens() {
    return tokens;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public TokenSequence get(long index) throws IOException {
    return TokenSequence.of(type.read(file, offset(index), length));
  }

  private long offset(long index) {
    return Objects.checkIndex(index, size) * stride * type.bytes();
  }

  @Override
  public long byteSize(TokenSequence sequence) {
    return (long) sequence.size() * Integer.BYTES;
  }

  @Override
  public Path anyFile() {
    return file.path();
  }

  @Override
  public String describe(long index) {
    return "%s, tokens %d to %d"
        .formatted(file.path(), index * stride, index * stride + length - 1);
  }

  @Override
  public String fingerprint() {
    return String.format(
        Locale.ROOT,
        "tokens:%s:%d:%s:%d:%d",
        file.path().getFileName(),
        tokens,
        type,
        length,
        stride);
  }

  @Override
  public String name() {
    return "TokenFile(%s)".formatted(file.path().getFileName());
  }

  @Override
  public String toString() {
    return "%s, %s of %d %s tokens".formatted(name(), Counts.of(size, "sequence"), length, type);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** The type of token ids in a file, little-endian, named as numpy names it. */
  public enum Type {
    /** Ids below 256: bytes of text. */
    UINT8(1, 1, bytes -> bytes.get() & 0xff),
    /** Signed bytes. */
    INT8(2, 1, ByteBuffer::get),
    /** Ids below 32 768. */
    INT16(3, 2, ByteBuffer::getShort),
    /** Ids below 65 536, as nanoGPT and Megatron write them for GPT-2's vocabulary. */
    UINT16(8, 2, bytes -> bytes.getShort() & 0xffff),
    /** Ids of any vocabulary. */
    INT32(4, 4, ByteBuffer::getInt),
    /** Unsigned numbers; ids above 2<sup>31</sup> - 1 are an error. */
    UINT32(0, 4, bytes -> bytes.getInt() & 0xffffffffL),
    /** Numbers of 64 bits; ids that do not fit into 32 bits are an error. */
    INT64(5, 8, ByteBuffer::getLong);

    private final int megatronCode;
    private final int bytes;

    @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
    private final ToLongFunction<ByteBuffer> next;

    Type(int megatronCode, int bytes, ToLongFunction<ByteBuffer> next) {
      this.megatronCode = megatronCode;
      this.bytes = bytes;
      this.next = next;
    }

    /** Returns the number of bytes of an id. */
    public int bytes() {
      return bytes;
    }

    /** Returns Megatron's number of the type; 0 if Megatron has no such type. */
    int megatronCode() {
      return megatronCode;
    }

    /**
     * Reads ids.
     *
     * @param offset the position of the first byte of the first id
     * @throws IOException if the file ends too early, or an id does not fit into an {@code int}
     */
    int[] read(OpenFile file, long offset, int count) throws IOException {
      ByteBuffer packed =
          ByteBuffer.allocate(Math.multiplyExact(count, bytes)).order(ByteOrder.LITTLE_ENDIAN);
      file.read(offset, packed);
      packed.flip();
      int[] ids = new int[count];
      for (int i = 0; i < count; i++) {
        long id = next.applyAsLong(packed);
        if (id != (int) id) {
          throw new IOException(
              "%s: the token at byte offset %d is %d, which does not fit into 32 bits"
                  .formatted(file.path(), offset + (long) i * bytes, id));
        }
        ids[i] = (int) id;
      }
      return ids;
    }
  }
}
