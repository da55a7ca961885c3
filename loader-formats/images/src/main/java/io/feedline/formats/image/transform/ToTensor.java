package io.feedline.formats.image.transform;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.internal.TensorChecks;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.util.Objects;

/**
 * A transform that sets the dtype and layout of an image in a batch. By default every image becomes
 * float32 in CHW, with values divided by 255, so a pipeline needs this transform only for another
 * dtype or layout:
 *
 * <pre>{@code
 * ToTensor.of(DType.UINT8).withLayout(ImageLayout.HWC)
 * }</pre>
 *
 * <p>Bytes, with values 0 to 255, take a quarter of the memory and of the transfer to the device.
 * They are not divided by 255, and cannot be normalized on the host.
 *
 * <p>Images of 16 bits a sample ({@link io.feedline.formats.image.pixel.ImageMode#GRAY16}) become
 * FLOAT32, INT32 or UINT16, with whole values in each dtype, as in torchvision; {@link
 * ConvertDtype} scales them. DJL's PyTorch engine does not accept UINT16. Immutable and
 * thread-safe.
 */
public final class ToTensor extends Transforms.Value implements Transform<Image, Image> {

  private record Options(DType dtype, ImageLayout layout) {
    Options {
      TensorChecks.requireDType(dtype);
      Objects.requireNonNull(layout, "layout");
    }
  }

  private final Options options;

  private ToTensor(Options options) {
    super(options);
    this.options = options;
  }

  /** Returns torchvision's ToTensor: the transform to float32 in CHW, values divided by 255. */
  public static ToTensor of() {
    return of(DType.FLOAT32);
  }

  /**
   * Returns the transform that sets the dtype, in CHW.
   *
   * @param dtype {@link DType#FLOAT32}, {@link DType#FLOAT16} or {@link DType#BFLOAT16}, which are
   *     PyTorch's {@code half()} and {@code bfloat16()} of float32, or {@link DType#UINT8}; for
   *     samples of 16 bits also {@link DType#UINT16} or {@link DType#INT32}
   */
  public static ToTensor of(DType dtype) {
    return new ToTensor(new Options(dtype, ImageLayout.CHW));
  }

  /**
   * Returns the transform to a tensor whose elements are linear combinations of the image's
   * elements: torchvision's LinearTransformation, for whitening. The image becomes FLOAT32
   * (channels, height, width), normalized if a Normalize was applied. The mean is subtracted from
   * the n elements, and the resulting row is multiplied by the matrix, in float32. PyTorch adds in
   * another order, so the last bits differ. The transform is immutable and thread-safe, and throws
   * {@link IllegalArgumentException} for an image of another size.
   *
   * @param matrix n rows of n numbers; not copied: the matrix must not change
   * @param mean n numbers; copied
   * @throws IllegalArgumentException if the matrix is not square, or there are not n means
   */
  public static Transform<Image, Tensor> linear(float[][] matrix, float[] mean) {
    return LinearTransformation.of(matrix, mean);
  }

  /** Returns the same transform with another order of the axes; CHW is the default. */
  public ToTensor withLayout(ImageLayout layout) {
    return with("layout", layout);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the image is normalized and the dtype is an integer type, or
   *     the dtype does not fit the bits of the samples
   */
  @Override
  public Image apply(Image image) {
    return image.toTensor(options.dtype, options.layout);
  }
}
