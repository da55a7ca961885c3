package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.NDScope;
import com.sun.jna.NativeLibrary;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of PyTorch's own functions leave the process and the caller's scope as they were. */
class TorchAbiTest {

  private final NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");

  @AfterEach
  void close() {
    manager.close();
  }

  /** Else libraries that are loaded later would use PyTorch's BLAS and protobuf for their own. */
  @Test
  void shouldNotShowPyTorchsFunctionsToOtherLibraries() {
    TorchAbi torch = TorchAbi.load();
    assertThat(torch.address(manager.create(1f))).isNotZero();

    NativeLibrary process = NativeLibrary.getProcess();
    assertThatThrownBy(() -> process.getFunction("aoti_torch_get_data_ptr"))
        .isInstanceOf(UnsatisfiedLinkError.class);
  }

  @Test
  void shouldKeepASlotsMemoryWhenTheCallersScopeEnds() {
    TorchMemory memory = new TorchMemory(manager, TorchAbi.load(), 0);
    DeviceMemory.Block block;
    try (NDScope scope = new NDScope()) {
      scope.suppressNotUsedWarning();
      block = memory.allocate(100);
    }
    List<NDArray> arrays = manager.getManagedArrays();
    assertThat(arrays).hasSize(1);
    assertThat(arrays.get(0).isReleased()).isFalse();

    block.close();
    assertThat(manager.getManagedArrays()).isEmpty();
  }
}
