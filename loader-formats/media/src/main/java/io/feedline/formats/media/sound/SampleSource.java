package io.feedline.formats.media.sound;

import java.nio.FloatBuffer;

/**
 * The samples of a sound, read by range: from a file, from an array, or computed from another
 * source, of which only the needed range is read. Immutable and thread-safe.
 */
interface SampleSource {
  /** Returns the number of channels, 1 or more. */
  int channels();

  /** Returns the number of samples of each channel, 0 or more. */
  long samples();

  /**
   * Reads a range of all channels. Channel c is written from index {@code at + c * stride} of
   * {@code out} on. {@code from + count} is at most {@link #samples}.
   */
  void read(long from, int count, FloatBuffer out, int at, int stride) throws Exception;

  /** A source computed from {@link #source}, by default with equal channels and length. */
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
