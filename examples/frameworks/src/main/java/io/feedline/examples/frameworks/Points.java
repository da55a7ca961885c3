package io.feedline.examples.frameworks;

import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import java.util.Map;
import java.util.SplittableRandom;

/** Generated points x, with the value {@code y = 2 x0 - x1 + 0.5 x2 + 3} of each point. */
final class Points {
  private Points() {}

  /** Returns n samples: {@code x} FLOAT32 (3) and {@code y} FLOAT32 (1). */
  static Dataset<Map<String, Tensor>> of(int n) {
    SplittableRandom random = new SplittableRandom(0);
    float[] x = new float[3 * n];
    float[] y = new float[n];
    for (int i = 0; i < n; i++) {
      for (int axis = 0; axis < 3; axis++) {
        x[3 * i + axis] = (float) random.nextDouble(-1, 1);
      }
      y[i] = 2 * x[3 * i] - x[3 * i + 1] + 0.5f * x[3 * i + 2] + 3;
    }
    return Dataset.ofTensors(Map.of("x", Tensor.of(x, n, 3), "y", Tensor.of(y, n, 1)));
  }
}
