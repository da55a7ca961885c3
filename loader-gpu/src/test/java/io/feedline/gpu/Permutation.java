package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.SplittableRandom;

/**
 * Long work for a device whose result is known exactly: products with a matrix that exchanges
 * columns. Each element is a sum of zeros and one number, so it does not depend on the order in
 * which a device adds up, nor on the precision as long as the numbers are whole and below 1024.
 *
 * <p>The matrix hangs on the manager that this was made with.
 */
final class Permutation {

  private final int[] sources;
  private final NDArray matrix;

  Permutation(NDManager manager, int columns) {
    sources = new int[columns];
    SplittableRandom random = new SplittableRandom(columns);
    for (int i = 0; i < columns; i++) {
      int at = random.nextInt(i + 1);
      sources[i] = sources[at];
      sources[at] = i;
    }
    float[] elements = new float[columns * columns];
    for (int column = 0; column < columns; column++) {
      elements[sources[column] * columns + column] = 1;
    }
    matrix = manager.create(elements, new Shape(columns, columns));
  }

  /** Queues so many products of rows, of which the last one is the result. */
  NDArray apply(NDArray rows, int times) {
    NDArray result = rows.matMul(matrix);
    for (int i = 1; i < times; i++) {
      NDArray next = result.matMul(matrix);
      result.close();
      result = next;
    }
    return result;
  }

  void occupy(int products) {
    apply(matrix, products).close();
  }

  float[] expected(float[] row, int times) {
    float[] result = row;
    for (int i = 0; i < times; i++) {
      float[] next = new float[row.length];
      for (int column = 0; column < row.length; column++) {
        next[column] = result[sources[column]];
      }
      result = next;
    }
    return result;
  }
}
