package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.formats.image.kernel.internal.PixelTable;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.TensorChecks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The second half of an image's operations: making a tensor of the pixels after {@link Geometry}.
 * Immutable, and shared by images that differ only in geometry.
 *
 * <p>Each change has a parameter for the image that is changed; errors name the image.
 */
record TensorForm(
    ImageMode mode, PixelTable table, DType dtype, ImageLayout layout, List<Erasure> erasures) {

  static TensorForm of(ImageMode mode) {
    return new TensorForm(mode, whole(mode), DType.FLOAT32, ImageLayout.CHW, List.of());
  }

  private static PixelTable whole(ImageMode mode) {
    return mode.bits() == 8 ? PixelTable.UNIT : PixelTable.WHOLE;
  }

  private TensorForm with(PixelTable values) {
    return new TensorForm(mode, values, dtype, layout, erasures);
  }

  boolean isDefault() {
    return table == whole(mode)
        && dtype == DType.FLOAT32
        && layout == ImageLayout.CHW
        && erasures.isEmpty();
  }

  /** Returns this form with normalized values; see {@link Image#normalize}. */
  TensorForm normalized(float[] mean, float[] std, Image image) {
    TensorChecks.check(mean, std);
    PixelTable normalized =
        table.with(forChannels("Normalize", mean, image), forChannels("Normalize", std, image));
    requireNothingErased("Normalize", image);
    if (table.isNormalized()) {
      throw new IllegalStateException(image + " is normalized already; Normalize applies once");
    }
    requireHolds(dtype, normalized, image);
    return with(normalized);
  }

  private float[] forChannels(String what, float[] values, Image image) {
    int channels = mode.channels();
    if (values.length != 1 && values.length != channels) {
      throw new IllegalArgumentException(
          "%s has %d values, but an image of mode %s has %d: give one for each channel, or one for all; for %s"
              .formatted(what, values.length, mode, channels, image));
    }
    if (values.length == channels) {
      return values;
    }
    float[] each = new float[channels];
    Arrays.fill(each, values[0]);
    return each;
  }

  /** Returns this form with values of 0 to 1; see {@link Image#scaleTo1}. */
  TensorForm scaledTo1(Image image) {
    if (mode.bits() > 8) {
      requireNothingErased("a change of the scale", image);
    }
    return with(table.scaledTo1());
  }

  /** Returns this form for pixels of another mode; see {@link Image#convert}. */
  TensorForm converted(ImageMode to, Image image) {
    requireNothingErased("a change of the mode", image);
    if (table.isNormalized()) {
      throw new IllegalStateException(
          "Normalize has values for the channels of mode %s: put the change to %s before it, for %s"
              .formatted(mode, to, image));
    }
    if (dtype == DType.UINT16 || dtype == DType.INT32) {
      throw new IllegalStateException(
          "%s is for samples of 16 bits: put ToTensor behind the change to %s, for %s"
              .formatted(dtype, to, image));
    }
    PixelTable values = table.isScaled() ? whole(to).scaledTo1() : whole(to);
    return new TensorForm(to, values, dtype, layout, erasures);
  }

  /** Returns this form with another dtype and layout; see {@link Image#toTensor}. */
  TensorForm as(DType type, ImageLayout order, Image image) {
    requireBits(type, image);
    requireHolds(type, table, image);
    erasures.forEach(erasure -> erasure.check(type));
    return new TensorForm(mode, table, type, order, erasures);
  }

  private void requireBits(DType type, Image image) {
    boolean fits = holdsFractions(type) || (type == DType.UINT8) == (mode.bits() == 8);
    if (!fits) {
      throw new IllegalStateException(
          "ToTensor with %s is for samples of %d bits, and an image of mode %s has %d: ask for %s, for %s"
              .formatted(
                  type,
                  24 - mode.bits(),
                  mode,
                  mode.bits(),
                  mode.bits() == 8
                      ? "FLOAT32, FLOAT16, BFLOAT16 or UINT8"
                      : "FLOAT32, FLOAT16, BFLOAT16, INT32 or UINT16, or put ConvertDtype.of(DType.UINT8) in its"
                          + " place",
                  image));
    }
  }

  static boolean holdsFractions(DType type) {
    return type == DType.FLOAT32 || type == DType.FLOAT16 || type == DType.BFLOAT16;
  }

  private static void requireHolds(DType type, PixelTable values, Image image) {
    if (values.givesFractions() && !holdsFractions(type)) {
      throw new IllegalStateException(
          "%s gives fractions, which ToTensor with %s cannot hold: drop one of the two or ask for FLOAT32, for %s"
              .formatted(
                  values.isNormalized() ? "Normalize" : "ConvertDtype(FLOAT32)", type, image));
    }
  }

  Erasure erasure(Region part, float[] values, Image image) {
    return Erasure.with(part, forChannels("RandomErasing", values, image).clone());
  }

  TensorForm erased(Erasure erasure) {
    erasure.check(dtype);
    List<Erasure> more = new ArrayList<>(erasures);
    more.add(erasure);
    return new TensorForm(mode, table, dtype, layout, List.copyOf(more));
  }

  void requireNothingErased(String what, Image image) {
    if (!erasures.isEmpty()) {
      throw new IllegalStateException(
          "RandomErasing overwrites the finished tensor and comes last; "
              + what
              + " follows it, for "
              + image);
    }
  }

  void erase(ByteBuffer tensor, int width, int height) {
    for (Erasure erasure : erasures) {
      erasure.write(tensor, dtype, layout, width, height, mode.channels());
    }
  }

  @Override
  public String toString() {
    String erased = erasures.isEmpty() ? "" : "; erased " + erasures;
    return "%s %s %s%s".formatted(dtype, layout, table, erased);
  }
}
