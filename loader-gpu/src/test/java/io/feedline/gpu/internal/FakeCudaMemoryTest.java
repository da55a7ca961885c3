package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import io.feedline.gpu.internal.FakeCudaControl.Live;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fake driver's page-locked and device memory, and what it makes of all other. */
@EnabledIfFakeCuda
class FakeCudaMemoryTest extends FakeCudaHarness {
  private static final int HOST = 1;
  private static final int DEVICE = 2;

  private long context;

  @BeforeEach
  void begin() {
    context = enter();
  }

  @Test
  void shouldCountWhatIsAllocated() {
    long pinned = pinned(1);
    long device = device(1);
    assertThat(control.live()).isEqualTo(new Live(1, 1, 0, 0, 1, 1));
    assertThat(control.pinnedBytes()).isEqualTo(BYTES);
    ok(cuda.cuMemFreeHost(pinned));
    ok(cuda.cuMemFree_v2(device));

    assertThat(control.pinnedBytes()).isZero();
    assertThat(control.mostPinnedBytes()).isEqualTo(BYTES);
    exit();
    control.assertNothingLeaked();
  }

  @Test
  void shouldPromiseNothingOfWhatNewMemoryHolds() {
    assertBytes(given(memory -> cuda.cuMemHostAlloc(memory, BYTES, 0)), FRESH);
    assertBytes(given(memory -> cuda.cuMemAlloc_v2(memory, BYTES)), FRESH);
  }

  @Test
  void shouldTellWhatKindOfMemoryAnAddressIsIn() {
    long pinned = pinned(0);
    long device = device(0);

    assertThat(memoryType(pinned)).isEqualTo(HOST);
    assertThat(memoryType(pinned + BYTES - 1)).isEqualTo(HOST);
    assertThat(memoryType(pinned + BYTES)).isEqualTo(-INVALID_VALUE);
    assertThat(memoryType(device + 1)).isEqualTo(DEVICE);
    assertThat(memoryType(addressOf(pageable))).isEqualTo(-INVALID_VALUE);
    assertThat(memoryType(0)).isEqualTo(-INVALID_VALUE);
    assertThat(cuda.cuPointerGetAttribute(null, 2, pinned)).isEqualTo(INVALID_VALUE);
    ok(cuda.cuMemFreeHost(pinned));
    assertThat(memoryType(pinned)).isEqualTo(-INVALID_VALUE);
  }

  @Test
  void shouldSayThatItModelsNoOtherAttribute() {
    assertThat(cuda.cuPointerGetAttribute(new IntByReference(), 9, pinned(0)))
        .isEqualTo(INVALID_VALUE);
    assertThat(control.violations().latest()).contains("attribute 9 is not modelled");
  }

  @Test
  void shouldFreeOnlyWhatItGave() {
    long pinned = pinned(0);
    long device = device(0);
    assertThat(cuda.cuMemFreeHost(pinned + 1)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemFreeHost(device)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemFreeHost(addressOf(pageable))).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemFreeHost(0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemFree_v2(device + 1)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemFree_v2(pinned)).isEqualTo(INVALID_VALUE);
    assertThat(control.live()).isEqualTo(new Live(1, 1, 0, 0, 1, 1));

    ok(cuda.cuMemFreeHost(pinned));
    ok(cuda.cuMemFree_v2(device));
    assertThat(cuda.cuMemFreeHost(pinned)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemFree_v2(device)).isEqualTo(INVALID_VALUE);
  }

  @Test
  void shouldRefuseToAllocateWhatMakesNoSense() {
    LongByReference address = new LongByReference();

    assertThat(cuda.cuMemHostAlloc(address, 0, 0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemHostAlloc(address, 1, 8)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemHostAlloc(null, 1, 0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemAlloc_v2(address, 0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemAlloc_v2(null, 1)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemAlloc_v2(address, Long.MAX_VALUE)).isEqualTo(OUT_OF_MEMORY);
    assertThat(cuda.cuMemHostAlloc(address, -1, 0)).isEqualTo(OUT_OF_MEMORY);
  }

  @Test
  void shouldRunOutOfPageLockedMemoryAtItsLimit() {
    control.pinnedLimit(2 * BYTES);
    long first = pinned(1);
    pinned(2);
    LongByReference address = new LongByReference();
    assertThat(cuda.cuMemHostAlloc(address, 1, 0)).isEqualTo(OUT_OF_MEMORY);

    ok(cuda.cuMemFreeHost(first));
    pinned(3);
    control.pinnedLimit(0);
    assertThat(cuda.cuMemHostAlloc(address, 1, 0)).isEqualTo(OUT_OF_MEMORY);
    device(4);
    control.pinnedLimit(-1);
    pinned(5);
    assertThat(control.mostPinnedBytes()).isEqualTo(3 * BYTES);
  }

  @Test
  void shouldTakeAnyAddressForDeviceMemory() {
    try (Memory tensor = new Memory(BYTES)) {
      ok(upload(addressOf(tensor), pinned(3), LEGACY));
      long result = pinned(0);
      ok(cuda.cuMemcpyDtoHAsync_v2(result, addressOf(tensor), BYTES, LEGACY));
      ok(cuda.cuStreamSynchronize(LEGACY));

      assertBytes(addressOf(tensor), 3);
      assertBytes(result, 3);
    }
  }

  @Test
  void shouldRefuseCopiesThatLeaveTheirMemory() {
    long pinned = pinned(0);
    long device = device(0);

    assertThat(upload(device + 1, pinned, LEGACY)).isEqualTo(INVALID_VALUE);
    assertThat(upload(device - 1, pinned, LEGACY)).isEqualTo(INVALID_VALUE);
    assertThat(upload(device, pinned + 1, LEGACY)).isEqualTo(INVALID_VALUE);
    assertThat(upload(device, pinned - 1, LEGACY)).isEqualTo(INVALID_VALUE);
    assertThat(upload(0, pinned, LEGACY)).isEqualTo(INVALID_VALUE);
    assertThat(upload(device, 0, LEGACY)).isEqualTo(INVALID_VALUE);
    assertThat(upload(device, device(1), LEGACY)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuMemcpyDtoHAsync_v2(device, device, BYTES, LEGACY)).isEqualTo(INVALID_VALUE);
    ok(cuda.cuMemcpyHtoDAsync_v2(device + 1, pinned + 1, BYTES - 1, LEGACY));
    ok(cuda.cuMemcpyHtoDAsync_v2(0, 0, 0, LEGACY));
    assertThat(control.copies().queued()).isEqualTo(1);
  }

  @Test
  void shouldNoticePageLockedMemoryFreedUnderACopy() {
    long stream = stream(NON_BLOCKING);
    long pinned = pinned(1);
    long device = device(0);
    control.allowCopies(0);
    ok(upload(device, pinned, stream));
    ok(upload(device, pinned, stream));
    assertThat(control.violations().count()).isZero();
    ok(cuda.cuMemFreeHost(pinned));

    assertThat(control.violations().count()).isEqualTo(1);
    assertThat(control.violations().latest())
        .isEqualTo("cuMemFreeHost(0x%x): 2 queued copies need this memory".formatted(pinned));
    control.allowCopies(-1);
    ok(cuda.cuStreamSynchronize(stream));
    assertBytes(device, 1);
  }

  @Test
  void shouldFreeDeviceMemoryWhenNoCopyNeedsItAnyMore() {
    long stream = stream(NON_BLOCKING);
    long device = device(0);
    control.allowCopies(0);
    ok(upload(device, pinned(1), stream));
    CompletableFuture<Void> call =
        inThread(
            () -> {
              ok(cuda.cuCtxPushCurrent_v2(context));
              ok(cuda.cuMemFree_v2(device));
              ok(cuda.cuCtxPopCurrent_v2(null));
            });
    until(() -> control.calls("cuMemFree") == 1);

    // The call has begun, and waits.
    assertThat(control.live().device()).isEqualTo(1);
    control.allowCopies(1);
    call.join();
    assertThat(control.live().device()).isZero();
    assertThat(control.copies().done()).isEqualTo(1);
    assertThat(control.violations().count()).isZero();
  }

  @Test
  void shouldNeitherCopyNorGiveAgainWhatIsFreed() {
    long pinned = pinned(1);
    ok(cuda.cuMemFreeHost(pinned));

    assertThat(pinned(2)).isNotEqualTo(pinned);
    assertThat(upload(device(0), pinned, LEGACY)).isEqualTo(INVALID_VALUE);
    assertThat(control.violations().latest())
        .isEqualTo(
            "a copy of %d bytes names memory at 0x%x that is freed".formatted(BYTES, pinned));
  }

  @Test
  void shouldNotMindMemoryFreedAfterItsCopy() {
    long pinned = pinned(1);
    ok(upload(addressOf(pageable), pinned, LEGACY));
    ok(cuda.cuStreamSynchronize(LEGACY));
    ok(cuda.cuMemFreeHost(pinned));
    exit();

    control.assertNothingLeaked();
  }
}
