package io.feedline.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@EnabledIf(
    value = "io.feedline.examples.frameworks.Frameworks#haveNatives",
    disabledReason = "TensorFlow's natives come with -Dframeworks")
class TensorFlowTest {

  @Test
  void shouldComputeTheValuesOfAllRows() throws Exception {
    assertThat(Frameworks.printedBy(() -> PredictWithTensorFlow.main(new String[0])))
        .containsExactly("1000 rows, off by 0.0000 at most");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"INT8", "INT16"})
  void shouldCopyItsTypes(DType dtype) {
    Tensor ones = Frameworks.ones(dtype, 2, 3);
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
        .isThrownBy(() -> PredictWithTensorFlow.tensor(Frameworks.direct(DType.INT16, 1)).close())
        .withMessageContaining("INT16");
  }
}
