package io.feedline.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.api.ndarray.INDArray;

class FrameworksTest {

  @Nested
  class OnnxTest {

    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();

    @Test
    void shouldComputeTheValuesOfAllRows() throws Exception {
      assertThat(printedBy(() -> PredictWithOnnx.main(new String[0])))
          .containsExactly("1000 rows, off by 0.0000 at most");
    }

    @Test
    void shouldComputeWithTheBatchsOwnMemory() throws Exception {
      Tensor x = direct(DType.FLOAT32, 2, 3);
      try (OrtSession session = environment.createSession(PredictWithOnnx.model());
          OnnxTensor input = PredictWithOnnx.onnxTensor(environment, x)) {
        x.bytes().putFloat(0, 10);
        try (OrtSession.Result result = session.run(Map.of("x", input))) {
          assertThat(((OnnxTensor) result.get(0)).getFloatBuffer().get(0)).isEqualTo(23);
        }
        assertThat(input.ownsBuffer()).isFalse();
      }
    }

    @Test
    void shouldClassifyEncodedImages() throws Exception {
      assertThat(printedBy(() -> ServeWithOnnx.main(new String[0])))
          .containsExactly("#ff0000: red", "#00ff00: green", "#283cc8: blue", "#fff000: red");
    }

    @Test
    void shouldPreprocessIntoTheModelsInput() throws Exception {
      List<byte[]> uploads = Collections.nCopies(4, ServeWithOnnx.png(new Color(51, 102, 255)));
      try (ServeWithOnnx service = new ServeWithOnnx()) {
        assertThat(service.classify(uploads)).containsOnly("blue");

        assertThat(service.input().ownsBuffer()).isFalse();
        assertThat(service.input().getFloatBuffer().get(0)).isEqualTo(0.2f);
        service.batch().bytes().putFloat(0, 77);
        assertThat(service.input().getFloatBuffer().get(0)).isEqualTo(77);
      }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UINT16")
    void shouldTakeItsTypes(DType dtype) throws Exception {
      Tensor ones = ones(dtype, 2, 3);
      try (OnnxTensor tensor = PredictWithOnnx.onnxTensor(environment, ones)) {
        assertThat(tensor.getInfo().getShape()).containsExactly(2, 3);
        assertThat(tensor.getInfo().type.size).isEqualTo(dtype.bytes());
        assertThat(tensor.getByteBuffer()).isEqualTo(ones.bytes());
        assertThat(tensor.ownsBuffer()).isFalse();
      }
    }

    @Test
    void shouldRefuseATypeThatItDoesNotHave() {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> PredictWithOnnx.onnxTensor(environment, direct(DType.UINT16, 1)).close())
          .withMessageContaining("UINT16");
    }
  }

  @Nested
  @EnabledIf(
      value = "io.feedline.examples.frameworks.FrameworksTest#haveNatives",
      disabledReason = "DL4J's natives come with -Dframeworks")
  class Dl4jTest {

    @Test
    void shouldLearnAndGiveAllBatchesBack() throws Exception {
      List<String> printed = printedBy(() -> TrainWithDl4j.main(new String[0]));

      assertThat(printed.get(0)).matches("loss [0-9]+\\.[0-9]{4}, then 0\\.00[0-9]{2}");
      assertThat(printed.subList(1, 3))
          .containsExactly("batches still open: 0", "weights 2.00 -1.00 0.50, bias 3.00");
    }

    @ParameterizedTest
    @EnumSource
    void shouldHaveTheBatchsOwnMemory(DType dtype) {
      Tensor tensor = direct(dtype, 2, 3);
      INDArray array = Dl4jBatches.array(tensor);

      assertThat(array.shape()).containsExactly(2, 3);
      assertThat(array.getDouble(1, 2)).isZero();
      tensor.bytes().put(ones(dtype, 2, 3).bytes());
      assertThat(array.getDouble(1, 2)).isEqualTo(1);
    }

    /** The natives see the memory, too. */
    @Test
    void shouldComputeWithTheBatchsOwnMemory() {
      Tensor tensor = direct(DType.FLOAT32, 2, 3);
      INDArray array = Dl4jBatches.array(tensor);
      tensor.bytes().put(ones(DType.FLOAT32, 2, 3).bytes());

      assertThat(array.sumNumber().doubleValue()).isEqualTo(6);
    }
  }

  @Nested
  @EnabledIf(
      value = "io.feedline.examples.frameworks.FrameworksTest#haveNatives",
      disabledReason = "TensorFlow's natives come with -Dframeworks")
  class TensorFlowTest {

    @Test
    void shouldComputeTheValuesOfAllRows() throws Exception {
      assertThat(printedBy(() -> PredictWithTensorFlow.main(new String[0])))
          .containsExactly("1000 rows, off by 0.0000 at most");
    }

    @ParameterizedTest
    @EnumSource(
        mode = EnumSource.Mode.EXCLUDE,
        names = {"INT8", "INT16"})
    void shouldCopyItsTypes(DType dtype) {
      Tensor ones = ones(dtype, 2, 3);
      byte[] before = ones.toByteArray();
      try (org.tensorflow.Tensor copy = PredictWithTensorFlow.tensor(ones)) {
        ones.bytes().put(new byte[ones.byteSize()]);
        byte[] bytes = new byte[ones.byteSize()];
        copy.asRawTensor().data().read(bytes);

        assertThat(copy.shape().asArray()).containsExactly(2, 3);
        assertThat(bytes).isEqualTo(before);
      }
    }

    @Test
    void shouldRefuseATypeThatItDoesNotHave() {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PredictWithTensorFlow.tensor(direct(DType.INT16, 1)).close())
          .withMessageContaining("INT16");
    }
  }

  /** A program. */
  interface Program {
    void run() throws Exception;
  }

  /**
   * Tests whether the natives of DL4J and TensorFlow are on the class path: {@code -Dframeworks}.
   */
  static boolean haveNatives() {
    try {
      Class.forName("org.nd4j.linalg.cpu.nativecpu.CpuBackend", false, loader());
      return true;
    } catch (ClassNotFoundException missing) {
      return false;
    }
  }

  private static ClassLoader loader() {
    return FrameworksTest.class.getClassLoader();
  }

  /** Returns zeros in the middle of direct memory, as a batch has its tensors. */
  static Tensor direct(DType dtype, long... shape) {
    Shape axes = Shape.of(shape);
    int bytes = (int) Tensor.byteSize(dtype, axes);
    return Tensor.of(dtype, axes, ByteBuffer.allocateDirect(64 + bytes).slice(64, bytes));
  }

  /** Returns ones in the middle of direct memory. */
  static Tensor ones(DType dtype, long... shape) {
    Tensor tensor = direct(dtype, shape);
    ByteBuffer bytes = tensor.bytes().order(ByteOrder.nativeOrder());
    while (bytes.hasRemaining()) {
      switch (dtype) {
        case UINT8, INT8, BOOL -> bytes.put((byte) 1);
        case UINT16, INT16 -> bytes.putShort((short) 1);
        case INT32 -> bytes.putInt(1);
        case INT64 -> bytes.putLong(1);
        case FLOAT16 -> bytes.putShort((short) 0x3C00);
        case BFLOAT16 -> bytes.putShort((short) 0x3F80);
        case FLOAT32 -> bytes.putFloat(1);
        case FLOAT64 -> bytes.putDouble(1);
      }
    }
    return tensor;
  }

  /** Runs a program and returns the lines that it printed. */
  static List<String> printedBy(Program program) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      program.run();
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
