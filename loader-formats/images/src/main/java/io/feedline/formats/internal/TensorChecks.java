package io.feedline.formats.internal;

import io.feedline.batch.DType;
import java.util.Arrays;

public final class TensorChecks {

  private TensorChecks() {}

  /**
   * Checks the means and standard deviations of a normalization.
   *
   * @throws IllegalArgumentException if there are not 1, 3 or 4 values of each (1 for all
   *     channels), if the numbers of means and standard deviations differ, if a value is not
   *     finite, or if a standard deviation is 0
   */
  public static void check(float[] mean, float[] std) {
    checkChannels("mean", mean);
    checkChannels("std", std);
    if (mean.length != std.length) {
      throw new IllegalArgumentException(
          "mean and std must have as many values, were %s and %s"
              .formatted(Arrays.toString(mean), Arrays.toString(std)));
    }
    for (float value : std) {
      if (value == 0) {
        throw new IllegalArgumentException(
            "std must not be 0, it divides: was " + Arrays.toString(std));
      }
    }
  }

  private static void checkChannels(String name, float[] values) {
    if (values.length != 1 && values.length != 3 && values.length != 4) {
      throw new IllegalArgumentException(
          "%s must have one value for each channel, 3 for RGB or 4 for RGBA, or 1 for all, was %s"
              .formatted(name, Arrays.toString(values)));
    }
    for (float value : values) {
      if (!Float.isFinite(value)) {
        throw new IllegalArgumentException(
            "%s must be finite, was %s".formatted(name, Arrays.toString(values)));
      }
    }
  }

  /**
   * Checks that an image can become a tensor of a type.
   *
   * @throws IllegalArgumentException unless the type is FLOAT32, FLOAT16, BFLOAT16, UINT8, UINT16
   *     or INT32
   */
  public static void requireDType(DType dtype) {
    switch (dtype) {
      case FLOAT32, FLOAT16, BFLOAT16, UINT8, UINT16, INT32 -> {}
      default ->
          throw new IllegalArgumentException(
              "dtype must be FLOAT32, FLOAT16, BFLOAT16 or UINT8, or for samples of 16 bits UINT16 or INT32, was "
                  + dtype);
    }
  }
}
