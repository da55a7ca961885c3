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
 * The work of {@link Throughput} on images, in whatever format they are stored.
 *
 * @param pipeline the transforms of an image
 * @param filter the filter that scales them
 * @param decoding how they are decoded
 * @param indexes where their scan indexes are kept
 * @param elements the elements of their rows
 */
record Recipe(
    Pipeline pipeline,
    ResizeFilter filter,
    DecodeOptions decoding,
    ScanIndexing indexes,
    Elements elements) {

  /** The recipe of a training, all options at their defaults. */
  static final Recipe TRAINING =
      new Recipe(
          Pipeline.TRAIN,
          ResizeFilter.ANTIALIAS,
          DecodeOptions.DEFAULT,
          ScanIndexing.AUTO,
          Elements.FLOAT32);

  /** The elements of an image's row, as {@code --elements} names them. */
  enum Elements {
    /** Normalized. */
    FLOAT32,

    /** Normalized, and rounded as PyTorch's {@code half()} rounds. */
    FLOAT16,

    /** The pixels as they are, as one normalizes on the device. */
    UINT8;

    /** As it is written on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The filters that images are scaled with, as {@code --resize} names them. */
  enum ResizeFilter {
    /** Bilinear, as wide as the reduction: what PIL does, and torchvision by default. */
    ANTIALIAS,

    /** Bilinear between the two nearest rows and columns, whatever the reduction. */
    BILINEAR;

    /** The option of the transforms. */
    boolean antialias() {
      return this == ANTIALIAS;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the images, transformed by this recipe. From now on the source closes them.
   *
   * @throws IOException if their scan indexes are not where they should be; the images are then
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

  /** ImageNet's statistics; for other than three channels, their means for every channel. */
  private Normalize normalize() {
    return decoding.mode() == ImageMode.RGB
        ? Normalize.imagenet()
        : Normalize.of(new float[] {0.449f}, new float[] {0.226f});
  }
}
