package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.util.Utils;
import org.junit.jupiter.api.Test;

class PyTorchEngineTest {
  @Test
  void shouldAddNumbersWithoutNetwork() {
    assertThat(Utils.isOfflineMode()).isTrue();
    try (NDManager manager = NDManager.newBaseManager("PyTorch")) {
      NDArray sum = manager.create(2f).add(manager.create(3f));

      assertThat(sum.getFloat()).isEqualTo(5f);
    }
  }
}
