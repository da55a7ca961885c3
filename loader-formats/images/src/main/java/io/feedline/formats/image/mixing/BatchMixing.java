package io.feedline.formats.image.mixing;

import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.transform.internal.Draw;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.formats.image.transform.internal.SymmetricBeta;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The common part of {@link MixUp} and {@link CutMix}: each sample is mixed with the one before it,
 * the first with the last, and so are their labels, which become probabilities.
 *
 * @param numClasses number of classes of the labels
 * @param share distribution of the sample's own share
 * @param probability probability that a batch is mixed
 * @param image the name of the images' tensor
 * @param label the name of the labels' tensor
 */
record BatchMixing(
    int numClasses, SymmetricBeta share, double probability, String image, String label) {

  /**
   * Number of floats of a sample mixed at a time: they and those of the other sample fit a core's
   * cache.
   */
  private static final int CHUNK = 2048;

  BatchMixing {
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(label, "label");
    Sizes.checkProbability(probability);
    if (numClasses < 1) {
      throw new IllegalArgumentException("numClasses must be 1 or more, was " + numClasses);
    }
  }

  /** The mixing of one batch's images, in place; returns the share that labels keep. */
  @FunctionalInterface
  interface Images {
    double mix(Tensor images, double share);
  }

  /** Draws, and mixes images and labels; labels become probabilities in any case. */
  void apply(MutableBatch batch, RandomGenerator random, Images how) {
    Tensor images = images(batch);
    FloatBuffer probabilities = probabilities(batch);
    if (Draw.happens(random, probability)) {
      double kept = how.mix(images, share.draw(random));
      mixRows(probabilities, batch.valid(), numClasses, kept);
      batch.repeatPadding(image);
    }
    batch.repeatPadding(label);
  }

  private Tensor images(MutableBatch batch) {
    Tensor images = batch.tensor(image);
    if (images.dtype() != DType.FLOAT32) {
      throw new IllegalArgumentException(
          "'%s' is %s; fractions of images need FLOAT32: leave out ToTensor with UINT8, or mix"
                  .formatted(image, images)
              + " on the device");
    }
    if (images.shape().rank() != 4 || images.shape().length(0) != batch.size()) {
      throw new IllegalArgumentException(
          "'%s' is %s, not a batch of %d images".formatted(image, images, batch.size()));
    }
    return images;
  }

  /** Returns the labels as probabilities, replaced in the batch unless they are already. */
  private FloatBuffer probabilities(MutableBatch batch) {
    Tensor labels = batch.tensor(label);
    Shape soft = Shape.of(batch.size(), numClasses);
    if (labels.dtype() == DType.FLOAT32 && labels.shape().equals(soft)) {
      return labels.bytes().asFloatBuffer();
    }
    if (labels.dtype() != DType.INT64 || !labels.shape().equals(Shape.of(batch.size()))) {
      throw new IllegalArgumentException(
          "'%s' is %s; expected INT64 %s, or probabilities: FLOAT32 %s"
              .formatted(label, labels, Shape.of(batch.size()), soft));
    }
    ByteBuffer replaced = batch.replace(label, DType.FLOAT32, soft);
    FloatBuffer probabilities = replaced.asFloatBuffer();
    float[] row = new float[numClasses];
    for (long known : labels.toLongArray()) {
      if (known < 0 || known >= numClasses) {
        throw new IllegalArgumentException(
            "'%s' has %d at row %d; %d classes are numbered from 0 to %d"
                .formatted(
                    label,
                    known,
                    probabilities.position() / numClasses,
                    numClasses,
                    numClasses - 1));
      }
      row[(int) known] = 1;
      probabilities.put(row);
      row[(int) known] = 0;
    }
    return probabilities;
  }

  /**
   * Adds up each row and the one before it, in float32: {@code row * share + before * (1 - share)}.
   *
   * @param values rows from index 0 on
   */
  static void mixRows(FloatBuffer values, int rows, int rowLength, double share) {
    float own = (float) share;
    float other = (float) (1.0 - share);
    int chunk = Math.min(CHUNK, rowLength);
    float[] last = new float[chunk];
    float[] here = new float[chunk];
    float[] before = new float[chunk];
    for (int from = 0; from < rowLength; from += chunk) {
      int length = Math.min(chunk, rowLength - from);
      values.get((rows - 1) * rowLength + from, last, 0, length);
      System.arraycopy(last, 0, here, 0, length);
      // From the last row up, so that the row before is still unchanged.
      for (int row = rows - 1; row >= 0; row--) {
        if (row > 0) {
          values.get((row - 1) * rowLength + from, before, 0, length);
        } else {
          System.arraycopy(last, 0, before, 0, length);
        }
        for (int i = 0; i < length; i++) {
          here[i] = here[i] * own + before[i] * other;
        }
        values.put(row * rowLength + from, here, 0, length);
        float[] swapped = here;
        here = before;
        before = swapped;
      }
    }
  }

  /** Puts a part of each row in the place of that of the next one, the last row's in the first. */
  static void moveDown(FloatBuffer values, int rows, int rowLength, int from, int length) {
    float[] last = new float[length];
    float[] part = new float[length];
    values.get((rows - 1) * rowLength + from, last);
    for (int row = rows - 1; row > 0; row--) {
      values.get((row - 1) * rowLength + from, part);
      values.put(row * rowLength + from, part);
    }
    values.put(from, last);
  }

  /** Returns the options as a transform prints them. */
  @Override
  public String toString() {
    return "numClasses=%d, alpha=%s, probability=%s, image=%s, label=%s"
        .formatted(numClasses, share.alpha(), probability, image, label);
  }
}
