package io.feedline.bench;

import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.internal.Closing;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.util.Locale;

/**
 * The work of {@link Throughput} on images of any format.
 *
 * @param pipeline the transforms of an image
 * @param filter the resize filter
 * @param decoding how images are decoded
 * @param indexes where scan indexes are kept
 * @param elements the element type of a row
 */
record Recipe(
    Pipeline pipeline,
    ResizeFilter filter,
    DecodeOptions decoding,
    ScanIndexing indexes,
    Elements elements) {

  /** The recipe of a training, with all options at their defaults. */
  static final Recipe TRAINING =
      new Recipe(
          Pipeline.TRAIN,
          ResizeFilter.ANTIALIAS,
          DecodeOptions.DEFAULT,
          ScanIndexing.AUTO,
          Elements.FLOAT32);

  /** The element types of an image's row, as {@code --elements} names them. */
  enum Elements {
    /** Normalized, as float32. */
    FLOAT32,

    /** Normalized, as float16, rounded as PyTorch's {@code half()} rounds. */
    FLOAT16,

    /** The pixels as bytes, for normalization on the device. */
    UINT8;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The resize filters, as {@code --resize} names them. */
  enum ResizeFilter {
    /** Bilinear; the filter widens when it reduces, as PIL does, and torchvision by default. */
    ANTIALIAS,

    /** Bilinear between the two nearest rows and columns, whatever the scale. */
    BILINEAR;

    boolean antialias() {
      return this == ANTIALIAS;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the images, transformed by this recipe. The source then closes the images.
   *
   * @throws IOException if the scan indexes are not in the expected place; the images are then
   *     closed, as with any other failure
   * @throws IllegalStateException if the decoder is not available
   */
  Source<LabeledImage> of(ImageDataset images) throws IOException {
    try {
      Dataset<LabeledImage> decoded = indexes.of(images.withDecodeOptions(decoding));
      return new Source<>(pipeline.of(decoded, filter.antialias(), last()), images);
    } catch (IOException | RuntimeException e) {
      Closing.afterFailure(e, images);
      throw e;
    }
  }

  private Transform<Image, Image> last() {
    return switch (elements) {
      case FLOAT32 -> normalize();
      case FLOAT16 -> normalize().andThen(ToTensor.of(DType.FLOAT16));
      case UINT8 -> ToTensor.of(DType.UINT8);
    };
  }

  /** Returns ImageNet's normalization; if there are not three channels, its mean for each. */
  private Normalize normalize() {
    return decoding.mode() == ImageMode.RGB
        ? Normalize.imagenet()
        : Normalize.of(new float[] {0.449f}, new float[] {0.226f});
  }
}
