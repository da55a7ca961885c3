package io.feedline.formats.media.sound;

import io.feedline.formats.internal.Draw;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** The masked range of an axis, as torchaudio's {@code mask_along_axis} draws it. */
record Mask(int from, int length) {

  static void checkParam(String name, int param) {
    if (param < 0) {
      throw new IllegalArgumentException("%s must be 0 or more, was %d".formatted(name, param));
    }
  }

  static Mask draw(int param, int axisLength, RandomGenerator random) {
    if (param < 1) {
      return new Mask(0, 0);
    }
    float width = Draw.unit(random) * param;
    float from = Draw.unit(random) * (axisLength - width);
    // A mask that is wider than the axis begins before the axis.
    int first = (int) from;
    int end = Math.min(first + (int) width, axisLength);
    return new Mask(Math.max(0, first), Math.max(0, end - Math.max(0, first)));
  }

  boolean isEmpty() {
    return length == 0;
  }

  static void fill(FloatBuffer values, int from, int count, float value) {
    if (count > 0) {
      float[] filled = new float[Math.min(count, Scratch.BLOCK)];
      Arrays.fill(filled, value);
      for (int done = 0; done < count; done += filled.length) {
        values.put(from + done, filled, 0, Math.min(filled.length, count - done));
      }
    }
  }
}
