package io.feedline.formats.media.video;

import java.util.Arrays;

/** The frames of a clip behind the end of its video: torchcodec's {@code policy}. */
public enum EndPolicy {
  /** The last frame again and again. */
  REPEAT_LAST,

  /** The clip's frames again from its first. */
  WRAP,

  /** An error that names the video, the clip's start and the frames that are missing. */
  ERROR;

  /**
   * @param frames 1 or more that the video has
   * @param length at least their number
   */
  int[] fill(int[] frames, int length) {
    int[] filled = Arrays.copyOf(frames, length);
    for (int i = frames.length; i < length; i++) {
      filled[i] = frames[this == WRAP ? i % frames.length : frames.length - 1];
    }
    return filled;
  }
}
