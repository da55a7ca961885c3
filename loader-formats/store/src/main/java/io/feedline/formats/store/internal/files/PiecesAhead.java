package io.feedline.formats.store.internal.files;

import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reader of a remote file from front to back, which fetches the next pieces of the file while the
 * caller uses a piece. As long as the caller reads in order, the pieces become larger, up to 2 MiB,
 * and more of them are fetched ahead. After a jump the reader begins again with a small piece. All
 * files of the process together have at most 32 pieces ahead, 64 MiB; a reader that finds no room
 * reads only the piece that it needs. A piece that could not be read ahead is read when it is
 * needed, and fails then.
 *
 * <p>Used by one thread at a time. The caller closes it before the {@link OpenFiles}.
 */
public final class PiecesAhead implements Closeable {

  private static final int FIRST_BYTES = 1 << 18;
  private static final int MOST_BYTES = 1 << 21;

  /** The largest number of pieces that are read ahead, of all files together. */
  private static final int MOST_PIECES = 32;

  private static final long READERS_STAY_SECONDS = 5;

  private static final Semaphore ROOM = new Semaphore(MOST_PIECES);
  private static final AtomicInteger READER_NUMBER = new AtomicInteger();
  private static final ThreadPoolExecutor READERS = readers();

  private static ThreadPoolExecutor readers() {
    ThreadPoolExecutor readers =
        new ThreadPoolExecutor(
            MOST_PIECES,
            MOST_PIECES,
            READERS_STAY_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread =
                  new Thread(task, "feedline-pieces-" + READER_NUMBER.getAndIncrement());
              thread.setDaemon(true);
              return thread;
            });
    readers.allowCoreThreadTimeOut(true);
    return readers;
  }

  private final OpenFiles files;
  private final Path file;
  private final long end;

  /** The piece in use, and the following pieces without a gap. */
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();

  private int pieceBytes = FIRST_BYTES;
  private int ahead;

  /** The offset of the end of the piece that was used last; -1 before the first piece. */
  private long lastEnd = -1;

  public PiecesAhead(OpenFiles files, Path file, long end) {
    this.files = files;
    this.file = file;
    this.end = end;
  }

  private final class Piece {
    private final long start;
    private final int length;
    private final FutureTask<byte[]> reading;
    private final boolean hasRoom;
    private volatile Thread reader;
    private byte[] bytes;

    Piece(long start, boolean hasRoom) {
      this.start = start;
      this.length = (int) Math.min(pieceBytes, end - start);
      this.hasRoom = hasRoom;
      this.reading = new FutureTask<>(this::readNow);
    }

    long end() {
      return start + length;
    }

    boolean has(long position) {
      return position >= start && position < end();
    }

    private byte[] readNow() throws IOException {
      reader = Thread.currentThread();
      byte[] read = new byte[length];
      files.read(file, start, read, 0, length);
      return read;
    }

    byte[] bytes() throws IOException {
      if (bytes == null) {
        reading.run();
        try {
          bytes = reading.get();
          if (reader != Thread.currentThread()) {
            ReadMeter.add(length);
          }
        } catch (ExecutionException failed) {
          bytes = readAgain(failed.getCause());
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted while " + file + " was read");
        }
      }
      return bytes;
    }

    private byte[] readAgain(Throwable failure) throws IOException {
      if (reader != Thread.currentThread()) {
        return readNow();
      }
      if (failure instanceof IOException unreadable) {
        throw unreadable;
      }
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure; // reading throws no other exceptions
    }

    void drop() {
      reading.cancel(false);
      READERS.remove(reading);
      if (hasRoom) {
        ROOM.release();
      }
    }
  }

  public void read(long position, byte[] target, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      long at = position + done;
      Piece piece = piece(at);
      int inside = (int) (at - piece.start);
      int step = Math.min(length - done, piece.length - inside);
      System.arraycopy(piece.bytes(), inside, target, offset + done, step);
      done += step;
    }
  }

  private Piece piece(long position) {
    Piece current = pieces.peek();
    if (current != null && current.has(position)) {
      return current;
    }
    boolean goesOn = lastEnd >= 0 && position >= lastEnd && position - lastEnd <= pieceBytes;
    while (current != null && !current.has(position)) {
      pieces.poll().drop();
      current = pieces.peek();
    }
    if (goesOn || current != null) {
      pieceBytes = Math.min(2 * pieceBytes, MOST_BYTES);
      ahead = Math.min(Math.max(1, 2 * ahead), MOST_PIECES);
    } else {
      pieceBytes = FIRST_BYTES;
      ahead = 0;
    }
    if (current == null) {
      current = new Piece(position, false);
      pieces.add(current);
    }
    lastEnd = current.end();
    readAhead();
    return current;
  }

  private void readAhead() {
    long next = pieces.peekLast().end();
    while (pieces.size() <= ahead && next < end && ROOM.tryAcquire()) {
      Piece piece = new Piece(next, true);
      pieces.add(piece);
      next = piece.end();
      READERS.execute(piece.reading);
    }
  }

  @Override
  public void close() {
    pieces.forEach(Piece::drop);
    pieces.clear();
  }
}
