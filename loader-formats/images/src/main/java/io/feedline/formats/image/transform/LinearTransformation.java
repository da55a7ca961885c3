package io.feedline.formats.image.transform;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.io.IOException;
import java.nio.FloatBuffer;

/** The transform of {@link ToTensor#linear}. */
final class LinearTransformation extends Transforms.Value implements Transform<Image, Tensor> {

  @SuppressWarnings("ArrayRecordComponent") // Transforms.Value compares the elements.
  private record Options(float[][] matrix, float[] mean) {
    Options {
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
      mean = mean.clone();
    }
  }

  private final float[][] matrix;
  private final float[] mean;

  private LinearTransformation(Options options) {
    super(options);
    this.matrix = options.matrix;
    this.mean = options.mean;
  }

  static LinearTransformation of(float[][] matrix, float[] mean) {
    return new LinearTransformation(new Options(matrix, mean));
  }

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
}
