package io.feedline.gpu;

import io.feedline.batch.DType;
import java.util.Arrays;
import java.util.Objects;

/**
 * The normalization of a column of images on the device, from bytes to floats: {@code (value / 255
 * - mean) / std}. It computes the same as torchvision's ToTensor and Normalize or, with {@link
 * Builder#reciprocal}, the same as torchvision's v2.ToDtype and Normalize. Pass it to {@link
 * DeviceLoader.Builder#normalizeOnDevice}.
 *
 * <p>In the loader's slots and on their way to the device, images are bytes, a quarter of the size
 * of float32. They are UINT8 of shape (N, C, H, W), or (N, H, W, C) if {@link Builder#layout} says
 * so, and become contiguous FLOAT32 or FLOAT16 of shape (N, C, H, W):
 *
 * <pre>{@code
 * DeviceLoader.builder(loader)
 *     .normalizeOnDevice(Normalization.imagenet("image"))
 *     .normalizeOnDevice(
 *         Normalization.builder("depth", new float[] {0.5f}, new float[] {0.25f})
 *             .layout(Normalization.Layout.NHWC)
 *             .dtype(DType.FLOAT16)
 *             .build())
 * }</pre>
 *
 * <p><b>Exactness.</b> Each of the three operations is computed in float32 and rounded to nearest,
 * as in a transform that normalizes on the host; on the CPU both results are equal bit for bit. The
 * divisors are arrays on the device, because PyTorch replaces a division by a number of the host
 * with a multiplication. A FLOAT16 result is the float32 result, rounded once.
 *
 * <p>Padding that a collator has put around the images is normalized like any pixel: zeros become
 * {@code -mean / std}, not 0.
 *
 * <p>Immutable and thread-safe.
 */
public final class Normalization {

  /** The order of the axes of a batch of bytes. */
  public enum Layout {
    /** Batch, channels, rows, columns: planes. The default. */
    NCHW,
    /** Batch, rows, columns, channels: pixels interleaved. */
    NHWC;

    int channelAxis() {
      return this == NCHW ? 1 : 3;
    }

    Layout other() {
      return this == NCHW ? NHWC : NCHW;
    }
  }

  private final String column;
  private final float[] mean;
  private final float[] std;
  private final Layout layout;
  private final DType dtype;
  private final boolean isReciprocal;

  private Normalization(Builder builder) {
    this.column = builder.column;
    this.mean = builder.mean;
    this.std = builder.std;
    this.layout = builder.layout;
    this.dtype = builder.dtype;
    this.isReciprocal = builder.isReciprocal;
  }

  /**
   * Returns a normalization from layout NCHW to float32.
   *
   * @param column the tensor's name
   * @param mean the mean of each channel, on the scale of 0 to 1
   * @param std the standard deviation of each channel, finite and not 0
   * @throws IllegalArgumentException if there are no channels, the numbers of means and deviations
   *     differ, a number is not finite, or a std is 0
   */
  public static Normalization of(String column, float[] mean, float[] std) {
    return builder(column, mean, std).build();
  }

  /**
   * Returns the normalization with the statistics of ImageNet that torchvision's pretrained models
   * expect of red, green and blue: mean (0.485, 0.456, 0.406), std (0.229, 0.224, 0.225).
   *
   * @param column the tensor's name
   */
  public static Normalization imagenet(String column) {
    return of(column, new float[] {0.485f, 0.456f, 0.406f}, new float[] {0.229f, 0.224f, 0.225f});
  }

  /**
   * Returns a builder with the defaults of {@link #of}.
   *
   * @param column the tensor's name
   * @param mean the mean of each channel, on the scale of 0 to 1
   * @param std the standard deviation of each channel, finite and not 0
   */
  public static Builder builder(String column, float[] mean, float[] std) {
    return new Builder(column, mean, std);
  }

  /** Returns the tensor's name. */
  public String column() {
    return column;
  }

  /** Returns the number of channels, 1 or more. */
  public int channels() {
    return mean.length;
  }

  /** Returns the means, in a new array. */
  public float[] mean() {
    return mean.clone();
  }

  /** Returns the standard deviations, in a new array. */
  public float[] std() {
    return std.clone();
  }

  /** Returns the order of the axes of a batch of bytes. */
  public Layout layout() {
    return layout;
  }

  /** Returns the resulting dtype: {@link DType#FLOAT32} or {@link DType#FLOAT16}. */
  public DType dtype() {
    return dtype;
  }

  /** Returns whether bytes are multiplied by {@code 1 / 255f} instead of divided by 255. */
  public boolean isReciprocal() {
    return isReciprocal;
  }

  @Override
  public String toString() {
    return "Normalization(%s, %s -> %s, mean=%s, std=%s%s)"
        .formatted(
            column,
            layout,
            dtype,
            Arrays.toString(mean),
            Arrays.toString(std),
            isReciprocal ? ", reciprocal" : "");
  }

  /** The options of a normalization. Not thread-safe. */
  public static final class Builder {
    private final String column;
    private final float[] mean;
    private final float[] std;
    private Layout layout = Layout.NCHW;
    private DType dtype = DType.FLOAT32;
    private boolean isReciprocal;

    private Builder(String column, float[] mean, float[] std) {
      this.column = Objects.requireNonNull(column, "column");
      this.mean = mean.clone();
      this.std = std.clone();
    }

    /** Sets the order of the axes of a batch of bytes; {@link Layout#NCHW} by default. */
    public Builder layout(Layout layout) {
      this.layout = Objects.requireNonNull(layout, "layout");
      return this;
    }

    /** Sets the resulting dtype: {@link DType#FLOAT32}, the default, or {@link DType#FLOAT16}. */
    public Builder dtype(DType dtype) {
      this.dtype = Objects.requireNonNull(dtype, "dtype");
      return this;
    }

    /**
     * Sets whether bytes are multiplied by {@code 1 / 255f}, as in {@code ConvertDtype} and
     * torchvision's {@code v2.ToDtype}, or divided by 255, as in {@code ToTensor}. Half of all
     * values differ in their last bit. False by default.
     */
    public Builder reciprocal(boolean multiplied) {
      this.isReciprocal = multiplied;
      return this;
    }

    /**
     * Builds the normalization.
     *
     * @throws IllegalArgumentException if there are no channels, the numbers of means and
     *     deviations differ, a number is not finite, a std is 0, or the dtype is neither FLOAT32
     *     nor FLOAT16
     */
    public Normalization build() {
      if (mean.length == 0 || mean.length != std.length) {
        throw new IllegalArgumentException(
            "mean and std must have one value for each channel, were %s and %s"
                .formatted(Arrays.toString(mean), Arrays.toString(std)));
      }
      checkFinite("mean", mean);
      checkFinite("std", std);
      for (float value : std) {
        if (value == 0) {
          throw new IllegalArgumentException(
              "std must not be 0, it divides: was " + Arrays.toString(std));
        }
      }
      if (dtype != DType.FLOAT32 && dtype != DType.FLOAT16) {
        throw new IllegalArgumentException("dtype must be FLOAT32 or FLOAT16, was " + dtype);
      }
      return new Normalization(this);
    }

    private static void checkFinite(String name, float[] values) {
      for (float value : values) {
        if (!Float.isFinite(value)) {
          throw new IllegalArgumentException(
              "%s must be finite, was %s".formatted(name, Arrays.toString(values)));
        }
      }
    }
  }
}
