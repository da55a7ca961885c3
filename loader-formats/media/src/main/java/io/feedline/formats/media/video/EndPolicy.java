package io.feedline.formats.media.video;

import java.util.Arrays;

/** The frames of a clip after the end of its video: torchcodec's {@code policy}. */
public enum EndPolicy {
  /** The last frame again and again. */
  REPEAT_LAST,

  /** The clip's frames again, from the first on. */
  WRAP,

  /** An error that names the video, the clip's start and the frames that are missing. */
  ERROR;

  /**
   * @param frames the clip's frames before the video's end, 1 or more
   * @param length the length of the result, at least the number of frames
   */
  int[] fill(int[] frames, int length) {
    int[] filled = Arrays.copyOf(frames, length);
    for (int i = frames.length; i < length; i++) {
      filled[i] = frames[this == WRAP ? i % frames.length : frames.length - 1];
    }
    return filled;
  }
}
