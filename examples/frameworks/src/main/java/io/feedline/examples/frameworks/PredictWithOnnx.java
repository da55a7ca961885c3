package io.feedline.examples.frameworks;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.FloatBuffer;
import java.util.Locale;
import java.util.Map;

/**
 * Runs a model of ONNX over the batches of a loader, without copying them: {@code PredictWithOnnx}.
 * The model computes the values of {@link Points}; {@code make_model.py} wrote it.
 */
public final class PredictWithOnnx {
  private PredictWithOnnx() {}

  /** Prints the largest error of the model. */
  public static void main(String[] args) throws IOException, OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    double worst = 0;
    int rows = 0;
    try (OrtSession session = environment.createSession(model());
        DataLoader<Map<String, Tensor>> loader =
            DataLoader.builder(Points.of(1000)).batchSize(64).build()) {
      for (Batch batch : loader) {
        try (batch;
            OnnxTensor x = onnxTensor(environment, batch.tensor("x"));
            OrtSession.Result result = session.run(Map.of("x", x))) {
          FloatBuffer predicted = ((OnnxTensor) result.get(0)).getFloatBuffer();
          FloatBuffer expected = batch.tensor("y").bytes().asFloatBuffer();
          for (int row = 0; row < batch.size(); row++) {
            worst = Math.max(worst, Math.abs(predicted.get(row) - expected.get(row)));
          }
          rows += batch.size();
        }
      }
    }
    System.out.printf(Locale.ROOT, "%d rows, off by %.4f at most%n", rows, worst);
  }

  /** Returns a tensor over the same memory; close it before the batch. */
  static OnnxTensor onnxTensor(OrtEnvironment environment, Tensor tensor) throws OrtException {
    OnnxJavaType type =
        switch (tensor.dtype()) {
          case UINT8 -> OnnxJavaType.UINT8;
          case INT8 -> OnnxJavaType.INT8;
          case INT16 -> OnnxJavaType.INT16;
          case INT32 -> OnnxJavaType.INT32;
          case INT64 -> OnnxJavaType.INT64;
          case FLOAT16 -> OnnxJavaType.FLOAT16;
          case BFLOAT16 -> OnnxJavaType.BFLOAT16;
          case FLOAT32 -> OnnxJavaType.FLOAT;
          case FLOAT64 -> OnnxJavaType.DOUBLE;
          case BOOL -> OnnxJavaType.BOOL;
          case UINT16 -> throw new IllegalArgumentException("ONNX Runtime for Java has no UINT16");
        };
    return OnnxTensor.createTensor(environment, tensor.bytes(), tensor.shape().lengths(), type);
  }

  static byte[] model() throws IOException {
    try (InputStream model = PredictWithOnnx.class.getResourceAsStream("line.onnx")) {
      return model.readAllBytes();
    }
  }
}
