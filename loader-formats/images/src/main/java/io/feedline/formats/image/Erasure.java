package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.NormalDraws;
import io.feedline.internal.HalfFloat;
import io.feedline.transform.SampleRandom;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A rectangle of a finished tensor that is overwritten: {@code erase} of torchvision. Immutable.
 */
final class Erasure {
  private final Region region;

  /** The values of each channel, or one value for all channels; null for noise. */
  private final float @Nullable [] values;

  private final long noiseSeed;

  private Erasure(Region region, float[] values, long noiseSeed) {
    this.region = region;
    this.values = values;
    this.noiseSeed = noiseSeed;
  }

  static Erasure with(Region region, float... values) {
    return new Erasure(region, values, 0);
  }

  /** Returns an erasure with random numbers of the standard normal distribution. */
  static Erasure withNoise(Region region, long seed) {
    return new Erasure(region, null, seed);
  }

  Region region() {
    return region;
  }

  void check(DType dtype) {
    if (TensorForm.holdsFractions(dtype)) {
      return;
    }
    if (values == null) {
      throw new IllegalStateException(
          "RandomErasing with random values gives fractions, which %s cannot hold"
              .formatted(dtype));
    }
    int largest = dtype == DType.UINT8 ? 0xFF : 0xFFFF;
    for (float value : values) {
      if (value != (int) value || value < 0 || value > largest) {
        throw new IllegalStateException(
            "RandomErasing into %s takes whole values of 0 to %d, not %s"
                .formatted(dtype, largest, Arrays.toString(values)));
      }
    }
  }

  void write(
      ByteBuffer target, DType dtype, ImageLayout layout, int width, int height, int channels) {
    ByteBuffer tensor = target.duplicate().order(ByteOrder.nativeOrder());
    NormalDraws noise =
        values == null ? new NormalDraws(new SampleRandom(noiseSeed, 0, 0, 0)) : null;
    int pixelStep = layout == ImageLayout.CHW ? 1 : channels;
    int planeStep = layout == ImageLayout.CHW ? width * height : 1;
    for (int c = 0; c < channels; c++) {
      float value = values == null ? 0 : values[values.length == 1 ? 0 : c];
      for (int y = region.y(); y < region.y() + region.height(); y++) {
        int at = c * planeStep + (y * width + region.x()) * pixelStep;
        for (int x = 0; x < region.width(); x++, at += pixelStep) {
          switch (dtype) {
            case UINT8 -> tensor.put(at, (byte) value);
            case UINT16 -> tensor.putShort(Short.BYTES * at, (short) (int) value);
            case INT32 -> tensor.putInt(Integer.BYTES * at, (int) value);
            case FLOAT16 ->
                tensor.putShort(Short.BYTES * at, HalfFloat.ofFloat(fraction(value, noise)));
            case BFLOAT16 ->
                tensor.putShort(Short.BYTES * at, HalfFloat.toBfloat(fraction(value, noise)));
            default -> tensor.putFloat(Float.BYTES * at, fraction(value, noise));
          }
        }
      }
    }
  }

  private static float fraction(float value, @Nullable NormalDraws noise) {
    return noise == null ? value : (float) noise.next();
  }

  @Override
  public String toString() {
    return "%d x %d at (%d, %d) with %s"
        .formatted(
            region.width(),
            region.height(),
            region.x(),
            region.y(),
            values == null ? "noise " + noiseSeed : Arrays.toString(values));
  }
}
