package io.feedline.data;

import io.feedline.data.SampleStream.PendingSample;
import io.feedline.internal.Cancellation;
import io.feedline.internal.FileOpener;
import io.feedline.internal.ReadMeter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one file. The stream keeps one line and one block in memory. The worker that takes a
 * line decodes its text. A mark (place) has the offset of the next byte in the unpacked file.
 */
final class LineStream implements SampleStream<String> {

  private static final Optional<FileOpener> OPENER = FileOpener.find();
  private static final int BLOCK_BYTES = 1 << 16;
  private static final char REPLACEMENT = '\uFFFD';

  private final Path file;
  private final InputStream in;

  /** True if the file's opener reports the bytes read, so that this stream does not. */
  private boolean counted = true;

  private final int maxLineBytes;
  private final byte[] block = new byte[BLOCK_BYTES];
  private int next;
  private int filled;

  private long blockOffset;

  /** The number of lines before the line that is read next. */
  private long lines;

  private boolean broken;

  /** True within a line that was too long; the rest of the line is passed over. */
  private boolean withinLine;

  private LineStream(Path file, InputStream in, int maxLineBytes) {
    this.file = file;
    this.in = in;
    this.maxLineBytes = maxLineBytes;
  }

  static LineStream open(Path file, int maxLineBytes) throws IOException {
    boolean near = file.getFileSystem().equals(FileSystems.getDefault());
    if (near || OPENER.isEmpty()) {
      // An interrupt does not close this stream; it would close a channel.
      LineStream plain = begun(file, Files.newInputStream(file), maxLineBytes);
      String compression = FileOpener.compression(plain.block, plain.filled);
      if (compression == null) {
        plain.counted = false;
        ReadMeter.add(plain.filled);
        return plain;
      }
      plain.close();
      if (OPENER.isEmpty()) {
        throw new IOException(
            "%s is compressed (%s), which lines(...) unpacks with io.feedline:loader-text on the class path: add it"
                .formatted(file, compression));
      }
    }
    return begun(file, OPENER.get().open(file), maxLineBytes);
  }

  /** Returns a stream that has read its first block and passed over a byte order mark. */
  private static LineStream begun(Path file, InputStream in, int maxLineBytes) throws IOException {
    try {
      LineStream stream = new LineStream(file, in, maxLineBytes);
      stream.readable();
      byte[] block = stream.block;
      if (stream.filled >= 2 && (block[0] & block[1] & 0xff) >= 0xfe && block[0] != block[1]) {
        throw new IOException(
            file + " is UTF-16 and not UTF-8: convert it, by iconv -f UTF-16 -t UTF-8");
      }
      if (stream.filled >= 3
          && (block[0] & 0xff) == 0xef
          && (block[1] & 0xff) == 0xbb
          && (block[2] & 0xff) == 0xbf) {
        stream.next = 3;
      }
      return stream;
    } catch (IOException | RuntimeException | Error failure) {
      in.close();
      throw failure;
    }
  }

  /** Reads the next block if the current block is used up; returns false at the end of the file. */
  private boolean fill() throws IOException {
    if (next == filled) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while " + file + " was read");
      }
      blockOffset += filled;
      next = 0;
      filled = 0;
      int read;
      do {
        // A decompressor may return no bytes at the end of a gzip member.
        read = in.read(block);
      } while (read == 0);
      filled = Math.max(0, read);
      if (!counted) {
        ReadMeter.add(filled);
      }
    }
    return filled > 0;
  }

  @Override
  public PendingSample<String> next() throws IOException, InterruptedException {
    if (broken) {
      return null;
    }
    passLine();
    if (!readable()) {
      return null;
    }
    long offset = blockOffset + next;
    long line = lines + 1;
    byte[] bytes = readLine();
    lines = line;
    if (bytes == null) {
      throw new IOException(
          "%s:%d: the line at byte offset %d is longer than %d bytes, which maxLineBytes allows; raise it in IterableDataset.lines(files, maxLineBytes) if the line is meant to be"
              .formatted(file, line, offset, maxLineBytes));
    }
    return context -> decode(bytes, line, offset);
  }

  private boolean readable() throws IOException {
    try {
      return fill();
    } catch (InterruptedIOException stopped) {
      broken = true;
      throw stopped;
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private void passLine() throws IOException, InterruptedException {
    while (withinLine) {
      Cancellation.check();
      if (!readable()) {
        withinLine = false;
        return;
      }
      int end = indexOfNewline();
      withinLine = end == filled;
      next = withinLine ? end : end + 1;
    }
  }

  /** Reads a line; returns null as soon as the line proves to be longer than the limit. */
  private byte @Nullable [] readLine() throws IOException {
    byte[] line = new byte[0];
    int length = 0;
    boolean ended = false;
    while (!ended && readable()) {
      int end = indexOfNewline();
      int part = end - next;
      ended = end < filled;
      // One byte more than the limit is allowed: a carriage return does not count.
      if (length + part > maxLineBytes + 1) {
        withinLine = !ended;
        next = ended ? end + 1 : end;
        return null;
      }
      line = withRoom(line, length + part, ended);
      System.arraycopy(block, next, line, length, part);
      length += part;
      next = ended ? end + 1 : end;
    }
    if (ended && length > 0 && line[length - 1] == '\r') {
      length--;
    }
    if (length > maxLineBytes) {
      return null;
    }
    return length == line.length ? line : Arrays.copyOf(line, length);
  }

  private byte[] withRoom(byte[] line, int length, boolean last) {
    if (length <= line.length) {
      return line;
    }
    return Arrays.copyOf(
        line, last ? length : Math.max(length, Math.min(2 * line.length, maxLineBytes + 1)));
  }

  /** Ends the stream, since the start of the next line is unknown; returns the failure. */
  private IOException broken(IOException cause) {
    broken = true;
    return new IOException(
        "%s:%d: reading failed behind byte offset %d: %s"
            .formatted(file, lines + 1, blockOffset, cause.getMessage()),
        cause);
  }

  private int indexOfNewline() {
    int end = next;
    while (end < filled && block[end] != '\n') {
      end++;
    }
    return end;
  }

  private String decode(byte[] bytes, long line, long offset) throws IOException {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // A text may also contain the replacement character itself.
    if (text.indexOf(REPLACEMENT) >= 0) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      CoderResult result =
          StandardCharsets.UTF_8.newDecoder().decode(in, CharBuffer.allocate(bytes.length), true);
      if (result.isError()) {
        throw new IOException(
            "%s:%d: not UTF-8 at byte offset %d of the file, found 0x%s"
                .formatted(
                    file,
                    line,
                    offset + in.position(),
                    HexFormat.of()
                        .formatHex(bytes, in.position(), in.position() + result.length())));
      }
    }
    return text;
  }

  /** Returns the offset of the next byte, and a 1 if it is within a line that is too long. */
  @Override
  public List<Long> mark() {
    return withinLine ? List.of(blockOffset + next, 1L) : List.of(blockOffset + next);
  }

  @Override
  public void goTo(long samples, List<Long> mark) throws IOException {
    if (mark.isEmpty() || mark.size() > 2) {
      throw new IOException("%s is not a position in %s".formatted(mark, file));
    }
    long position = mark.get(0);
    if (mark.size() == 2) {
      goToByte(position, samples);
      withinLine = true;
      lines = samples;
      return;
    }
    if (samples == 0 && position == blockOffset + next) {
      return;
    }
    if (samples == 0 || position < 1) {
      throw noLineAt(position, samples);
    }
    // The byte before the position must end a line.
    goToByte(position - 1, samples);
    boolean atLine = block[next++] == '\n';
    if (!atLine && fill()) {
      throw noLineAt(position, samples);
    }
    lines = samples;
  }

  private IOException noLineAt(long position, long samples) {
    return new IOException(
        "%s: no line begins at byte %d, where line %d began: the file has been changed"
            .formatted(file, position, samples + 1));
  }

  private void goToByte(long position, long samples) throws IOException {
    long end = blockOffset + filled;
    if (position >= end) {
      try {
        Cancellation.skipNBytes(in, position - end);
        blockOffset = position;
        next = 0;
        filled = 0;
        if (!fill()) {
          throw new EOFException();
        }
      } catch (EOFException e) {
        throw new EOFException(
            "%s ends before byte %d, where line %d began: the file has been cut off"
                .formatted(file, position + 1, samples + 1));
      }
    }
    next = Math.toIntExact(position - blockOffset);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
