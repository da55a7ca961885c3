package io.feedline.stats.internal;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.util.function.LongSupplier;

/**
 * The time for which the calling thread has been ready to run while other threads had the
 * processors, on Linux; 0 on other systems.
 *
 * <p>The file of the scheduler's figures stays open, since opening takes ten times as long as
 * reading. Used by one thread at a time; any thread may close it, also while it is read. Returns
 * the last value once closed.
 */
final class ProcessorQueue implements LongSupplier, AutoCloseable {

  /** The file of three numbers: nanoseconds on a processor, nanoseconds queued, turns. */
  private static final File SCHEDULER = new File("/proc/thread-self/schedstat");

  private static final boolean KNOWN = SCHEDULER.canRead();

  private final byte[] text = new byte[64];
  private Thread thread;
  private RandomAccessFile file;
  private long last;
  private boolean closed;

  @Override
  public synchronized long getAsLong() {
    if (KNOWN && !closed) {
      try {
        last = read();
      } catch (IOException e) {
        // There may be too many open files, for example: an unknown time counts as 0.
        return last;
      }
    }
    return last;
  }

  private long read() throws IOException {
    if (thread != Thread.currentThread()) {
      closeFile();
      // Another thread's figures begin anew.
      last = 0;
      file = new RandomAccessFile(SCHEDULER, "r");
      thread = Thread.currentThread();
    }
    file.seek(0);
    int length = file.read(text);
    int i = 0;
    while (i < length && text[i] != ' ') {
      i++;
    }
    long queued = 0;
    for (i++; i < length && text[i] != ' '; i++) {
      queued = 10 * queued + text[i] - '0';
    }
    return queued;
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      closeFile();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void closeFile() throws IOException {
    thread = null;
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
