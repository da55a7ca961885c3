package io.feedline.formats.text;

import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.internal.Counts;
import io.feedline.packing.TokenSequence;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The sequences of tokens in a {@code .bin} file and its {@code .idx}, as {@code
 * preprocess_data.py} of Megatron-LM writes them; NeMo and GPT-NeoX read such files, too.
 *
 * <p>With {@link #lengths} the sequences are packed without being read first:
 *
 * <pre>{@code
 * MegatronDataset tokens = MegatronDataset.of(Path.of("pile_text_document"));
 * PackedDataset rows = TokenPacking.of(2048).pack(tokens, tokens.lengths());
 * }</pre>
 *
 * <h2>Principle</h2>
 *
 * <p>The index is read when the dataset is opened, and checked against the file of tokens. Each
 * sample reads its bytes of that file, by position.
 *
 * <h2>File layout</h2>
 *
 * <pre>
 * .idx  "MMIDIDX\0\0" | u64 version, 1 | u8 type | u64 sequences | u64 documents + 1
 *       | i32 length of each sequence | i64 byte offset of each | i64 first sequence of each document, and the end
 *       | i8 mode of each sequence, in multimodal files only
 * .bin  the ids of all sequences
 * </pre>
 *
 * All numbers are little-endian, as Megatron's {@code indexed_dataset.py} writes them.
 *
 * <h2>Known limitations</h2>
 *
 * <p>Modes are not returned, and floating-point types are refused. A dataset has 2<sup>31</sup> - 9
 * sequences at most, in 12 bytes of memory each.
 *
 * <p>Thread-safe. The code that opened the dataset closes it, after the loader; {@code close()} may
 * be called twice, and reading afterwards is an {@link IllegalStateException}.
 */
public final class MegatronDataset implements ReadAheadDataset<TokenSequence>, Closeable {

  private final OpenFile file;
  private final MegatronIndex index;
  private final String fingerprint;

  private MegatronDataset(OpenFile file, MegatronIndex index, long bytes) throws IOException {
    this.file = file;
    this.index = index;
    index.check(bytes, file.path());
    this.fingerprint = "megatron:" + file.path().getFileName() + ":" + bytes + ":" + index;
  }

  /**
   * Opens the two files.
   *
   * @param prefix the files' path without {@code .bin} and {@code .idx}; or the path of one of the
   *     files
   * @throws IOException if a file cannot be opened, or the index is damaged or does not belong to
   *     the file of tokens
   */
  public static MegatronDataset of(Path prefix) throws IOException {
    String name = String.valueOf(prefix.getFileName()).replaceFirst("\\.(bin|idx)$", "");
    MegatronIndex index = MegatronIndex.read(prefix.resolveSibling(name + ".idx"));
    OpenFile file = OpenFile.of(prefix.resolveSibling(name + ".bin"));
    try {
      return new MegatronDataset(file, index, file.length());
    } catch (IOException | RuntimeException | Error failure) {
      file.close();
      throw failure;
    }
  }

  @Override
  public long size() {
    return index.lengths().length;
  }

  /** Returns the number of tokens of each sequence, in a new array. */
  public int[] lengths() {
    return index.lengths().clone();
  }

  /**
   * Returns the index of each document's first sequence, then the number of sequences; a new array.
   */
  public long[] documents() {
    return index.documents().clone();
  }

  /** Returns the type of the ids. */
  public TokenFile.Type type() {
    return index.type();
  }

  @Override
  public TokenSequence get(long sequence) throws IOException {
    int i = (int) Objects.checkIndex(sequence, size());
    return TokenSequence.of(index.type().read(file, index.offsets()[i], index.lengths()[i]));
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
  public String describe(long sequence) {
    return "%s, sequence %d".formatted(file.path(), sequence);
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public String name() {
    return "MegatronDataset(%s)".formatted(file.path().getFileName());
  }

  @Override
  public String toString() {
    return "%s, %s of %s tokens".formatted(name(), Counts.of(size(), "sequence"), type());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
