package io.feedline.formats.media.sound;

import java.nio.FloatBuffer;

/**
 * The samples of a sound, read by range: a file, an array, or a change of another source, which
 * reads of that source only the range that it needs.
 *
 * <p>Immutable and thread-safe.
 */
interface SampleSource {
  /** Returns the number of channels, 1 or more. */
  int channels();

  /** Returns the number of samples of each channel, 0 or more. */
  long samples();

  /**
   * Reads a range of all channels. Channel c is written to the elements from {@code at + c *
   * stride} on.
   *
   * @param from the first sample, 0 or more
   * @param count the number of samples; {@code from + count} is at most {@link #samples}
   * @param out where the samples go, by absolute positions
   */
  void read(long from, int count, FloatBuffer out, int at, int stride) throws Exception;
}
