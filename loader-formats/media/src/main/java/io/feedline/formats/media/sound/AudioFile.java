package io.feedline.formats.media.sound;

import io.feedline.data.FormatException;
import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.Idle;
import io.feedline.formats.media.internal.MediaBytes;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The sound of a file: the first audio stream of WAV, FLAC, MP3, Ogg (Vorbis, Opus), AAC, M4A,
 * AIFF, and of videos, decoded by FFmpeg.
 *
 * <pre>{@code
 * try (AudioFile file = AudioFile.open(Path.of("speech.flac"))) {
 *   Tensor second = file.waveform(10, 1).toTensor(); // (channels, rate), from second 10 on
 * }
 * }</pre>
 *
 * <p>In lossy formats, decoding a range also decodes a third of a second before the range. In
 * Matroska and WebM, whose times are not exact, and for Vorbis and FLAC in Ogg, it also decodes
 * everything before the range. Codecs that synthesize noise (AC-3, AAC) make other noise for a
 * range than for the whole file. Sample 0 is the first sample after the encoder's delay. The length
 * is exact; if the header does not have an exact length, the file is decoded once, in part or as a
 * whole.
 *
 * <p>Thread-safe: several threads read at once, each by a decoder of its own. The opener closes it;
 * closing twice is allowed. Reading a waveform afterwards throws {@link IllegalStateException}.
 */
public final class AudioFile implements Closeable {

  private final Idle<AudioReader> readers = AudioSource.idle();
  private final AudioSource source;

  private AudioFile(AudioSource.Opener bytes, String name, DamagePolicy damage) throws IOException {
    this.source = new AudioSource(readers, name, bytes, damage, null);
  }

  /**
   * Opens a file of any file system; damaged packets are concealed.
   *
   * @throws FormatException if the file is not a sound, or its header is damaged
   * @throws IOException if the file cannot be read
   */
  public static AudioFile open(Path path) throws IOException {
    return open(path, DamagePolicy.CONCEAL);
  }

  /**
   * Opens a file of any file system.
   *
   * @throws FormatException if the file is not a sound, or is damaged
   * @throws IOException if the file cannot be read
   */
  public static AudioFile open(Path path, DamagePolicy damage) throws IOException {
    return new AudioFile(() -> MediaBytes.of(path), path.toString(), damage);
  }

  /**
   * Opens a file in memory.
   *
   * @param name the name of the file, for errors
   * @param file the bytes of the file, which are not copied
   * @throws FormatException if the file is not a sound, or is damaged
   * @throws IOException only as a {@link FormatException}
   */
  public static AudioFile of(String name, byte[] file, DamagePolicy damage) throws IOException {
    return new AudioFile(() -> MediaBytes.of(file), name, damage);
  }

  /** Returns the sample rate, in Hz. */
  public int sampleRate() {
    return source.info().sampleRate();
  }

  /** Returns the number of channels. */
  public int channels() {
    return source.info().channels();
  }

  /** Returns the number of samples of each channel. */
  public long samples() {
    return source.info().samples();
  }

  /** Returns FFmpeg's name of the codec: {@code flac}, {@code mp3}, {@code pcm_s16le}. */
  public String codec() {
    return source.info().codec();
  }

  /** Returns the whole sound, not yet decoded. */
  public Waveform waveform() {
    readers.requireOpen(source.name());
    return source.waveform();
  }

  /**
   * Returns a range of the sound, not yet decoded.
   *
   * @param start the start in seconds, rounded to the nearest sample
   * @param seconds the length in seconds, rounded to the nearest sample
   * @throws IndexOutOfBoundsException if the range is not within the sound
   */
  public Waveform waveform(double start, double seconds) {
    return waveform().crop(Math.round(start * sampleRate()), Math.round(seconds * sampleRate()));
  }

  @Override
  public void close() throws IOException {
    readers.close();
  }

  @Override
  public String toString() {
    return "AudioFile(%s, %s)".formatted(codec(), source.waveform());
  }
}
