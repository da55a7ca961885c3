package io.feedline.formats.image.transform;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;

/**
 * A transform that sets the dtype of an image in a batch and scales its values accordingly:
 * torchvision's {@code v2.ToDtype(scale=True)}, bit for bit, also with {@link Normalize}.
 *
 * <ul>
 *   <li>{@link DType#FLOAT32}: 0 to 1. Samples of 8 bits are multiplied by {@code 1 / 255f},
 *       samples of 16 bits ({@link ImageMode#GRAY16}) by {@code 1 / 65535f}. {@link ToTensor}
 *       divides by 255 instead, which differs in the last bit of 126 of 256 values.
 *   <li>{@link DType#FLOAT16}, {@link DType#BFLOAT16}: the values of FLOAT32, rounded once. With
 *       {@link Normalize} the values equal PyTorch's {@code half()} of the normalized floats;
 *       torchvision's normalization of halves rounds after each step.
 *   <li>{@link DType#UINT8}: 0 to 255. Samples of 16 bits lose their lower 8 bits, and the image
 *       becomes {@link ImageMode#GRAY}, so that operations for 8 bits may follow.
 *   <li>{@link DType#UINT16}: 0 to 65535, of samples of 16 bits.
 * </ul>
 *
 * <p>{@link ToTensor} sets the dtype and the layout, and does not scale samples of 16 bits.
 * Immutable and thread-safe.
 */
public final class ConvertDtype extends Transforms.Value implements Transform<Image, Image> {

  private record Options(DType dtype) {
    Options {
      switch (dtype) {
        case FLOAT32, FLOAT16, BFLOAT16, UINT8, UINT16 -> {}
        default ->
            throw new IllegalArgumentException(
                "dtype must be FLOAT32, FLOAT16, BFLOAT16, UINT8 or UINT16, was %s; ToTensor with INT32 gives whole values of 16 bits"
                    .formatted(dtype));
      }
    }
  }

  private final DType dtype;

  private ConvertDtype(Options options) {
    super(options);
    this.dtype = options.dtype;
  }

  /**
   * Returns the transform to {@link DType#FLOAT32}, {@link DType#FLOAT16}, {@link DType#BFLOAT16},
   * {@link DType#UINT8} or {@link DType#UINT16}.
   */
  public static ConvertDtype of(DType dtype) {
    return new ConvertDtype(new Options(dtype));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the image is normalized or erased and the dtype is an integer
   *     type, or the image has samples of 8 bits and the dtype is UINT16
   */
  @Override
  public Image apply(Image image) {
    Image scaled =
        switch (dtype) {
          case FLOAT32, FLOAT16, BFLOAT16 -> image.scaleTo1();
          case UINT8 -> image.toEightBits();
          default -> image;
        };
    return scaled.toTensor(dtype, image.layout());
  }
}
