package io.feedline.formats.image.transform;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Objects;

/**
 * A transform that sets the dtype and layout of an image in a batch. Float32 in CHW, values divided
 * by 255, is the default of every image, so a pipeline needs this transform only for something
 * else:
 *
 * <pre>{@code
 * ToTensor.builder().dtype(DType.UINT8).layout(ImageLayout.HWC).build()
 * }</pre>
 *
 * <p>Bytes, values 0 to 255, take a quarter of the memory and of the transfer to the device; they
 * are not divided by 255, and cannot be normalized on the host.
 *
 * <p>Images of 16 bits a sample ({@link io.feedline.formats.image.pixel.ImageMode#GRAY16}) become
 * FLOAT32, INT32 or UINT16, with whole values in all of them, as in torchvision; {@link
 * ConvertDtype} scales them. DJL has no UINT16. Immutable and thread-safe.
 */
public final class ToTensor implements Transform<Image, Image> {
  private final DType dtype;
  private final ImageLayout layout;

  private ToTensor(Builder builder) {
    this.dtype = builder.dtype;
    this.layout = builder.layout;
  }

  /** Returns the transform to float32 in CHW, values divided by 255: torchvision's ToTensor. */
  public static ToTensor of() {
    return builder().build();
  }

  /**
   * Returns the transform to a tensor whose elements are sums of all of the image's: torchvision's
   * LinearTransformation, as whitening takes it. The image becomes FLOAT32 (channels, height,
   * width) as it is, normalized or not; from its n elements the mean is subtracted, and the row is
   * multiplied by the matrix, in float32. PyTorch adds in another order, so the last bits differ.
   * The transform is immutable and thread-safe; it throws {@link IllegalArgumentException} for an
   * image of another size.
   *
   * @param matrix n rows of n numbers; not copied: it must not change
   * @param mean n numbers; copied
   * @throws IllegalArgumentException if the matrix is not square, or there are other than n means
   */
  public static Transform<Image, Tensor> linear(float[][] matrix, float[] mean) {
    for (int row = 0; row < matrix.length; row++) {
      if (matrix[row].length != matrix.length) {
        throw new IllegalArgumentException(
            "the matrix must be square, row %d of %d has %d numbers"
                .formatted(row, matrix.length, matrix[row].length));
      }
    }
    if (mean.length != matrix.length) {
      throw new IllegalArgumentException(
          "there must be a mean for each of the %d rows of the matrix, found %d"
              .formatted(matrix.length, mean.length));
    }
    return new Linear(matrix, mean.clone());
  }

  /** See {@link #linear}. */
  @SuppressWarnings("ArrayRecordComponent") // Transforms are not compared.
  private record Linear(float[][] matrix, float[] mean) implements Transform<Image, Tensor> {

    @Override
    public Tensor apply(Image image) throws IOException {
      Image floats = image.toTensor(DType.FLOAT32, ImageLayout.CHW);
      if (floats.shape().elements() != mean.length) {
        throw new IllegalArgumentException(
            "a matrix of %d rows is for as many elements, found %d in %s"
                .formatted(mean.length, floats.shape().elements(), image));
      }
      Tensor tensor = Tensor.zeros(DType.FLOAT32, floats.shape());
      floats.writeTo(tensor.bytes());
      FloatBuffer elements = tensor.bytes().asFloatBuffer();
      float[] sums = new float[mean.length];
      for (int i = 0; i < mean.length; i++) {
        float element = elements.get(i) - mean[i];
        float[] row = matrix[i];
        for (int j = 0; j < sums.length; j++) {
          sums[j] += element * row[j];
        }
      }
      elements.put(sums);
      return tensor;
    }

    @Override
    public String toString() {
      return "LinearTransformation(size=%d)".formatted(mean.length);
    }
  }

  /** Returns a builder with the defaults of {@link #of}. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the dtype: {@link DType#FLOAT32}, {@link DType#FLOAT16}, {@link DType#BFLOAT16}, {@link
   * DType#UINT8}, {@link DType#UINT16} or {@link DType#INT32}.
   */
  public DType dtype() {
    return dtype;
  }

  /** Returns the order of the axes. */
  public ImageLayout layout() {
    return layout;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the image is normalized and the dtype is an integer one, or
   *     the dtype does not fit the bits of the samples
   */
  @Override
  public Image apply(Image image) {
    return image.toTensor(dtype, layout);
  }

  @Override
  public String toString() {
    return "ToTensor(dtype=%s, layout=%s)".formatted(dtype, layout);
  }

  /** The options of the transform. Not thread-safe. */
  public static final class Builder {
    private DType dtype = DType.FLOAT32;
    private ImageLayout layout = ImageLayout.CHW;

    private Builder() {}

    /**
     * Sets the dtype: {@link DType#FLOAT32}, the default, {@link DType#FLOAT16} or {@link
     * DType#BFLOAT16}, which are PyTorch's {@code half()} and {@code bfloat16()} of it, or {@link
     * DType#UINT8}; for samples of 16 bits also {@link DType#UINT16} or {@link DType#INT32}.
     */
    public Builder dtype(DType dtype) {
      this.dtype = Objects.requireNonNull(dtype, "dtype");
      return this;
    }

    /** Sets the order of the axes; {@link ImageLayout#CHW} by default. */
    public Builder layout(ImageLayout layout) {
      this.layout = Objects.requireNonNull(layout, "layout");
      return this;
    }

    /**
     * Builds the transform.
     *
     * @throws IllegalArgumentException if the dtype is not one of these
     */
    public ToTensor build() {
      Image.requireDType(dtype);
      return new ToTensor(this);
    }
  }
}
