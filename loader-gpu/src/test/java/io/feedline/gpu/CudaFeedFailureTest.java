package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import io.feedline.DataLoader;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.FakeGpu.Sample;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.EnabledIfFakeCuda;
import io.feedline.gpu.internal.FakeCudaControl;
import io.feedline.gpu.internal.HookedDriver;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each call of the driver fails once, wherever it is made, and each copy: what is delivered is
 * right nevertheless, nothing hangs, and nothing is left.
 */
@EnabledIfFakeCuda
class CudaFeedFailureTest extends FakeGpuHarness {

  private static final int OUT_OF_MEMORY = 2;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int LAUNCH_FAILED = 719;

  private record Outcome(int delivered, Optional<RuntimeException> failure) {}

  private Outcome run() {
    int delivered = 0;
    try (PinnedAllocator pinned =
            PinnedAllocator.builder(Device.gpu(0)).driver(HookedDriver::waiting).build();
        DataLoader<Sample> host =
            DataLoader.builder(FakeGpu.samples(12))
                .batchSize(3)
                .numWorkers(2)
                .allocator(pinned)
                .build()) {
      RuntimeException failure = null;
      try (DeviceLoader loader = waiting(host).build()) {
        for (DeviceBatch batch : loader) {
          delivered += checked(batch);
        }
        Iterator<DeviceBatch> second = loader.iterator();
        delivered += checked(second.next());
        delivered += checked(second.next());
      } catch (CudaException | IllegalStateException e) {
        failure = e;
      }
      assertThat(host.stats().batchesOpen()).isZero();
      return new Outcome(delivered, Optional.ofNullable(failure));
    }
  }

  private static int checked(DeviceBatch batch) {
    FakeGpu.checkNow(List.of(batch));
    return 1;
  }

  @ParameterizedTest
  @ValueSource(ints = {OUT_OF_MEMORY, ILLEGAL_ADDRESS})
  void shouldLeaveNothingWhicheverCallFails(int code) {
    assertThat(run()).isEqualTo(new Outcome(6, Optional.empty()));
    Map<String, Long> calls = new LinkedHashMap<>();
    FakeCudaControl.functions().forEach(name -> calls.put(name, control.calls(name)));
    int ended = 0;
    for (Map.Entry<String, Long> function : calls.entrySet()) {
      for (long call = 1; call <= function.getValue(); call++) {
        control.abandon();
        control.failCall(function.getKey(), call, code);

        Outcome outcome = run();

        String where = function.getKey() + ", call " + call;
        assertLeft(function.getKey(), where);
        if (outcome.failure().isPresent()) {
          assertThat(cause(outcome.failure().get()).code()).as(where).isEqualTo(code);
          ended++;
        } else {
          assertThat(outcome.delivered()).as(where).isEqualTo(6);
        }
      }
    }
    assertThat(ended).isPositive();
  }

  private void assertLeft(String function, String where) {
    control.failCall(0, 0);
    try {
      control.assertNothingLeaked();
    } catch (AssertionError e) {
      // Memory in a context that cannot be entered cannot be freed; the driver's own is gone then.
      if (!function.startsWith("cuCtxPushCurrent")) {
        throw new AssertionError(where, e);
      }
    }
  }

  private static CudaException cause(RuntimeException failure) {
    return (CudaException) (failure instanceof CudaException ? failure : failure.getCause());
  }

  @Test
  void shouldLeaveNothingWhicheverCopyFails() {
    // Of two columns of 6 batches, to the slot and on; before them one on trial.
    for (int copy = 1; copy <= 2 + 24; copy++) {
      control.abandon();
      control.failCopy(copy, LAUNCH_FAILED);

      Outcome outcome = run();

      if (copy <= 2) {
        assertThat(outcome).isEqualTo(new Outcome(6, Optional.empty()));
      } else {
        assertThat(outcome.failure()).as("copy %d", copy).isPresent();
        CudaException failure = cause(outcome.failure().get());
        assertThat(failure.sticky()).isTrue();
        assertThat(failure).hasMessageContaining("CUDA_ERROR_LAUNCH_FAILED (719)");
      }
      control.assertNothingLeaked();
    }
  }

  @Test
  void shouldRefuseToGoOnAfterAFailureOfCuda() {
    try (DataLoader<Sample> host =
        DataLoader.builder(FakeGpu.samples(12)).batchSize(2).numWorkers(2).build()) {
      DeviceLoader loader = waiting(host).build();
      Iterator<DeviceBatch> batches = loader.iterator();
      checked(batches.next());
      control.poison(ILLEGAL_ADDRESS);

      assertThatThrownBy(
              () -> {
                while (batches.hasNext()) {
                  checked(batches.next());
                }
              })
          .isInstanceOf(CudaException.class)
          .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700)")
          .hasMessageContaining("until the process is started anew");
      assertThatThrownBy(batches::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nothing can be copied to cpu() any more")
          .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS (700)");
      assertThatThrownBy(loader::iterator)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nothing can be copied to cpu() any more");
      loader.close();
      assertThat(host.stats().batchesOpen()).isZero();
      host.iterator().next().close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuInit", "cuDevicePrimaryCtxRetain", "cuStreamCreateWithPriority"})
  void shouldGoThroughDjlWhereTheDriverDoesNotStart(String function) {
    control.failCall(function, 1, 803);
    try (DataLoader<Sample> host = DataLoader.builder(FakeGpu.samples(12)).batchSize(2).build();
        DeviceLoader loader = waiting(host).build()) {
      assertThat(loader.transfer()).isEqualTo(Transfer.VIEW);
      assertThat(loader.stats().fallback().orElseThrow())
          .startsWith(function)
          .contains("(803)")
          .contains("differ in version");
      int delivered = 0;
      for (DeviceBatch batch : loader) {
        delivered += checked(batch);
      }
      assertThat(delivered).isEqualTo(6);
    }
  }
}
