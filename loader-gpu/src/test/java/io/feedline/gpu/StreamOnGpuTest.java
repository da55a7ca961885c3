package io.feedline.gpu;

import ai.djl.Device;
import io.feedline.gpu.internal.Cuda;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;

/** The scenarios on GPU 0; batches are shared out among all GPUs that there are. */
@EnabledIfCuda
@Tag("cuda-stream")
class StreamOnGpuTest extends StreamContract {

  /** A batch of four has 2.3 MB; to copy it, and to multiply once, takes 0.1 ms or more each. */
  StreamOnGpuTest() {
    super(Device.gpu(0), 20_001, 1024, 20);
  }

  @Override
  Supplier<Cuda> driver() {
    return null;
  }

  @Override
  List<Device> devices() {
    int count = Cuda.load().deviceCount();
    return IntStream.range(0, Math.max(2, count)).mapToObj(i -> Device.gpu(i % count)).toList();
  }
}
