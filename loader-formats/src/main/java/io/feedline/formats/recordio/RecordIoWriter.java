package io.feedline.formats.recordio;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.formats.support.GrowingFile;
import io.feedline.formats.support.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records into a RecordIO file and its index, as MXNet's {@code MXIndexedRecordIO} does. The
 * keys are 0, 1, 2 and so on.
 *
 * <p>Until {@link #commit}, the file is called {@code x.rec.partial} and has no index. A writer
 * that is opened where another one was interrupted goes on behind the last record that is whole:
 * {@link #written} tells how many there are. The format has no checksums, so only a record that is
 * cut off is noticed.
 *
 * <p>Not thread-safe. Whoever opened it closes it; closing twice is allowed.
 */
public final class RecordIoWriter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RecordIoWriter.class);

  private static final int INDEX_BUFFER_BYTES = 1 << 16;

  private final Path rec;
  private final GrowingFile file;
  private long[] positions;
  private int written;
  private State state = State.WRITING;

  private enum State {
    WRITING,
    COMMITTED,
    CLOSED
  }

  private RecordIoWriter(Path rec, GrowingFile file) {
    this.rec = rec;
    this.file = file;
  }

  /**
   * Begins to write, or continues what was interrupted.
   *
   * @param rec the final name, {@code x.rec}; its directory is made if need be
   * @throws FileAlreadyExistsException if there is such a file already
   * @throws IOException if the file cannot be made, or is being written by another
   */
  public static RecordIoWriter open(Path rec) throws IOException {
    Files.createDirectories(rec.toAbsolutePath().getParent());
    if (Files.exists(rec)) {
      throw new FileAlreadyExistsException(rec.toString(), null, "the dataset is there already");
    }
    GrowingFile file = GrowingFile.open(partial(rec));
    try {
      RecordIoWriter writer = new RecordIoWriter(rec, file);
      writer.recover();
      return writer;
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  private static Path partial(Path rec) {
    return rec.resolveSibling(rec.getFileName() + ".partial");
  }

  private void recover() throws IOException {
    RecordIoScan scan = RecordIoScan.of(file.path(), file.channel());
    positions = scan.positions();
    written = positions.length;
    if (scan.problem() != null) {
      LOG.warn(
          "{} is cut behind {} whole records, at byte {} of {}, where a write was interrupted: {}",
          file.path(),
          written,
          scan.end(),
          file.end(),
          scan.problem().getMessage());
    }
    file.cut(scan.end());
  }

  /** How many records have been written, those of an interrupted run included. */
  public long written() {
    return written;
  }

  /**
   * Adds a record.
   *
   * @param record its data; not kept
   * @throws IOException if it is longer than the format allows, 2^29 - 1 bytes, or cannot be
   *     written, with file, key and reason; the file is then as before
   * @throws IllegalStateException if the writer is committed or closed
   */
  public void write(byte[] record) throws IOException {
    requireWriting();
    if (record.length > RecordIoLayout.MAX_RECORD_BYTES) {
      throw new RecordIoException(
          "%s, key %d: %d bytes are more than a record may have, %d"
              .formatted(rec, written, record.length, RecordIoLayout.MAX_RECORD_BYTES));
    }
    long position = file.end();
    try {
      file.append(RecordIoLayout.encode(record));
    } catch (IOException failed) {
      throw new IOException(
          "key %d, of %d bytes: %s".formatted(written, record.length, failed.getMessage()), failed);
    }
    if (written == positions.length) {
      positions = Arrays.copyOf(positions, Math.max(1024, Math.multiplyExact(written, 2)));
    }
    positions[written++] = position;
  }

  void requireWriting() {
    if (state != State.WRITING) {
      throw new IllegalStateException(
          "%s is %s".formatted(rec, state == State.CLOSED ? "closed" : "committed already"));
    }
  }

  /**
   * Writes the index and gives the file its final name.
   *
   * @throws IOException if that fails; the output is then as after an interruption
   * @throws IllegalStateException if the writer is committed or closed
   */
  public void commit() throws IOException {
    requireWriting();
    file.finish();
    // The index first: a file with its final name is complete.
    WholeFile.write(
        RecordIoDataset.indexOf(rec),
        channel -> {
          ByteBuffer buffer = ByteBuffer.allocate(INDEX_BUFFER_BYTES);
          for (int i = 0; i < written; i++) {
            byte[] line = (i + "\t" + positions[i] + "\n").getBytes(US_ASCII);
            if (buffer.remaining() < line.length) {
              WholeFile.writeFully(channel, buffer.flip());
              buffer.clear();
            }
            buffer.put(line);
          }
          WholeFile.writeFully(channel, buffer.flip());
        });
    Files.move(file.path(), rec, StandardCopyOption.ATOMIC_MOVE);
    state = State.COMMITTED;
  }

  /** Releases the file. Without {@link #commit} it stays unfinished. */
  @Override
  public void close() throws IOException {
    state = State.CLOSED;
    file.close();
  }
}
