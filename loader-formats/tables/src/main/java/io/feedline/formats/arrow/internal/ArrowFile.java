package io.feedline.formats.arrow.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a file and the headers of its record batches. Message bodies are not read. In a
 * stream each message begins where the message before it ends; a file has a footer with the
 * positions.
 *
 * <pre>
 * stream   message ... end of stream, or of the file
 * file     ARROW1 0 0, a stream, footer, its length (4 bytes), ARROW1
 * message  FF FF FF FF, length of the header (4 bytes), header, body
 * </pre>
 */
final class ArrowFile {

  /** The number of bytes that are read first for a header; most headers are shorter. */
  private static final int HEADER_BYTES = 1 << 12;

  private static final int MAX_HEADER_BYTES = 1 << 28;
  private static final int PREFIX_BYTES = 8;
  private static final int CONTINUATION = -1;
  private static final String MAGIC = "ARROW1";

  private final OpenFiles files;
  private final Path file;
  private final long length;
  private final CRC32C checksum = new CRC32C();
  private final List<Batch> batches = new ArrayList<>();
  private final List<Long> dictionaries = new ArrayList<>();
  private ArrowSchema schema;

  /** A record batch: the position of its message, its header, and the place of its body. */
  record Batch(long at, RecordBatch header, long body, long bodyBytes) {}

  /** A message: its header, parsed and as bytes, and the position of its body in the file. */
  private record Found(Message header, long body, byte[] bytes) {}

  @FunctionalInterface
  interface Parsing<T> {
    T parse() throws IOException;
  }

  private ArrowFile(OpenFiles files, Path file, long length) {
    this.files = files;
    this.file = file;
    this.length = length;
  }

  /** Reads the headers of a file; fails if the file is damaged, cut off or not supported. */
  static ArrowFile read(OpenFiles files, Path path) throws IOException {
    ArrowFile file = new ArrowFile(files, path, files.size(path));
    byte[] first = file.bytes(0, (int) Math.min(PREFIX_BYTES, file.length));
    String text = new String(first, US_ASCII);
    if (text.startsWith("FEA1")) {
      throw FormatException.in(
          path,
          "this is Feather of version 1; write it again by pyarrow.feather.write_feather(table,"
              + " path, compression='uncompressed')");
    }
    if (text.startsWith(MAGIC)) {
      file.readFooter();
    } else if (first.length == PREFIX_BYTES && little(first).getInt(0) == CONTINUATION) {
      file.readStream();
    } else if (isStreamBefore015(first, file.length)) {
      throw FormatException.in(
          path,
          "this is a stream of Arrow before 0.15, which is not read; write it again with a newer pyarrow: pa.ipc.open_stream(path).read_all(), then pa.ipc.new_stream");
    } else {
      throw FormatException.in(
          path,
          "this is not an Arrow IPC file: its %d bytes begin neither with ARROW1 nor with FF FF FF FF, as streams of Arrow 0.15 and newer do"
              .formatted(file.length));
    }
    return file;
  }

  /** Returns whether a file is a stream of Arrow before 0.15, without FF FF FF FF in front. */
  private static boolean isStreamBefore015(byte[] first, long length) {
    if (first.length < PREFIX_BYTES) {
      return false;
    }
    int header = little(first).getInt(0);
    int root = little(first).getInt(4);
    return header > 0 && header <= length - 4 && header % 4 == 0 && root >= 4 && root < header;
  }

  private byte[] bytes(long at, int count) throws IOException {
    byte[] bytes = new byte[count];
    files.read(file, at, bytes, 0, count);
    return bytes;
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Runs a parser of flatbuffers, which are not verified: any exception means a damaged file. */
  <T> T at(String place, Parsing<T> parsing) throws IOException {
    try {
      return parsing.parse();
    } catch (FormatException problem) {
      throw problem.at(file + ", " + place);
    } catch (RuntimeException | AssertionError damaged) {
      throw FormatException.in(file, place + " is damaged: " + damaged, damaged);
    }
  }

  private void readStream() throws IOException {
    long at = 0;
    while (at < length) {
      long start = at;
      long next = at("message at offset " + start, () -> addMessage(start));
      if (next < 0) {
        break;
      }
      at = next;
    }
    if (schema == null) {
      throw FormatException.in(file, "there is no schema");
    }
  }

  /** Adds the message at a position; returns the position after it, or -1 at the stream's end. */
  private long addMessage(long at) throws IOException {
    Found found = message(at, length);
    if (found == null) {
      return -1;
    }
    checksum.update(found.bytes());
    Message message = found.header();
    long end = found.body() + bodyBytes(message, found.body(), length);
    switch (message.headerType()) {
      case MessageHeader.Schema -> {
        if (schema != null) {
          throw new FormatException("a second schema");
        }
        schema = new ArrowSchema(file, (Schema) message.header(new Schema()), message.version());
      }
      case MessageHeader.RecordBatch -> addBatch(at, found);
      case MessageHeader.DictionaryBatch -> dictionaries.add(at);
      default ->
          throw new FormatException(
              "a message of type %d; expected a schema, record batches and dictionaries"
                  .formatted(message.headerType()));
    }
    return end;
  }

  private static long bodyBytes(Message message, long body, long end) throws FormatException {
    long bytes = message.bodyLength();
    if (bytes < 0 || bytes > end - body) {
      throw new FormatException(
          "its body has %d bytes at offset %d, but the messages end at %d: the file is cut off, or damaged"
              .formatted(bytes, body, end));
    }
    return bytes;
  }

  private void addBatch(long at, Found found) throws IOException {
    if (schema == null) {
      throw new FormatException("a record batch in front of the schema");
    }
    Message message = found.header();
    requireVersion(message);
    RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
    batches.add(new Batch(at, checked(batch), found.body(), message.bodyLength()));
  }

  /** Checks that a message has the schema's version, on which the number of buffers depends. */
  private void requireVersion(Message message) throws FormatException {
    if (message.version() != schema.version()) {
      throw new FormatException(
          "its metadata is of version %d, that of the messages before it of version %d"
              .formatted(message.version() + 1, schema.version() + 1));
    }
  }

  private static RecordBatch checked(RecordBatch batch) throws FormatException {
    if (batch.length() < 0 || batch.length() >= Integer.MAX_VALUE) {
      throw new FormatException("the record batch has %d rows".formatted(batch.length()));
    }
    return batch;
  }

  /** Reads the header of the message at {@code at}; returns null at the end of the stream. */
  private @Nullable Found message(long at, long end) throws IOException {
    if (at < 0 || at > end - PREFIX_BYTES) {
      throw new FormatException(
          "%d bytes are left for a message: the file is cut off, or damaged".formatted(end - at));
    }
    byte[] window = bytes(at, (int) Math.min(HEADER_BYTES, end - at));
    int mark = little(window).getInt(0);
    int size = little(window).getInt(4);
    if (mark != CONTINUATION) {
      throw new FormatException("it begins with %08x, expected ffffffff".formatted(mark));
    }
    if (size == 0) {
      return null;
    }
    if (size < 0 || size > Math.min(MAX_HEADER_BYTES, end - at - PREFIX_BYTES)) {
      throw new FormatException(
          "its header has %d bytes, but the messages end at %d: the file is cut off, or damaged"
              .formatted(Integer.toUnsignedLong(size), end));
    }
    byte[] header = new byte[size];
    int here = Math.min(size, window.length - PREFIX_BYTES);
    System.arraycopy(window, PREFIX_BYTES, header, 0, here);
    files.read(file, at + PREFIX_BYTES + here, header, here, size - here);
    return new Found(Message.getRootAsMessage(little(header)), at + PREFIX_BYTES + size, header);
  }

  private void readFooter() throws IOException {
    int tail = MAGIC.length() + 4;
    int least = PREFIX_BYTES + tail;
    byte[] last = length < least ? new byte[tail] : bytes(length - tail, tail);
    if (!new String(last, 4, MAGIC.length(), US_ASCII).equals(MAGIC)) {
      throw FormatException.in(
          file,
          "this is not a whole Arrow IPC file: its %d bytes do not end with ARROW1"
              .formatted(length));
    }
    int size = little(last).getInt(0);
    long at = length - tail - size;
    at(
        "footer of %d bytes".formatted(Integer.toUnsignedLong(size)),
        () -> {
          if (size <= 0 || size > MAX_HEADER_BYTES || at < PREFIX_BYTES) {
            throw new FormatException("it does not fit a file of %d bytes".formatted(length));
          }
          byte[] bytes = bytes(at, size);
          checksum.update(bytes);
          Footer footer = Footer.getRootAsFooter(little(bytes));
          schema = new ArrowSchema(file, footer.schema(), version(footer, at));
          for (int i = 0; i < footer.dictionariesLength(); i++) {
            dictionaries.add(footer.dictionaries(i).offset());
          }
          for (int i = 0; i < footer.recordBatchesLength(); i++) {
            addBlock(i, footer.recordBatches(i), at);
          }
          return footer;
        });
  }

  /**
   * Returns the version of the first record batch, or the footer's if there are no batches: pyarrow
   * writes its newest version into a footer, even if the messages have another version.
   */
  private short version(Footer footer, long end) throws IOException {
    Found first =
        footer.recordBatchesLength() == 0 ? null : message(footer.recordBatches(0).offset(), end);
    return first == null ? footer.version() : first.header().version();
  }

  private void addBlock(int number, Block block, long end) throws IOException {
    String place = "record batch %d at offset %d".formatted(number, block.offset());
    try {
      Found found = message(block.offset(), end);
      if (found == null || found.header().headerType() != MessageHeader.RecordBatch) {
        throw new FormatException("there is another message");
      }
      checksum.update(found.bytes());
      long bytes = bodyBytes(found.header(), found.body(), end);
      if (found.body() - block.offset() != block.metaDataLength() || bytes != block.bodyLength()) {
        throw new FormatException(
            "a header of %d bytes and a body of %d, by the footer they have %d and %d"
                .formatted(
                    found.body() - block.offset(),
                    bytes,
                    block.metaDataLength(),
                    block.bodyLength()));
      }
      addBatch(block.offset(), found);
    } catch (FormatException problem) {
      throw problem.at(place);
    }
  }

  Path path() {
    return file;
  }

  ArrowSchema schema() {
    return schema;
  }

  /** Returns a checksum of all headers, which contain the sizes and places of all buffers. */
  long checksum() {
    return checksum.getValue();
  }

  long[] rows() {
    return batches.stream().mapToLong(batch -> batch.header().length()).toArray();
  }

  private static void requireNoCompression(RecordBatch batch) throws FormatException {
    BodyCompression compression = batch.compression();
    if (compression != null) {
      byte codec = compression.codec();
      throw new FormatException(
          "the record batch is compressed with %s, which is not read; write it again by pyarrow.feather.write_feather(table, path, compression='uncompressed')"
              .formatted(
                  codec >= 0 && codec < CompressionType.names.length
                      ? CompressionType.name(codec)
                      : "method " + codec));
    }
  }

  List<Batch> batches() {
    return batches;
  }

  /** Returns the batches of a dictionary; fails if a batch replaces an earlier dictionary. */
  List<Batch> dictionary(long id) throws IOException {
    List<Batch> found = new ArrayList<>();
    for (long offset : dictionaries) {
      String place = "dictionary at offset " + offset;
      Batch batch =
          at(
              place,
              () -> {
                Found message = message(offset, length);
                if (message == null
                    || message.header().headerType() != MessageHeader.DictionaryBatch) {
                  throw new FormatException("there is another message");
                }
                requireVersion(message.header());
                long bytes = bodyBytes(message.header(), message.body(), length);
                DictionaryBatch of =
                    (DictionaryBatch) message.header().header(new DictionaryBatch());
                if (of.id() != id) {
                  return null;
                }
                if (!found.isEmpty() && !of.isDelta()) {
                  throw new FormatException(
                      "it replaces an earlier one, which is not read; write the table again with one dictionary, by pyarrow's unify_dictionaries");
                }
                return new Batch(offset, checked(of.data()), message.body(), bytes);
              });
      if (batch != null) {
        found.add(batch);
      }
    }
    if (found.isEmpty()) {
      throw FormatException.in(file, "there is no dictionary of number " + id);
    }
    return found;
  }

  List<ColumnPlace> places(ArrowSchema.Column column) throws IOException {
    List<ColumnPlace> places = new ArrayList<>();
    for (Batch batch : batches) {
      places.add(
          at(
              "record batch %d at offset %d".formatted(places.size(), batch.at()),
              () -> {
                requireNoCompression(batch.header());
                return schema.place(column, batch.header(), batch.body(), batch.bodyBytes());
              }));
    }
    return places;
  }
}
