package io.feedline.examples;

import io.feedline.Dataset;
import io.feedline.formats.image.CenterCrop;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.ImageBackend;
import io.feedline.formats.image.ImageFolder;
import io.feedline.formats.image.LabeledImage;
import io.feedline.formats.image.Normalize;
import io.feedline.formats.image.RandomHorizontalFlip;
import io.feedline.formats.image.RandomResizedCrop;
import io.feedline.formats.image.Resize;
import io.feedline.sampler.Order;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.SubsetRandomSampler;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What is trained and validated on: images with PyTorch's ImageNet transforms, and the orders in
 * which they are visited.
 *
 * @param train images that are cropped and flipped at random
 * @param trainOrder a random one
 * @param trainSize images in it
 * @param val images that are cropped in the middle
 * @param valOrder from first to last
 * @param valSize images in it, 0 or more
 * @param classes their names, by label
 * @param split how training and validation are told apart, in words
 */
record TrainingData(
    Dataset<LabeledImage> train,
    Sampler trainOrder,
    long trainSize,
    Dataset<LabeledImage> val,
    Sampler valOrder,
    long valSize,
    List<String> classes,
    String split) {

  /** Where there is no validation set, every n-th image of a class, from the first, is in it. */
  private static final int HOLD_OUT = 10;

  /**
   * Images in {@code DIR/train/CLASS} and {@code DIR/val/CLASS}, or all in {@code DIR/CLASS}.
   *
   * @param imageSize of the square that goes into the network
   * @param seed of the order
   * @throws IOException if there are no such images
   */
  static TrainingData open(Path directory, int imageSize, ImageBackend decoder, long seed)
      throws IOException {
    return open(directory, imageSize, Normalize.imagenet(), decoder, seed);
  }

  /**
   * Images in {@code DIR/train/CLASS} and {@code DIR/val/CLASS}, or all in {@code DIR/CLASS}.
   *
   * @param imageSize of the square that goes into the network
   * @param last the last of the transforms: what images become
   * @param seed of the order
   * @throws IOException if there are no such images
   */
  static TrainingData open(
      Path directory, int imageSize, Transform<Image, Image> last, ImageBackend decoder, long seed)
      throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IOException(directory + " is not a directory");
    }
    Path train = directory.resolve("train");
    Path val = directory.resolve("val");
    if (Files.isDirectory(train) && Files.isDirectory(val)) {
      return ofTwo(folder(train, decoder), folder(val, decoder), imageSize, last, seed);
    }
    return ofOne(
        folder(Files.isDirectory(train) ? train : directory, decoder), imageSize, last, seed);
  }

  private static ImageFolder folder(Path root, ImageBackend decoder) throws IOException {
    return ImageFolder.builder(root).decoder(decoder).build();
  }

  private static TrainingData ofTwo(
      ImageFolder train, ImageFolder val, int imageSize, Transform<Image, Image> last, long seed)
      throws IOException {
    if (!train.classes().equals(val.classes())) {
      throw new IOException(
          "%s and %s must have the same classes; found %s and %s"
              .formatted(train.root(), val.root(), train.classes(), val.classes()));
    }
    return new TrainingData(
        train.withTransform(crop(imageSize).andThen(last)),
        RandomSampler.of(train.size(), seed),
        train.size(),
        val.withTransform(middle(imageSize).andThen(last)),
        SequentialSampler.of(val.size()),
        val.size(),
        train.classes(),
        "%s and %s".formatted(train.root(), val.root()));
  }

  private static TrainingData ofOne(
      ImageFolder all, int imageSize, Transform<Image, Image> last, long seed) {
    int[] labels = all.labels();
    int[] ofClass = new int[all.classes().size()];
    for (int label : labels) {
      ofClass[label]++;
    }
    List<Long> train = new ArrayList<>();
    List<Long> val = new ArrayList<>();
    int[] seen = new int[ofClass.length];
    for (int i = 0; i < labels.length; i++) {
      // A class of one image has none to spare.
      boolean heldOut = seen[labels[i]]++ % HOLD_OUT == 0 && ofClass[labels[i]] > 1;
      (heldOut ? val : train).add((long) i);
    }
    return new TrainingData(
        all.withTransform(crop(imageSize).andThen(last)),
        SubsetRandomSampler.of(toArray(train), seed),
        train.size(),
        all.withTransform(middle(imageSize).andThen(last)),
        inOrder(toArray(val)),
        val.size(),
        all.classes(),
        "%s, every %dth image of a class for validation".formatted(all.root(), HOLD_OUT));
  }

  /** PyTorch's ImageNet transforms for training. */
  static RandomTransform<Image, Image> trainTransform(int size) {
    return crop(size).andThen(Normalize.imagenet());
  }

  private static RandomTransform<Image, Image> crop(int size) {
    return RandomResizedCrop.of(size).andThen(RandomHorizontalFlip.of());
  }

  /** The same for an image and its label: what the samples of a stream are mapped by. */
  static RandomTransform<LabeledImage, LabeledImage> trainSample(int size) {
    RandomTransform<Image, Image> transform = trainTransform(size);
    return (sample, random) -> sample.withImage(transform.apply(sample.image(), random));
  }

  private static Transform<Image, Image> middle(int size) {
    return Resize.of(size * 256 / 224).andThen(CenterCrop.of(size));
  }

  private static long[] toArray(List<Long> indices) {
    return indices.stream().mapToLong(Long::longValue).toArray();
  }

  private static Sampler inOrder(long[] indices) {
    Order order =
        new Order() {
          @Override
          public long size() {
            return indices.length;
          }

          @Override
          public long indexAt(long position) {
            return indices[(int) position];
          }
        };
    return epoch -> order;
  }

  /**
   * For example {@code 789 images to train, 197 to validate, 10 classes (DIR/train and DIR/val)}.
   */
  @Override
  public String toString() {
    return "%d images to train, %d to validate, %d classes (%s)"
        .formatted(trainSize, valSize, classes.size(), split);
  }
}
