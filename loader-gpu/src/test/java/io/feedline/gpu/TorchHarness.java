package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.CudaContext;
import io.feedline.gpu.internal.CudaStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

abstract class TorchHarness {

  private final Device device;

  NDManager manager;
  TorchAbi torch;
  CudaContext context;

  TorchHarness(Device device) {
    this.device = device;
  }

  @BeforeEach
  void open() {
    manager = NDManager.newBaseManager(device, "PyTorch");
    torch = TorchAbi.load();
    context = Cuda.load().context(0);
    context.enter();
  }

  @AfterEach
  void close() {
    context.leave();
    context.close();
    manager.close();
  }

  final CudaStream computing() {
    return context.stream(torch.currentStream(0));
  }
}
