package io.feedline.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import java.awt.Color;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OnnxTest {

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();

  @Test
  void shouldComputeTheValuesOfAllRows() throws Exception {
    assertThat(Frameworks.printedBy(() -> PredictWithOnnx.main(new String[0])))
        .containsExactly("1000 rows, off by 0.0000 at most");
  }

  @Test
  void shouldComputeWithTheBatchsOwnMemory() throws Exception {
    Tensor x = Frameworks.direct(DType.FLOAT32, 2, 3);
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
    assertThat(Frameworks.printedBy(() -> ServeWithOnnx.main(new String[0])))
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
    Tensor ones = Frameworks.ones(dtype, 2, 3);
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
            () ->
                PredictWithOnnx.onnxTensor(environment, Frameworks.direct(DType.UINT16, 1)).close())
        .withMessageContaining("UINT16");
  }
}
