package io.feedline.formats.image.mixing;

import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.DType;
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
 * <p>Each image becomes {@code share * image + (1 - share) * the one before}, the first one's
 * partner being the last; the sums are torchvision's bit for bit, given the share. Labels, INT64
 * (n), become probabilities, FLOAT32 (n, classes), and are mixed by the same share; labels that are
 * probabilities already are mixed as they are. The share is drawn from Beta(alpha, alpha), once for
 * a batch. In a padded batch the first {@code valid()} samples are mixed among each other, and the
 * rest repeats them.
 *
 * <p>Images must be FLOAT32, and all of one size. Where they cross to a device as bytes, {@code
 * transformOnDevice} of its builder mixes them there. Immutable and thread-safe.
 */
public final class MixUp extends MixingTransform {

  private MixUp(BatchMixing mixing) {
    super(mixing);
  }

  /**
   * Returns the transform with torchvision's default, an alpha of 1: all shares are equally likely.
   *
   * @param numClasses the number of classes, 1 or more
   * @throws IllegalArgumentException if there is no class
   */
  public static MixUp of(int numClasses) {
    return builder(numClasses).build();
  }

  /**
   * Returns the transform with this alpha; torchvision's recipe for ImageNet has 0.2.
   *
   * @param numClasses the number of classes, 1 or more
   * @param alpha the parameter of the Beta distribution, above 0
   * @throws IllegalArgumentException if there is no class, or alpha is not above 0
   */
  public static MixUp of(int numClasses, double alpha) {
    return builder(numClasses).alpha(alpha).build();
  }

  /** Returns a builder with the defaults of {@link #of(int)}. */
  public static Builder builder(int numClasses) {
    return new Builder(numClasses);
  }

  @Override
  double mix(MutableBatch batch, double share, RandomGenerator random) {
    DType dtype = batch.dtype(image());
    if (dtype == DType.UINT8) {
      throw new IllegalArgumentException(
          "'%s' is UINT8 %s; fractions of images need FLOAT32: leave out ToTensor with UINT8, or mix on the device: normalizeOnDevice and transformOnDevice of DeviceLoader.Builder or DjlDataset.Builder"
              .formatted(image(), batch.shape(image())));
    }
    batch.mixRows(image(), share);
    return share;
  }

  @Override
  public String toString() {
    return "MixUp(%s)".formatted(mixing());
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder extends MixingTransform.Options<Builder> {
    private Builder(int numClasses) {
      super(numClasses);
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if there is no class, alpha is not above 0 and finite, or
     *     the probability is not within 0 to 1
     */
    public MixUp build() {
      return new MixUp(mixing());
    }
  }
}
