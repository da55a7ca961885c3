package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.CapturedLog;
import io.feedline.DataLoader;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.cuda.EnabledIfFakeCuda;
import io.feedline.gpu.cuda.FakeCudaControl;
import io.feedline.gpu.cuda.WaitingDriver;
import java.io.IOException;
import java.util.Iterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a user reads when CUDA refuses something: each a line that says what helps. */
@EnabledIfFakeCuda
class MessagesTest {

  private FakeCudaControl control;
  private NDManager manager;

  @BeforeEach
  void begin() throws IOException {
    control = FakeCudaControl.load();
    control.reset();
    manager = FakeGpu.manager();
  }

  @AfterEach
  void end() {
    FakeGpu.end(manager, control);
  }

  private static DataLoader<Sample> host() {
    return DataLoader.builder(FakeGpu.samples(20)).batchSize(2).numWorkers(1).build();
  }

  private DeviceLoader.Builder over(DataLoader<?> host) {
    return DeviceLoader.builder(host).manager(manager).driver(WaitingDriver::cuda);
  }

  @Test
  void explore() {
    try (CapturedLog log = new CapturedLog();
        PinnedAllocator allocator = PinnedAllocator.of(Device.gpu(0))) {
      control.pinnedLimit(1000);
      allocator.allocate(4096).close();
      allocator.allocate(4096).close();
      System.out.println(log.text());
    }
    for (int code : new int[] {100, 803}) {
      System.out.println(code);
      control.failCall("cuInit", 1, code);
      try (CapturedLog log = new CapturedLog();
          PinnedAllocator allocator = PinnedAllocator.of(Device.gpu(0))) {
        control.failCall("cuInit", 1, code);
        System.out.println(allocator);
        try (DataLoader<Sample> host = host();
            DeviceLoader loader = over(host).build()) {
          loader.iterator().next().close();
        }
        System.out.println(log.text());
      }
    }
    control.failCopy(5, 700);
    try (CapturedLog log = new CapturedLog();
        DataLoader<Sample> host = host(); ) {
      DeviceLoader loader = over(host).build();
      Iterator<DeviceBatch> batches = loader.iterator();
      for (int i = 0; i < 14; i++) {
        try {
          batches.next().close();
        } catch (CudaException | IllegalStateException e) {
          System.out.println(i + ": " + e);
        }
      }
      try {
        assertThat(loader.iterator()).isNull();
      } catch (IllegalStateException e) {
        System.out.println(e);
      }
      loader.close();
      System.out.println(log.text());
    }
    assertThatThrownBy(
            () -> {
              throw new IllegalStateException();
            })
        .isInstanceOf(IllegalStateException.class);
    assertThat(1).isOne();
  }
}
