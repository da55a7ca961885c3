package io.feedline.formats.media.sound;

import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.internal.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The open readers of a file or a dataset. The {@value #MOST_IDLE} most recently used idle readers
 * stay open for the next range of their file. Thread-safe.
 */
final class AudioReaders implements Closeable {
  private static final int MOST_IDLE = 32;

  private record Idle(Object file, AudioReader reader) {}

  private final Deque<Idle> idle = new ArrayDeque<>();
  private boolean closed;

  @FunctionalInterface
  interface Opener {
    MediaBytes open() throws IOException;
  }

  /** A file whose ranges are read by a free reader of this pool, or a new reader. */
  final class Source implements SampleSource {
    private final String name;
    private final Opener bytes;
    private final DamagePolicy damage;
    private final AudioReader.Info info;

    /**
     * @param info null: the file is opened to find it out
     */
    Source(String name, Opener bytes, DamagePolicy damage, AudioReader.@Nullable Info info)
        throws IOException {
      this.name = name;
      this.bytes = bytes;
      this.damage = damage;
      if (info == null) {
        AudioReader reader = AudioReader.open(name, bytes.open(), damage, null);
        this.info = reader.info();
        give(name, reader);
      } else {
        this.info = info;
      }
    }

    AudioReader.Info info() {
      return info;
    }

    Waveform waveform() {
      return new Waveform(this, info.sampleRate());
    }

    @Override
    public int channels() {
      return info.channels();
    }

    @Override
    public long samples() {
      return info.samples();
    }

    @Override
    public void read(long from, int count, FloatBuffer out, int at, int stride) throws IOException {
      AudioReader reader = take(name);
      if (reader == null) {
        reader = AudioReader.open(name, bytes.open(), damage, info);
      }
      try {
        reader.read(from, count, out, at, stride);
      } catch (IOException | RuntimeException | Error broken) {
        Closing.afterFailure(broken, reader);
        throw broken;
      }
      if (count == info.samples()) {
        reader.close();
      } else {
        give(name, reader);
      }
    }
  }

  private synchronized @Nullable AudioReader take(Object file) {
    requireOpen();
    for (Iterator<Idle> each = idle.iterator(); each.hasNext(); ) {
      Idle found = each.next();
      if (found.file.equals(file)) {
        each.remove();
        return found.reader;
      }
    }
    return null;
  }

  private void give(Object file, AudioReader reader) throws IOException {
    AudioReader surplus = reader;
    synchronized (this) {
      if (!closed) {
        idle.addFirst(new Idle(file, reader));
        surplus = idle.size() > MOST_IDLE ? idle.removeLast().reader : null;
      }
    }
    if (surplus != null) {
      surplus.close();
    }
  }

  synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the sound is read after its file or dataset was closed");
    }
  }

  @Override
  public void close() throws IOException {
    Deque<Idle> open;
    synchronized (this) {
      closed = true;
      open = new ArrayDeque<>(idle);
      idle.clear();
    }
    Closing.each(open.stream().map(Idle::reader).toList());
  }
}
