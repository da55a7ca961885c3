package io.feedline.formats.media.sound;

import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.Idle;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.internal.Closing;
import java.io.IOException;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;

/** The samples of a sound file, read by an idle reader of the file, or else by a new reader. */
final class AudioSource implements SampleSource {
  private static final int MOST_IDLE = 32;

  private final Idle<AudioReader> readers;
  private final String name;
  private final Opener bytes;
  private final DamagePolicy damage;
  private final AudioReader.Info info;

  @FunctionalInterface
  interface Opener {
    MediaBytes open() throws IOException;
  }

  /** Takes readers of {@link #idle}; opens the file to find {@code info} if that is null. */
  AudioSource(
      Idle<AudioReader> readers,
      String name,
      Opener bytes,
      DamagePolicy damage,
      AudioReader.@Nullable Info info)
      throws IOException {
    readers.requireOpen(name);
    this.readers = readers;
    this.name = name;
    this.bytes = bytes;
    this.damage = damage;
    if (info == null) {
      AudioReader reader = AudioReader.open(name, bytes.open(), damage, null);
      this.info = reader.info();
      readers.give(reader);
    } else {
      this.info = info;
    }
  }

  /** Returns a new set of idle readers. The file or dataset that gets the set closes it. */
  static Idle<AudioReader> idle() {
    return new Idle<>(MOST_IDLE);
  }

  String name() {
    return name;
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
    AudioReader reader = readers.take(name, idle -> idle.name().equals(name));
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
      readers.give(reader);
    }
  }
}
