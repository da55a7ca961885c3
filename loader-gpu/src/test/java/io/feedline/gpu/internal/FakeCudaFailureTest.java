package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import io.feedline.gpu.internal.FakeCudaControl.Live;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The failures of the fake driver, made on demand. */
@EnabledIfFakeCuda
class FakeCudaFailureTest extends FakeCudaHarness {

  @ParameterizedTest
  @CsvSource({
    "0, CUDA_SUCCESS, no error",
    "1, CUDA_ERROR_INVALID_VALUE, invalid argument",
    "2, CUDA_ERROR_OUT_OF_MEMORY, out of memory",
    "3, CUDA_ERROR_NOT_INITIALIZED, initialization error",
    "4, CUDA_ERROR_DEINITIALIZED, driver shutting down",
    "35, CUDA_ERROR_INSUFFICIENT_DRIVER, driver version",
    "100, CUDA_ERROR_NO_DEVICE, no CUDA-capable device",
    "201, CUDA_ERROR_INVALID_CONTEXT, invalid device context",
    "400, CUDA_ERROR_INVALID_HANDLE, invalid resource handle",
    "600, CUDA_ERROR_NOT_READY, device not ready",
    "700, CUDA_ERROR_ILLEGAL_ADDRESS, illegal memory access",
    "719, CUDA_ERROR_LAUNCH_FAILED, unspecified launch failure",
    "803, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, unsupported display driver",
    "999, CUDA_ERROR_UNKNOWN, unknown error"
  })
  void shouldNameAndDescribeItsResults(int code, String name, String description) {
    PointerByReference text = new PointerByReference();

    ok(cuda.cuGetErrorName(code, text));
    assertThat(text.getValue().getString(0)).isEqualTo(name);
    ok(cuda.cuGetErrorString(code, text));
    assertThat(text.getValue().getString(0)).contains(description);
    assertThat(control.calls()).isZero();
  }

  @Test
  void shouldHaveNoNameForWhatIsNoResult() {
    PointerByReference text = new PointerByReference();

    assertThat(cuda.cuGetErrorName(12345, text)).isEqualTo(INVALID_VALUE);
    assertThat(text.getValue()).isNull();
    assertThat(cuda.cuGetErrorString(12345, text)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuGetErrorName(0, null)).isEqualTo(INVALID_VALUE);
  }

  @Test
  void shouldFailTheCallThatWasChosen() {
    enter();
    control.failCall(2, OUT_OF_MEMORY);
    LongByReference number = new LongByReference();

    ok(cuda.cuEventCreate(number, 0));
    assertThat(cuda.cuEventCreate(number, 0)).isEqualTo(OUT_OF_MEMORY);
    ok(cuda.cuEventCreate(number, 0));
    assertThat(control.live().events()).isEqualTo(2);
    assertThat(control.calls()).isEqualTo(6);
    assertThat(control.calls("cuEventCreate")).isEqualTo(3);
    assertThat(control.calls("cuDevicePrimaryCtxRelease_v2")).isZero();
  }

  @Test
  void shouldFailTheChosenCallOfAFunction() {
    enter();
    control.failCall("cuMemAlloc_v2", 2, OUT_OF_MEMORY);

    device(0);
    event(0);
    assertThat(cuda.cuMemAlloc_v2(new LongByReference(), 1)).isEqualTo(OUT_OF_MEMORY);
    device(0);
    control.failCall("cuMemAlloc", 1, OUT_OF_MEMORY);
    control.failCall("cuMemAlloc", 0, OUT_OF_MEMORY);
    device(0);
  }

  @Test
  void shouldKnowItsOwnFunctionsAlone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> control.failCall("cuMemAllocHost", 1, 2))
        .withMessageContaining("cuMemAllocHost");
    assertThatIllegalArgumentException().isThrownBy(() -> control.calls("cuEvent"));
    assertThatIllegalArgumentException().isThrownBy(() -> control.pause(FOREIGN));
    assertThatIllegalArgumentException().isThrownBy(() -> control.flags(FOREIGN));
  }

  @Test
  void shouldGiveBackWhatACallGivesBackThoughItFails() {
    enter();
    long stream = stream(NON_BLOCKING);
    long event = event(0);
    long pinned = pinned(0);
    long device = device(0);
    control.poison(LAUNCH_FAILED);

    assertThat(cuda.cuStreamDestroy_v2(stream)).isEqualTo(LAUNCH_FAILED);
    assertThat(cuda.cuEventDestroy_v2(event)).isEqualTo(LAUNCH_FAILED);
    assertThat(cuda.cuMemFreeHost(pinned)).isEqualTo(LAUNCH_FAILED);
    assertThat(cuda.cuMemFree_v2(device)).isEqualTo(LAUNCH_FAILED);
    ok(cuda.cuCtxPopCurrent_v2(null));
    assertThat(cuda.cuDevicePrimaryCtxRelease_v2(0)).isEqualTo(LAUNCH_FAILED);
    control.assertNothingLeaked();
  }

  @Test
  void shouldGoOnAfterAFailureThatDoesNotLast() {
    enter();
    control.failCall(1, OUT_OF_MEMORY);
    assertThat(cuda.cuStreamSynchronize(LEGACY)).isEqualTo(OUT_OF_MEMORY);

    ok(cuda.cuStreamSynchronize(LEGACY));
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 700, 702, 710, 714, 715, 716, 717, 718, 719, 999})
  void shouldNeverRecoverFromAFailureThatLasts(int code) {
    long context = enter();
    long event = event(0);
    control.failCall("cuEventRecord", 1, code);
    assertThat(cuda.cuEventRecord(event, LEGACY)).isEqualTo(code);

    assertThat(cuda.cuStreamSynchronize(LEGACY)).isEqualTo(code);
    assertThat(cuda.cuEventQuery(event)).isEqualTo(code);
    assertThat(cuda.cuInit(0)).isEqualTo(code);
    assertThat(cuda.cuDeviceGetCount(new IntByReference())).isEqualTo(code);
    assertThat(cuda.cuStreamSynchronize(FOREIGN)).isEqualTo(code);
    assertThat(cuda.cuMemHostAlloc(new LongByReference(), 1, 0)).isEqualTo(code);
    ok(cuda.cuCtxPushCurrent_v2(context));
    ok(cuda.cuGetErrorName(code, new PointerByReference()));
    control.abandon();
    enter();
    ok(cuda.cuStreamSynchronize(LEGACY));
  }

  @Test
  void shouldTellOnceOfACopyThatFailed() {
    enter();
    long stream = stream(NON_BLOCKING);
    long first = device(0);
    long second = device(0);
    long third = device(0);
    long event = event(0);
    control.failCopy(2, OUT_OF_MEMORY);
    ok(upload(first, pinned(1), stream));
    ok(upload(second, pinned(1), stream));
    ok(upload(third, pinned(1), stream));
    ok(cuda.cuEventRecord(event, stream));

    assertThat(cuda.cuStreamSynchronize(stream)).isEqualTo(OUT_OF_MEMORY);
    ok(cuda.cuStreamSynchronize(stream));
    ok(cuda.cuEventQuery(event));
    assertBytes(first, 1);
    assertBytes(second, 0);
    assertBytes(third, 1);
  }

  @Test
  void shouldCopyNothingAfterACopyThatFailedForEver() {
    enter();
    long stream = stream(NON_BLOCKING);
    long device = device(0);
    long event = event(0);
    control.failCopy(1, ILLEGAL_ADDRESS);
    ok(upload(device, pinned(1), stream));
    ok(upload(device, pinned(2), stream));
    ok(cuda.cuEventRecord(event, stream));

    assertThat(cuda.cuEventSynchronize(event)).isEqualTo(ILLEGAL_ADDRESS);
    assertBytes(device, 0);
    assertThat(cuda.cuEventCreate(new LongByReference(), 0)).isEqualTo(ILLEGAL_ADDRESS);
  }

  @Test
  void shouldTellOfAFailedCopyWhenAskedForAnEvent() {
    enter();
    long stream = stream(NON_BLOCKING);
    long event = event(0);
    control.failCopy(1, ILLEGAL_ADDRESS);
    ok(upload(device(0), pinned(1), stream));
    ok(cuda.cuEventRecord(event, stream));
    until(() -> control.copies().done() == 1);

    assertThat(cuda.cuEventQuery(event)).isEqualTo(ILLEGAL_ADDRESS);
  }

  @Test
  void shouldTellOfAFailedCopyFromACopyThatWaits() {
    enter();
    control.failCopy(1, ILLEGAL_ADDRESS);

    assertThat(cuda.cuMemcpyDtoHAsync_v2(addressOf(pageable), device(1), BYTES, LEGACY))
        .isEqualTo(ILLEGAL_ADDRESS);
  }

  @Test
  void shouldAbandonWhatIsStillBusy() {
    enter();
    long stream = stream(NON_BLOCKING);
    long pinned = pinned(1);
    control.pause(stream);
    control.allowCopies(0);
    for (int i = 0; i < 10; i++) {
      ok(upload(device(0), pinned, stream));
    }

    assertThat(control.abandon()).isEqualTo(1 + 1 + 1 + 1 + 10);
    assertThat(control.live()).isEqualTo(Live.NOTHING);
    assertThat(control.threads()).isZero();
    assertBytes(pinned, 1);
    assertThat(cuda.cuStreamSynchronize(stream)).isEqualTo(NOT_INITIALIZED);
    enter();
    assertThat(cuda.cuStreamSynchronize(stream)).isEqualTo(INVALID_HANDLE);
  }

  @Test
  void shouldSayWhatLeaked() {
    enter();
    event(0);

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(control::assertNothingLeaked)
        .withMessageContaining("references=1, pushed=1, streams=0, events=1");
  }

  /** Code that gives back whatever it got can be broken at each of its calls in turn. */
  @ParameterizedTest
  @ValueSource(ints = {OUT_OF_MEMORY, ILLEGAL_ADDRESS})
  void shouldLeaveNothingWhicheverCallFails(int code) {
    new Session().run();
    long calls = control.calls();
    assertThat(calls).isEqualTo(17);
    for (long number = 1; number <= calls; number++) {
      control.reset();
      control.failCall(number, code);
      assertThat(new Session().run()).as("call %d", number).isEqualTo(code);
      control.assertNothingLeaked();
    }
  }

  /** Takes one of each and copies, as long as all goes well; then gives back what it took. */
  private final class Session {
    private final Deque<IntSupplier> undo = new ArrayDeque<>();
    private int worst = SUCCESS;

    private boolean step(IntSupplier call, IntSupplier back) {
      int result = call.getAsInt();
      note(result);
      if (result == SUCCESS) {
        undo.push(back);
      }
      return result == SUCCESS;
    }

    private void note(int result) {
      worst = worst == SUCCESS ? result : worst;
    }

    /** The first result that was bad, if any. */
    int run() {
      LongByReference context = new LongByReference();
      LongByReference stream = new LongByReference();
      LongByReference event = new LongByReference();
      LongByReference host = new LongByReference();
      LongByReference device = new LongByReference();
      boolean ready =
          step(() -> cuda.cuInit(0), () -> SUCCESS)
              && step(
                  () -> cuda.cuDevicePrimaryCtxRetain(context, 0),
                  () -> cuda.cuDevicePrimaryCtxRelease_v2(0))
              && step(
                  () -> cuda.cuCtxPushCurrent_v2(context.getValue()),
                  () -> cuda.cuCtxPopCurrent_v2(null))
              && step(
                  () -> cuda.cuStreamCreateWithPriority(stream, NON_BLOCKING, 0),
                  () -> cuda.cuStreamDestroy_v2(stream.getValue()))
              && step(
                  () -> cuda.cuEventCreate(event, 0),
                  () -> cuda.cuEventDestroy_v2(event.getValue()))
              && step(
                  () -> cuda.cuMemHostAlloc(host, BYTES, 0),
                  () -> cuda.cuMemFreeHost(host.getValue()))
              && step(
                  () -> cuda.cuMemAlloc_v2(device, BYTES),
                  () -> cuda.cuMemFree_v2(device.getValue()));
      if (ready
          && step(
              () -> upload(device.getValue(), host.getValue(), stream.getValue()),
              () -> cuda.cuStreamSynchronize(stream.getValue()))) {
        note(cuda.cuEventRecord(event.getValue(), stream.getValue()));
        note(cuda.cuEventSynchronize(event.getValue()));
      }
      while (!undo.isEmpty()) {
        note(undo.pop().getAsInt());
      }
      return worst;
    }
  }

  @Test
  void shouldWaitEvenIfTheCallThatWaitsIsToFail() {
    enter();
    long stream = stream(NON_BLOCKING);
    long device = device(0);
    control.copyDelay(Duration.ofMillis(1));
    ok(upload(device, pinned(1), stream));
    control.failCall(1, OUT_OF_MEMORY);

    assertThat(cuda.cuStreamSynchronize(stream)).isEqualTo(OUT_OF_MEMORY);
    assertBytes(device, 1);
  }

  @Test
  void shouldEndAtOnceWhatIsQueuedWhenAllIsLost() {
    enter();
    long stream = stream(NON_BLOCKING);
    long host = pinned(1);
    long device = device(0);
    control.pause(stream);
    ok(upload(device, host, stream));
    control.poison(ILLEGAL_ADDRESS);

    assertThat(cuda.cuMemFreeHost(host)).isEqualTo(ILLEGAL_ADDRESS);
    assertThat(cuda.cuStreamSynchronize(stream)).isEqualTo(ILLEGAL_ADDRESS);
    assertThat(control.violations().count()).isZero();
    assertBytes(device, 0);
  }
}
