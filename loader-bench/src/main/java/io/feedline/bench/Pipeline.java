package io.feedline.bench;

import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.Locale;

/**
 * The two pipelines of every ImageNet recipe. Both make float32 (3, 224, 224) with ImageNet's
 * normalization; other numbers of channels have another normalization. {@code
 * peers/torchvision_loader.py} has the same pipelines.
 */
public enum Pipeline {
  /** RandomResizedCrop(224), RandomHorizontalFlip(0.5), Normalize; shuffled. */
  TRAIN,

  /** Resize(256), CenterCrop(224), Normalize; in order. */
  VAL;

  boolean shuffle() {
    return this == TRAIN;
  }

  /**
   * Returns a dataset of any format, transformed by this pipeline.
   *
   * @param antialias whether the resize filter widens when it reduces, as Pillow's does
   */
  final Dataset<LabeledImage> of(Dataset<LabeledImage> images, boolean antialias) {
    return of(images, antialias, Normalize.imagenet());
  }

  /**
   * Returns a dataset of any format, transformed by this pipeline.
   *
   * @param antialias whether the resize filter widens when it reduces, as Pillow's does
   * @param last the last transform, after the geometric transforms: it normalizes, or sets the
   *     element type of a row
   */
  Dataset<LabeledImage> of(
      Dataset<LabeledImage> images, boolean antialias, Transform<Image, Image> last) {
    if (this == TRAIN) {
      RandomTransform<Image, Image> transform =
          RandomResizedCrop.of(224)
              .withAntialias(antialias)
              .andThen(RandomHorizontalFlip.of(0.5))
              .andThen(last);
      return images.map(
          (sample, random) -> sample.withImage(transform.apply(sample.image(), random)));
    }
    Transform<Image, Image> transform =
        Resize.of(256).withAntialias(antialias).andThen(CenterCrop.of(224)).andThen(last);
    return images.map(sample -> sample.withImage(transform.apply(sample.image())));
  }

  /** Returns the name on the command line, which is also the name of the split's directory. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
