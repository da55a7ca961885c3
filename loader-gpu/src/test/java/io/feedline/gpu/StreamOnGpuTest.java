package io.feedline.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.djl.Device;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.RequiredGpu;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;

/** The scenarios on GPU 0; batches are shared out among all GPUs that there are. */
@EnabledIfCuda
@Tag("cuda-stream")
class StreamOnGpuTest extends StreamContract {

  @Override
  Device device() {
    return Device.gpu(0);
  }

  @Override
  Supplier<Cuda> driver() {
    return null;
  }

  /** The only one twice, if there is only one. */
  @Override
  List<Device> devices() {
    int count = Cuda.load().deviceCount();
    return IntStream.range(0, Math.max(2, count)).mapToObj(i -> Device.gpu(i % count)).toList();
  }

  /** A batch of four has 2.3 MB, which takes a tenth of a millisecond to cross. */
  @Override
  int elements() {
    return 20_001;
  }

  /** A product takes a tenth of a millisecond or more. */
  @Override
  int side() {
    return 1024;
  }

  @Override
  int products() {
    return 20;
  }

  @Override
  long usedBytes() {
    try {
      Process asked =
          new ProcessBuilder(
                  "nvidia-smi",
                  "--query-gpu=memory.used",
                  "--format=csv,noheader,nounits",
                  "-i",
                  "0")
              .redirectErrorStream(true)
              .start();
      String said = new String(asked.getInputStream().readAllBytes(), UTF_8).strip();
      if (asked.waitFor() != 0) {
        throw RequiredGpu.abort(said);
      }
      return Long.parseLong(said) << 20;
    } catch (IOException e) {
      throw RequiredGpu.abort(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
