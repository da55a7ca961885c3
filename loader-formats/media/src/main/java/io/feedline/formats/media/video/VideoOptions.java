package io.feedline.formats.media.video;

import io.feedline.formats.media.DamagePolicy;
import java.util.Objects;

/**
 * Options of decoding videos. Immutable and thread-safe.
 *
 * @param damage the treatment of damaged packets
 * @param maxPixels the largest frame that is decoded, in pixels, 1 or more: a header that claims
 *     more is an error, before memory is allocated
 * @param keepIndexes true: frame indexes are kept beside the files, or in the user's cache; false:
 *     each opening makes the index anew, see {@link VideoFile}
 */
public record VideoOptions(DamagePolicy damage, long maxPixels, boolean keepIndexes) {

  /** Concealed damage, frames of up to 2<sup>26</sup> pixels (twice 8K), and kept indexes. */
  public static final VideoOptions DEFAULT = new VideoOptions(DamagePolicy.CONCEAL, 1L << 26, true);

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if {@code maxPixels} is below 1
   */
  public VideoOptions {
    Objects.requireNonNull(damage, "damage");
    if (maxPixels < 1) {
      throw new IllegalArgumentException("maxPixels must be 1 or more, was " + maxPixels);
    }
  }

  /** Returns these options with another treatment of damaged packets. */
  public VideoOptions withDamage(DamagePolicy other) {
    return new VideoOptions(other, maxPixels, keepIndexes);
  }

  /** Returns these options with another limit of a frame's pixels. */
  public VideoOptions withMaxPixels(long other) {
    return new VideoOptions(damage, other, keepIndexes);
  }

  /** Returns these options with another value of {@link #keepIndexes}. */
  public VideoOptions withKeepIndexes(boolean other) {
    return new VideoOptions(damage, maxPixels, other);
  }

  boolean strict() {
    return damage == DamagePolicy.FAIL;
  }
}
