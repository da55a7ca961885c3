package io.feedline.formats.media.sound;

import java.nio.FloatBuffer;

/**
 * The samples of a sound, read by range: a file, an array, or a change of another source, which
 * reads only the range of the other source that it needs.
 *
 * <p>Immutable and thread-safe.
 */
interface SampleSource {
  /** Returns the number of channels, 1 or more. */
  int channels();

  /** Returns the length of each channel, 0 or more. */
  long samples();

  /**
   * Reads a range of all channels by absolute positions: channel c to the elements from {@code at +
   * c * stride} on. {@code from + count} is at most {@link #samples}.
   */
  void read(long from, int count, FloatBuffer out, int at, int stride) throws Exception;

  /** A change of another source, with the same channels and length by default. */
  interface Changed extends SampleSource {
    SampleSource source();

    @Override
    default int channels() {
      return source().channels();
    }

    @Override
    default long samples() {
      return source().samples();
    }
  }
}
