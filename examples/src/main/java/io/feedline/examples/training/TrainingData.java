package io.feedline.examples.training;

import io.feedline.Preprocessor;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.DecodeImage;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The data for training and validation: images with PyTorch's ImageNet transforms, and their
 * orders. Closing it closes the images' files.
 *
 * @param train the training images, cropped and flipped at random
 * @param trainOrder the random order of the training images
 * @param val the validation images, cropped in the middle; may be empty
 * @param split a description of how training and validation are separated
 */
public record TrainingData(ImageDataset train, Sampler trainOrder, ImageDataset val, String split)
    implements Closeable {

  /**
   * Without a validation set, every n-th image of a class, beginning with the first, is for
   * validation.
   */
  private static final int HOLD_OUT = 10;

  /**
   * Opens images in {@code DIR/train} and {@code DIR/val}, or in one directory without this split;
   * each in any format.
   *
   * @param imageSize the side of the network's square input in pixels
   * @param seed the seed of the order
   * @throws IOException if there are no such images
   */
  static TrainingData open(Path path, int imageSize, DecodeOptions.Backend decoder, long seed)
      throws IOException {
    return open(path, imageSize, Normalize.imagenet(), decoder, seed);
  }

  /**
   * Opens images in {@code DIR/train} and {@code DIR/val}, or in one directory without this split;
   * each in any format.
   *
   * @param imageSize the side of the network's square input in pixels
   * @param last the last transform
   * @param seed the seed of the order
   * @throws IOException if there are no such images
   */
  static TrainingData open(
      Path path,
      int imageSize,
      Transform<Image, Image> last,
      DecodeOptions.Backend decoder,
      long seed)
      throws IOException {
    TrainingData encoded = encoded(path, seed);
    try {
      return encoded.decoded(
          decoder, crop(imageSize).andThen(last), middle(imageSize).andThen(last));
    } catch (RuntimeException e) {
      encoded.close();
      throw e;
    }
  }

  private static TrainingData encoded(Path path, long seed) throws IOException {
    Path train = path.resolve("train");
    Path val = path.resolve("val");
    if (!Files.isDirectory(train)) {
      return ofOne(ImageDataset.open(path), seed);
    }
    return Files.isDirectory(val)
        ? ofTwo(ImageDataset.open(train), val, seed)
        : ofOne(ImageDataset.open(train), seed);
  }

  private static TrainingData ofTwo(ImageDataset train, Path valPath, long seed)
      throws IOException {
    ImageDataset val;
    try {
      val = ImageDataset.open(valPath);
    } catch (IOException | RuntimeException e) {
      train.close();
      throw e;
    }
    TrainingData data =
        new TrainingData(
            train,
            RandomSampler.of(train.size(), seed),
            val,
            "%s and %s".formatted(train.path(), val.path()));
    if (!train.classes().equals(val.classes())) {
      data.close();
      throw new IOException(
          "%s and %s must have the same classes; found %s and %s"
              .formatted(train.path(), val.path(), train.classes(), val.classes()));
    }
    return data;
  }

  private static TrainingData ofOne(ImageDataset all, long seed) throws IOException {
    try {
      boolean[] heldOut = heldOut(all);
      ImageDataset train = all.filterIndices(index -> !heldOut[(int) index]);
      return new TrainingData(
          train,
          RandomSampler.of(train.size(), seed),
          all.filterIndices(index -> heldOut[(int) index]),
          "%s, every %dth image of a class for validation".formatted(all.path(), HOLD_OUT));
    } catch (IOException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  /** Returns for each image whether it is for validation. */
  private static boolean[] heldOut(ImageDataset all) throws IOException {
    int[] labels = all.labels();
    int[] ofClass = new int[all.classes().size()];
    for (int i = 0; i < labels.length; i++) {
      if (labels[i] < 0 || labels[i] >= ofClass.length) {
        throw new IOException(
            "%s has the label %d, but there are %d classes with names"
                .formatted(all.describe(i), labels[i], ofClass.length));
      }
      ofClass[labels[i]]++;
    }
    boolean[] heldOut = new boolean[labels.length];
    int[] seen = new int[ofClass.length];
    for (int i = 0; i < labels.length; i++) {
      // The only image of a class is for training.
      heldOut[i] = seen[labels[i]]++ % HOLD_OUT == 0 && ofClass[labels[i]] > 1;
    }
    return heldOut;
  }

  private TrainingData decoded(
      DecodeOptions.Backend decoder,
      RandomTransform<Image, Image> toTrain,
      Transform<Image, Image> toValidate) {
    DecodeOptions options = DecodeOptions.DEFAULT.withBackend(decoder);
    return new TrainingData(
        train.withDecodeOptions(options).withTransform(toTrain),
        trainOrder,
        val.withDecodeOptions(options).withTransform(toValidate),
        split);
  }

  List<String> classes() {
    return train.classes();
  }

  /** Returns PyTorch's ImageNet transforms for training. */
  public static RandomTransform<Image, Image> trainTransform(int size) {
    return crop(size).andThen(Normalize.imagenet());
  }

  private static RandomTransform<Image, Image> crop(int size) {
    return RandomResizedCrop.of(size).andThen(RandomHorizontalFlip.of());
  }

  /** Returns PyTorch's ImageNet transforms for training, for an image with its label. */
  public static RandomTransform<LabeledImage, LabeledImage> trainSample(int size) {
    RandomTransform<Image, Image> transform = trainTransform(size);
    return (sample, random) -> sample.withImage(transform.apply(sample.image(), random));
  }

  private static Transform<Image, Image> middle(int size) {
    return Resize.of(size * 256 / 224).andThen(CenterCrop.of(size));
  }

  /** Returns the validation's pipeline for a service, whose input is encoded images. */
  Preprocessor<Object> preprocessor(int imageSize, DecodeOptions.Backend decoder) {
    Preprocessor<Object> preprocessor =
        Preprocessor.of(
            DecodeImage.of(DecodeOptions.DEFAULT.withBackend(decoder))
                .andThen(middle(imageSize))
                .andThen(Normalize.imagenet()));
    return preprocessor.withClasses(classes());
  }

  /** Closes the files of both parts. */
  @Override
  public void close() throws IOException {
    try (train) {
      val.close();
    }
  }

  /**
   * Returns the sizes, such as {@code 789 images to train, 197 to validate, 10 classes (DIR/train
   * and DIR/val)}.
   */
  @Override
  public String toString() {
    return "%d images to train, %d to validate, %d classes (%s)"
        .formatted(train.size(), val.size(), classes().size(), split);
  }
}
