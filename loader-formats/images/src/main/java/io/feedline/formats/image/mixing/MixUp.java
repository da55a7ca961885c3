package io.feedline.formats.image.mixing;

import io.feedline.batch.BatchTransform;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.DType;
import io.feedline.transform.Transforms;
import java.util.random.RandomGenerator;

/**
 * A batch transform that mixes the images of a batch, and their labels, in pairs: torchvision's
 * MixUp ("mixup: Beyond Empirical Risk Minimization", Zhang et al., 2017).
 *
 * <pre>{@code
 * DataLoader.builder(images).batchSize(128)
 *     .batchTransform(BatchTransform.oneOf(MixUp.of(1000, 0.2), CutMix.of(1000)))
 * }</pre>
 *
 * <p>Each image becomes {@code share * image + (1 - share) * before}, where {@code before} is the
 * image before it; for the first image, the last image. The sums are torchvision's bit for bit,
 * given the share. Labels, INT64 (n), become probabilities, FLOAT32 (n, classes), and are mixed by
 * the same share. Labels that are probabilities already are mixed directly. The share is drawn from
 * Beta(alpha, alpha), once for a batch. In a padded batch the first {@code valid()} samples are
 * mixed with each other, and the padding repeats them.
 *
 * <p>Images must be FLOAT32, and all have the same size. Images that are copied to a device as
 * bytes can be mixed there, by {@code transformOnDevice} of the device loader's builder. Immutable
 * and thread-safe.
 */
public final class MixUp extends Transforms.Value implements BatchTransform {

  private final BatchMixing mixing;

  private MixUp(BatchMixing mixing) {
    super(mixing);
    this.mixing = mixing;
  }

  /**
   * Returns the transform for {@code numClasses} classes, 1 or more, with torchvision's default, an
   * alpha of 1: all shares are equally likely.
   */
  public static MixUp of(int numClasses) {
    return of(numClasses, 1);
  }

  /**
   * Returns the transform with this alpha, above 0 and finite. In torchvision's recipe for ImageNet
   * it is 0.2.
   */
  public static MixUp of(int numClasses, double alpha) {
    return new MixUp(BatchMixing.of(numClasses, alpha));
  }

  /**
   * Returns the same transform with another parameter of the Beta distribution, above 0 and finite;
   * a smaller alpha mixes less.
   */
  public MixUp withAlpha(double alpha) {
    return with("alpha", alpha);
  }

  /**
   * Returns the same transform with another probability of mixing a batch, 0 to 1; 1 by default.
   * Labels become probabilities in any case.
   */
  public MixUp withProbability(double probability) {
    return with("probability", probability);
  }

  /**
   * Returns the same transform with another name of the images' tensor; {@code image} by default.
   */
  public MixUp withImage(String name) {
    return with("image", name);
  }

  /**
   * Returns the same transform with another name of the labels' tensor; {@code label} by default.
   */
  public MixUp withLabel(String name) {
    return with("label", name);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if images or labels are missing or have another dtype or
   *     shape, or a label is not a class
   */
  @Override
  public void apply(MutableBatch batch, RandomGenerator random) {
    mixing.apply(batch, random, share -> mix(batch, share));
  }

  private double mix(MutableBatch batch, double share) {
    DType dtype = batch.dtype(mixing.image());
    if (dtype == DType.UINT8) {
      throw new IllegalArgumentException(
          "'%s' is UINT8 %s; fractions of images need FLOAT32: leave out ToTensor with UINT8, or mix on the device: normalizeOnDevice and transformOnDevice of DeviceLoader.Builder or DjlDataset.Builder"
              .formatted(mixing.image(), batch.shape(mixing.image())));
    }
    batch.mixRows(mixing.image(), share);
    return share;
  }
}
