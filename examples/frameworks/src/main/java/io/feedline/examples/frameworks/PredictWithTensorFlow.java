package io.feedline.examples.frameworks;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import java.util.Locale;
import java.util.Map;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.types.TBfloat16;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TFloat16;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TUint16;
import org.tensorflow.types.TUint8;
import org.tensorflow.types.family.TType;

/**
 * Runs a graph of TensorFlow over the batches of a loader: {@code PredictWithTensorFlow}. The graph
 * computes the values of {@link Points}.
 */
public final class PredictWithTensorFlow {
  private PredictWithTensorFlow() {}

  /** Prints the largest error of the graph. */
  public static void main(String[] args) {
    double worst = 0;
    int rows = 0;
    try (Graph graph = new Graph();
        Session session = new Session(graph);
        DataLoader<Map<String, io.feedline.batch.Tensor>> loader =
            DataLoader.builder(Points.of(1000)).batchSize(64).build()) {
      Ops tf = Ops.create(graph);
      Placeholder<TFloat32> x =
          tf.placeholder(TFloat32.class, Placeholder.shape(Shape.of(Shape.UNKNOWN_SIZE, 3)));
      Operand<TFloat32> weights = tf.constant(new float[][] {{2}, {-1}, {0.5f}});
      Operand<TFloat32> y = tf.math.add(tf.linalg.matMul(x, weights), tf.constant(3f));
      for (Batch batch : loader) {
        try (batch;
            Tensor input = tensor(batch.tensor("x"));
            Result result = session.runner().feed(x, input).fetch(y).run()) {
          TFloat32 predicted = (TFloat32) result.get(0);
          for (int row = 0; row < batch.size(); row++) {
            float expected = batch.tensor("y").get(row, 0).floatValue();
            worst = Math.max(worst, Math.abs(predicted.getFloat(row, 0) - expected));
          }
          rows += batch.size();
        }
      }
    }
    System.out.printf(Locale.ROOT, "%d rows, off by %.4f at most%n", rows, worst);
  }

  /**
   * Returns a copy in TensorFlow's own memory, the only memory that its tensors support. The caller
   * closes the copy, and may close the batch before.
   */
  static Tensor tensor(io.feedline.batch.Tensor tensor) {
    Class<? extends TType> type =
        switch (tensor.dtype()) {
          case UINT8 -> TUint8.class;
          case UINT16 -> TUint16.class;
          case INT32 -> TInt32.class;
          case INT64 -> TInt64.class;
          case FLOAT16 -> TFloat16.class;
          case BFLOAT16 -> TBfloat16.class;
          case FLOAT32 -> TFloat32.class;
          case FLOAT64 -> TFloat64.class;
          case BOOL -> TBool.class;
          case INT8, INT16 ->
              throw new IllegalArgumentException("TensorFlow for Java has no " + tensor.dtype());
        };
    return Tensor.of(type, Shape.of(tensor.shape().lengths()), DataBuffers.of(tensor.bytes()));
  }
}
