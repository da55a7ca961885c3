package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.jna.Native;
import com.sun.jna.ptr.FloatByReference;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import io.feedline.gpu.internal.FakeCudaControl.Live;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** The fake driver's devices, and the contexts of threads. */
@EnabledIfFakeCuda
class FakeCudaContextTest extends FakeCudaHarness {

  /** Calls that can do nothing where no context is current. */
  private Map<String, IntSupplier> callsInContext() {
    LongByReference number = new LongByReference();
    IntByReference integer = new IntByReference();
    Map<String, IntSupplier> calls = new LinkedHashMap<>();
    calls.put("priorities", () -> cuda.cuCtxGetStreamPriorityRange(integer, integer));
    calls.put("host alloc", () -> cuda.cuMemHostAlloc(number, 1, 0));
    calls.put("host free", () -> cuda.cuMemFreeHost(FOREIGN));
    calls.put("alloc", () -> cuda.cuMemAlloc_v2(number, 1));
    calls.put("free", () -> cuda.cuMemFree_v2(FOREIGN));
    calls.put("attribute", () -> cuda.cuPointerGetAttribute(integer, 2, FOREIGN));
    calls.put("stream create", () -> cuda.cuStreamCreateWithPriority(number, 0, 0));
    calls.put("stream destroy", () -> cuda.cuStreamDestroy_v2(FOREIGN));
    calls.put("stream synchronize", () -> cuda.cuStreamSynchronize(LEGACY));
    calls.put("stream wait", () -> cuda.cuStreamWaitEvent(LEGACY, FOREIGN, 0));
    calls.put("event create", () -> cuda.cuEventCreate(number, 0));
    calls.put("event destroy", () -> cuda.cuEventDestroy_v2(FOREIGN));
    calls.put("event record", () -> cuda.cuEventRecord(FOREIGN, LEGACY));
    calls.put("event synchronize", () -> cuda.cuEventSynchronize(FOREIGN));
    calls.put("elapsed", () -> cuda.cuEventElapsedTime(new FloatByReference(), FOREIGN, FOREIGN));
    calls.put("to device", () -> cuda.cuMemcpyHtoDAsync_v2(FOREIGN, FOREIGN, 1, LEGACY));
    calls.put("in device", () -> cuda.cuMemcpyDtoDAsync_v2(FOREIGN, FOREIGN, 1, LEGACY));
    calls.put("to host", () -> cuda.cuMemcpyDtoHAsync_v2(FOREIGN, FOREIGN, 1, LEGACY));
    return calls;
  }

  private static void assertAllGive(int result, Map<String, IntSupplier> calls) {
    SoftAssertions soft = new SoftAssertions();
    calls.forEach((name, call) -> soft.assertThat(call.getAsInt()).as(name).isEqualTo(result));
    soft.assertAll();
  }

  @Test
  void shouldDoNothingBeforeItIsInitialized() {
    LongByReference number = new LongByReference();
    IntByReference integer = new IntByReference();
    Map<String, IntSupplier> calls = callsInContext();
    calls.put("count", () -> cuda.cuDeviceGetCount(integer));
    calls.put("device", () -> cuda.cuDeviceGet(integer, 0));
    calls.put("name", () -> cuda.cuDeviceGetName(new byte[9], 9, 0));
    calls.put("bus", () -> cuda.cuDeviceGetPCIBusId(new byte[13], 13, 0));
    calls.put("retain", () -> cuda.cuDevicePrimaryCtxRetain(number, 0));
    calls.put("release", () -> cuda.cuDevicePrimaryCtxRelease_v2(0));
    calls.put("push", () -> cuda.cuCtxPushCurrent_v2(FOREIGN));
    calls.put("pop", () -> cuda.cuCtxPopCurrent_v2(number));
    calls.put("query", () -> cuda.cuEventQuery(FOREIGN));

    assertAllGive(NOT_INITIALIZED, calls);
    assertThat(control.calls()).isEqualTo(calls.size());
  }

  @Test
  void shouldTellItsVersionAtAnyTime() {
    IntByReference version = new IntByReference();

    ok(cuda.cuDriverGetVersion(version));
    assertThat(version.getValue()).isEqualTo(12040);
    control.driverVersion(11020);
    ok(cuda.cuDriverGetVersion(version));
    assertThat(version.getValue()).isEqualTo(11020);
  }

  @Test
  void shouldInitializeOnlyWhereThereIsADevice() {
    control.devices(0);
    assertThat(cuda.cuInit(0)).isEqualTo(NO_DEVICE);
    assertThat(cuda.cuDeviceGetCount(new IntByReference())).isEqualTo(NOT_INITIALIZED);
    control.devices(1);
    assertThat(cuda.cuInit(1)).isEqualTo(INVALID_VALUE);
    ok(cuda.cuInit(0));
    ok(cuda.cuInit(0));
  }

  @Test
  void shouldNameEachDevice() {
    control.devices(2);
    ok(cuda.cuInit(0));
    IntByReference number = new IntByReference();

    ok(cuda.cuDeviceGetCount(number));
    assertThat(number.getValue()).isEqualTo(2);
    ok(cuda.cuDeviceGet(number, 1));
    assertThat(number.getValue()).isEqualTo(1);
    byte[] name = new byte[100];
    ok(cuda.cuDeviceGetName(name, name.length, 1));
    assertThat(Native.toString(name)).isEqualTo("Fake CUDA device 1");
    ok(cuda.cuDeviceGetName(name, 5, 1));
    assertThat(Native.toString(name)).isEqualTo("Fake");
    ok(cuda.cuDeviceGetPCIBusId(name, name.length, 1));
    assertThat(Native.toString(name)).isEqualTo("0000:02:00.0");
  }

  @Test
  void shouldRefuseDevicesThatAreNotThere() {
    ok(cuda.cuInit(0));
    LongByReference number = new LongByReference();

    for (int absent : new int[] {-1, 1}) {
      assertThat(cuda.cuDeviceGet(new IntByReference(), absent)).isEqualTo(INVALID_DEVICE);
      assertThat(cuda.cuDeviceGetName(new byte[9], 9, absent)).isEqualTo(INVALID_DEVICE);
      assertThat(cuda.cuDeviceGetPCIBusId(new byte[13], 13, absent)).isEqualTo(INVALID_DEVICE);
      assertThat(cuda.cuDevicePrimaryCtxRetain(number, absent)).isEqualTo(INVALID_DEVICE);
      assertThat(cuda.cuDevicePrimaryCtxRelease_v2(absent)).isEqualTo(INVALID_DEVICE);
    }
    assertThat(cuda.cuDeviceGetPCIBusId(new byte[12], 12, 0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuDeviceGetName(new byte[1], 0, 0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuDeviceGetCount(null)).isEqualTo(INVALID_VALUE);
  }

  @Test
  void shouldNeedAContextInEachThread() {
    enter();
    assertThat(cuda.cuStreamSynchronize(LEGACY)).isZero();
    inThread(() -> assertAllGive(INVALID_CONTEXT, callsInContext())).join();

    exit();
    assertAllGive(INVALID_CONTEXT, callsInContext());
    control.assertNothingLeaked();
  }

  @Test
  void shouldStackTheContextsOfAThread() {
    control.devices(6);
    ok(cuda.cuInit(0));
    long[] contexts = new long[6];
    for (int i = 0; i < 6; i++) {
      contexts[i] = retain(i);
      ok(cuda.cuCtxPushCurrent_v2(contexts[i]));
    }
    assertThat(contexts).doesNotHaveDuplicates();
    assertThat(control.live()).isEqualTo(new Live(6, 6, 0, 0, 0, 0));

    for (int i = 5; i >= 0; i--) {
      assertThat(given(cuda::cuCtxPopCurrent_v2)).isEqualTo(contexts[i]);
    }
    assertThat(cuda.cuCtxPopCurrent_v2(null)).isEqualTo(INVALID_CONTEXT);
    assertThat(cuda.cuCtxPushCurrent_v2(0)).isEqualTo(INVALID_CONTEXT);
    assertThat(cuda.cuCtxPushCurrent_v2(FOREIGN)).isEqualTo(INVALID_CONTEXT);
  }

  @Test
  void shouldKeepAContextWhileItIsRetained() {
    long context = enter();
    assertThat(retain(0)).isEqualTo(context);
    ok(cuda.cuDevicePrimaryCtxRelease_v2(0));
    ok(cuda.cuStreamSynchronize(LEGACY));

    ok(cuda.cuDevicePrimaryCtxRelease_v2(0));
    assertAllGive(CONTEXT_IS_DESTROYED, callsInContext());
    assertThat(cuda.cuDevicePrimaryCtxRelease_v2(0)).isEqualTo(INVALID_CONTEXT);
    assertThat(cuda.cuCtxPushCurrent_v2(context)).isEqualTo(INVALID_CONTEXT);
    ok(cuda.cuCtxPopCurrent_v2(null));
    control.assertNothingLeaked();
  }

  @Test
  void shouldTellWhatAContextLeavesBehind() {
    enter();
    long stream = stream(NON_BLOCKING);
    long event = event(0);
    long pinned = pinned(1);
    device(2);
    ok(cuda.cuDevicePrimaryCtxRelease_v2(0));
    long next = retain(0);
    ok(cuda.cuCtxPushCurrent_v2(next));

    assertThat(control.live()).isEqualTo(new Live(1, 2, 0, 0, 0, 0));
    assertThat(control.leaks().count()).isEqualTo(4);
    assertThat(control.leaks().latest()).contains("1 streams, 1 events and 2 blocks");
    assertThat(cuda.cuStreamSynchronize(stream)).isEqualTo(INVALID_HANDLE);
    assertThat(cuda.cuEventQuery(event)).isEqualTo(INVALID_HANDLE);
    assertThat(cuda.cuMemFreeHost(pinned)).isEqualTo(INVALID_VALUE);
    assertBytes(pinned, 1);
  }

  @Test
  void shouldNoticeAThreadThatEndsWithAContext() {
    long context = enter();
    inThread(() -> ok(cuda.cuCtxPushCurrent_v2(context))).join();
    until(() -> control.live().pushed() == 1);

    assertThat(control.violations().latest()).isEqualTo("a thread ended with 1 contexts pushed");
  }

  @Test
  void shouldResetOnlyWhatIsDoneWith() {
    control.failCall("cuMemAlloc", 1, OUT_OF_MEMORY);
    enter();
    assertThatIllegalStateException()
        .isThrownBy(control::reset)
        .withMessageContaining("references=1, pushed=1");
    exit();
    control.reset();

    assertThat(control.calls()).isZero();
    assertThat(cuda.cuDeviceGetCount(new IntByReference())).isEqualTo(NOT_INITIALIZED);
    enter();
    ok(cuda.cuMemFree_v2(device(1)));
    exit();
  }

  @Test
  void shouldLetDevicesChangeOnlyWhileNoContextIsRetained() {
    enter();
    assertThatIllegalStateException().isThrownBy(() -> control.devices(2));
    exit();
    control.devices(2);
    assertThat(retain(1)).isNotZero();
  }
}
