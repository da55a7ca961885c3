package io.feedline.examples.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.api.ndarray.INDArray;

@EnabledIf(
    value = "io.feedline.examples.frameworks.Frameworks#haveNatives",
    disabledReason = "DL4J's natives come with -Dframeworks")
class Dl4jTest {

  @Test
  void shouldLearnAndGiveAllBatchesBack() throws Exception {
    List<String> printed = Frameworks.printedBy(() -> TrainWithDl4j.main(new String[0]));

    assertThat(printed.get(0)).matches("loss [0-9]+\\.[0-9]{4}, then 0\\.00[0-9]{2}");
    assertThat(printed.subList(1, 3))
        .containsExactly("batches still open: 0", "weights 2.00 -1.00 0.50, bias 3.00");
  }

  @ParameterizedTest
  @EnumSource
  void shouldHaveTheBatchsOwnMemory(DType dtype) {
    Tensor tensor = Frameworks.direct(dtype, 2, 3);
    INDArray array = Dl4jBatches.array(tensor);

    assertThat(array.shape()).containsExactly(2, 3);
    assertThat(array.getDouble(1, 2)).isZero();
    tensor.bytes().put(Frameworks.ones(dtype, 2, 3).bytes());
    assertThat(array.getDouble(1, 2)).isEqualTo(1);
  }

  /** The natives see the memory, too. */
  @Test
  void shouldComputeWithTheBatchsOwnMemory() {
    Tensor tensor = Frameworks.direct(DType.FLOAT32, 2, 3);
    INDArray array = Dl4jBatches.array(tensor);
    tensor.bytes().put(Frameworks.ones(DType.FLOAT32, 2, 3).bytes());

    assertThat(array.sumNumber().doubleValue()).isEqualTo(6);
  }
}
