package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.ptr.FloatByReference;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Order and its absence in the fake driver's streams. Nothing in here depends on time. */
@EnabledIfFakeCuda
class FakeCudaStreamTest extends FakeCudaHarness {
  private long context;

  @BeforeEach
  void begin() {
    context = enter();
  }

  private int copy(long to, long from, long stream) {
    return cuda.cuMemcpyDtoDAsync_v2(to, from, BYTES, stream);
  }

  @Test
  void shouldReturnBeforeItCopies() {
    long stream = stream(NON_BLOCKING);
    long event = event(0);
    long host = pinned(1);
    long device = device(0);
    control.allowCopies(0);
    ok(upload(device, host, stream));
    ok(cuda.cuEventRecord(event, stream));

    assertThat(cuda.cuEventQuery(event)).isEqualTo(NOT_READY);
    assertBytes(device, 0);
    fill(host, 2);
    control.allowCopies(-1);
    ok(cuda.cuEventSynchronize(event));
    ok(cuda.cuEventQuery(event));
    assertBytes(device, 2);
  }

  @Test
  void shouldCopyInTheOrderOfTheCalls() {
    long stream = stream(NON_BLOCKING);
    long[] chain = new long[20];
    for (int i = 0; i < chain.length; i++) {
      chain[i] = device(i);
    }
    control.copyDelay(Duration.ofNanos(100_000));
    for (int i = 1; i < chain.length; i++) {
      ok(copy(chain[i], chain[i - 1], stream));
    }
    ok(cuda.cuStreamSynchronize(stream));

    assertBytes(chain[chain.length - 1], 0);
  }

  @Test
  void shouldLetACountedNumberOfCopiesBegin() {
    long stream = stream(NON_BLOCKING);
    long event = event(0);
    long first = device(0);
    long second = device(0);
    control.allowCopies(1);
    ok(copy(first, device(1), stream));
    ok(cuda.cuEventRecord(event, stream));
    ok(copy(second, device(1), stream));
    ok(cuda.cuEventSynchronize(event));

    assertThat(control.copies()).isEqualTo(new FakeCudaControl.Copies(2, 0, 1));
    assertBytes(first, 1);
    assertBytes(second, 0);
  }

  @Test
  void shouldNotHoldUpNonBlockingStreamsWithTheLegacyOne() {
    long stream = stream(NON_BLOCKING);
    long device = device(0);
    control.pause(LEGACY);
    ok(copy(device, device(1), LEGACY));
    ok(copy(device, device(2), stream));
    ok(cuda.cuStreamSynchronize(stream));

    assertBytes(device, 2);
    control.resume(LEGACY);
    ok(cuda.cuStreamSynchronize(LEGACY));
    assertBytes(device, 1);
  }

  @Test
  void shouldNotHoldUpTheLegacyStreamWithNonBlockingOnes() {
    long stream = stream(NON_BLOCKING);
    long device = device(0);
    control.pause(stream);
    ok(copy(device, device(2), stream));
    ok(copy(device, device(1), LEGACY));
    ok(cuda.cuStreamSynchronize(LEGACY));

    assertBytes(device, 1);
    control.resume(stream);
  }

  @Test
  void shouldHoldUpBlockingStreamsWithTheLegacyOne() {
    long stream = stream(BLOCKING);
    long device = device(0);
    control.pause(LEGACY);
    ok(copy(device, device(1), LEGACY));
    ok(copy(device, device(2), stream));
    letOthersGoOn();
    control.resume(LEGACY);
    ok(cuda.cuStreamSynchronize(stream));

    assertBytes(device, 2);
  }

  @Test
  void shouldHoldUpTheLegacyStreamWithBlockingOnes() {
    long stream = stream(BLOCKING);
    long device = device(0);
    control.pause(stream);
    ok(copy(device, device(1), stream));
    ok(copy(device, device(2), LEGACY));
    letOthersGoOn();
    control.resume(stream);
    ok(cuda.cuStreamSynchronize(LEGACY));

    assertBytes(device, 2);
  }

  @Test
  void shouldHaveALegacyStreamForEachDevice() {
    exit();
    control.reset();
    control.devices(2);
    context = enter();
    long device = device(0);
    long here = event(0);
    control.allowCopies(0);
    ok(copy(device, device(1), LEGACY));
    ok(cuda.cuEventRecord(here, LEGACY));
    long neighbor = retain(1);
    ok(cuda.cuCtxPushCurrent_v2(neighbor));
    ok(cuda.cuStreamSynchronize(LEGACY));

    assertThat(cuda.cuEventQuery(here)).isEqualTo(NOT_READY);
    assertThat(cuda.cuEventRecord(here, LEGACY)).isEqualTo(INVALID_HANDLE);
    // Waiting for an event of another device is allowed.
    ok(cuda.cuStreamWaitEvent(LEGACY, here, 0));
  }

  @Test
  void shouldKnowTheLegacyStreamByItsOtherHandles() {
    long device = device(0);
    ok(copy(device, device(1), 1));
    ok(cuda.cuStreamSynchronize(2));

    assertBytes(device, 1);
  }

  @Test
  void shouldOrderTwoStreamsByAnEvent() {
    long first = stream(NON_BLOCKING);
    long second = stream(NON_BLOCKING);
    long event = event(DISABLE_TIMING);
    long device = device(0);
    long result = pinned(0);
    control.pause(first);
    ok(copy(device, device(1), first));
    ok(cuda.cuEventRecord(event, first));
    ok(cuda.cuStreamWaitEvent(second, event, 0));
    ok(cuda.cuMemcpyDtoHAsync_v2(result, device, BYTES, second));
    letOthersGoOn();
    control.resume(first);
    ok(cuda.cuStreamSynchronize(second));

    assertBytes(result, 1);
  }

  @Test
  void shouldShowAWaitThatIsMissingAsWrongBytes() {
    long first = stream(NON_BLOCKING);
    long second = stream(NON_BLOCKING);
    long device = device(0);
    long result = pinned(5);
    control.pause(first);
    ok(copy(device, device(1), first));
    ok(cuda.cuMemcpyDtoHAsync_v2(result, device, BYTES, second));
    ok(cuda.cuStreamSynchronize(second));

    assertBytes(result, 0);
    control.resume(first);
  }

  @Test
  void shouldWaitForNothingWhereNothingIsRecorded() {
    long stream = stream(NON_BLOCKING);
    long event = event(0);

    ok(cuda.cuStreamWaitEvent(stream, event, 0));
    ok(cuda.cuStreamSynchronize(stream));
    ok(cuda.cuEventQuery(event));
    ok(cuda.cuEventSynchronize(event));
  }

  @Test
  void shouldWaitForTheRecordThatWasTheLatestAtTheCall() {
    long stream = stream(NON_BLOCKING);
    long paused = stream(NON_BLOCKING);
    long event = event(0);
    ok(cuda.cuEventRecord(event, stream));
    ok(cuda.cuStreamWaitEvent(stream, event, 0));
    control.pause(paused);
    ok(cuda.cuEventRecord(event, paused));
    ok(cuda.cuStreamSynchronize(stream));

    assertThat(cuda.cuEventQuery(event)).isEqualTo(NOT_READY);
    control.resume(paused);
    ok(cuda.cuEventSynchronize(event));
  }

  @Test
  void shouldLetAWaitOutliveItsEvent() {
    long first = stream(NON_BLOCKING);
    long second = stream(NON_BLOCKING);
    long event = event(0);
    long device = device(0);
    control.pause(first);
    ok(copy(device, device(1), first));
    ok(cuda.cuEventRecord(event, first));
    ok(cuda.cuStreamWaitEvent(second, event, 0));
    ok(copy(device, device(2), second));
    ok(cuda.cuEventDestroy_v2(event));
    letOthersGoOn();
    control.resume(first);
    ok(cuda.cuStreamSynchronize(first));
    ok(cuda.cuStreamSynchronize(second));

    assertBytes(device, 2);
  }

  @Test
  void shouldTellTheTimeBetweenEvents() {
    long stream = stream(NON_BLOCKING);
    long before = event(0);
    long after = event(0);
    long untimed = event(DISABLE_TIMING);
    FloatByReference millis = new FloatByReference();
    ok(cuda.cuEventRecord(before, stream));
    ok(cuda.cuEventRecord(untimed, stream));
    assertThat(cuda.cuEventElapsedTime(millis, before, after)).isEqualTo(INVALID_HANDLE);
    assertThat(cuda.cuEventElapsedTime(millis, before, untimed)).isEqualTo(INVALID_HANDLE);
    assertThat(cuda.cuEventElapsedTime(null, before, before)).isEqualTo(INVALID_VALUE);

    control.copyDelay(Duration.ofMillis(3));
    control.allowCopies(0);
    ok(copy(device(0), device(1), stream));
    ok(cuda.cuEventRecord(after, stream));
    assertThat(cuda.cuEventElapsedTime(millis, before, after)).isEqualTo(NOT_READY);
    control.allowCopies(1);
    ok(cuda.cuEventSynchronize(after));
    ok(cuda.cuEventElapsedTime(millis, before, after));
    assertThat(millis.getValue()).isGreaterThanOrEqualTo(3f);
  }

  @Test
  void shouldMakeCopiesLastAsLongAsTheirBytesTake() {
    long stream = stream(NON_BLOCKING);
    long before = event(0);
    long after = event(0);
    FloatByReference millis = new FloatByReference();
    control.bandwidth(500_000);
    ok(cuda.cuEventRecord(before, stream));
    ok(copy(device(0), device(1), stream));
    ok(cuda.cuEventRecord(after, stream));
    ok(cuda.cuEventSynchronize(after));
    ok(cuda.cuEventElapsedTime(millis, before, after));

    assertThat(millis.getValue()).isGreaterThanOrEqualTo(2f);
  }

  @Test
  void shouldMakeCopiesFromTheHostLastLonger() {
    long stream = stream(NON_BLOCKING);
    long before = event(0);
    long between = event(0);
    long after = event(0);
    FloatByReference within = new FloatByReference();
    FloatByReference up = new FloatByReference();
    control.uploadDelay(Duration.ofMillis(20));
    ok(cuda.cuEventRecord(before, stream));
    ok(copy(device(0), device(1), stream));
    ok(cuda.cuEventRecord(between, stream));
    ok(upload(device(0), pinned(1), stream));
    ok(cuda.cuEventRecord(after, stream));
    ok(cuda.cuEventSynchronize(after));
    ok(cuda.cuEventElapsedTime(within, before, between));
    ok(cuda.cuEventElapsedTime(up, between, after));

    assertThat(up.getValue()).isGreaterThanOrEqualTo(20f).isGreaterThan(within.getValue());
  }

  @Test
  void shouldMakeTheLegacyStreamLastLonger() {
    long first = event(0);
    long second = event(0);
    FloatByReference millis = new FloatByReference();
    control.legacyDelay(Duration.ofMillis(2));
    ok(cuda.cuEventRecord(first, LEGACY));
    ok(cuda.cuEventRecord(second, LEGACY));
    ok(cuda.cuEventSynchronize(second));
    ok(cuda.cuEventElapsedTime(millis, first, second));

    assertThat(millis.getValue()).isGreaterThanOrEqualTo(2f);
  }

  @Test
  void shouldSynchronizeAndPutAsideWhatIsPageable() {
    long stream = stream(NON_BLOCKING);
    long first = device(0);
    long second = device(0);
    pageable.setMemory(0, BYTES, (byte) 2);
    control.allowCopies(0);
    ok(upload(first, pinned(1), stream));
    CompletableFuture<Void> call =
        inThread(
            () -> {
              ok(cuda.cuCtxPushCurrent_v2(context));
              ok(upload(second, addressOf(pageable), stream));
              ok(cuda.cuCtxPopCurrent_v2(null));
            });
    until(() -> control.calls("cuMemcpyHtoDAsync") == 2);

    // The call has begun, and waits for the stream.
    assertThat(control.copies().queued()).isEqualTo(1);
    control.allowCopies(1);
    call.join();
    assertBytes(first, 1);
    assertThat(control.copies()).isEqualTo(new FakeCudaControl.Copies(2, 1, 1));
    // It has returned, so its source may change; the copy itself is still to come.
    pageable.setMemory(0, BYTES, (byte) 3);
    control.allowCopies(1);
    ok(cuda.cuStreamSynchronize(stream));
    assertBytes(second, 2);
  }

  @Test
  void shouldReturnFromACopyToPageableMemoryWhenTheBytesAreThere() {
    long stream = stream(NON_BLOCKING);
    control.copyDelay(Duration.ofMillis(2));

    ok(cuda.cuMemcpyDtoHAsync_v2(addressOf(pageable), device(7), BYTES, stream));
    assertBytes(addressOf(pageable), 7);
    assertThat(control.copies()).isEqualTo(new FakeCudaControl.Copies(1, 1, 1));
  }

  @Test
  void shouldFinishWhatADestroyedStreamHasBegun() {
    long stream = stream(NON_BLOCKING);
    long event = event(0);
    long device = device(0);
    control.allowCopies(0);
    ok(copy(device, device(1), stream));
    ok(cuda.cuEventRecord(event, stream));
    ok(cuda.cuStreamDestroy_v2(stream));
    assertThat(control.live().streams()).isZero();
    assertThat(control.threads()).isEqualTo(1);
    control.allowCopies(1);
    ok(cuda.cuEventSynchronize(event));

    assertBytes(device, 1);
    until(() -> control.threads() == 0);
  }

  @Test
  void shouldEndTheLegacyStreamWithItsContext() {
    ok(copy(device(0), device(1), LEGACY));
    assertThat(control.threads()).isEqualTo(1);
    exit();

    until(() -> control.threads() == 0);
  }

  @Test
  void shouldRefuseHandlesThatAreNot() {
    long stream = stream(NON_BLOCKING);
    long event = event(0);
    long destroyedStream = stream(NON_BLOCKING);
    long destroyedEvent = event(0);
    ok(cuda.cuStreamDestroy_v2(destroyedStream));
    ok(cuda.cuEventDestroy_v2(destroyedEvent));
    FloatByReference millis = new FloatByReference();

    for (long no : new long[] {destroyedStream, event, FOREIGN, -1}) {
      assertThat(cuda.cuStreamSynchronize(no)).isEqualTo(INVALID_HANDLE);
      assertThat(cuda.cuStreamDestroy_v2(no)).isEqualTo(INVALID_HANDLE);
      assertThat(cuda.cuEventRecord(event, no)).isEqualTo(INVALID_HANDLE);
      assertThat(cuda.cuStreamWaitEvent(no, event, 0)).isEqualTo(INVALID_HANDLE);
      assertThat(upload(device(0), pinned(0), no)).isEqualTo(INVALID_HANDLE);
    }
    for (long no : new long[] {destroyedEvent, stream, FOREIGN, -1, 0}) {
      assertThat(cuda.cuEventRecord(no, stream)).isEqualTo(INVALID_HANDLE);
      assertThat(cuda.cuEventQuery(no)).isEqualTo(INVALID_HANDLE);
      assertThat(cuda.cuEventSynchronize(no)).isEqualTo(INVALID_HANDLE);
      assertThat(cuda.cuEventDestroy_v2(no)).isEqualTo(INVALID_HANDLE);
      assertThat(cuda.cuStreamWaitEvent(stream, no, 0)).isEqualTo(INVALID_HANDLE);
      assertThat(cuda.cuEventElapsedTime(millis, no, event)).isEqualTo(INVALID_HANDLE);
    }
    assertThat(cuda.cuStreamDestroy_v2(LEGACY)).isEqualTo(INVALID_HANDLE);
  }

  @Test
  void shouldRefuseFlagsThatAreNot() {
    LongByReference handle = new LongByReference();

    assertThat(cuda.cuStreamCreateWithPriority(handle, 2, 0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuStreamCreateWithPriority(null, 0, 0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuEventCreate(handle, 8)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuEventCreate(handle, 4)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuEventCreate(null, 0)).isEqualTo(INVALID_VALUE);
    assertThat(cuda.cuStreamWaitEvent(LEGACY, event(0), 2)).isEqualTo(INVALID_VALUE);
  }

  @Test
  void shouldTellHowThingsWereMade() {
    IntByReference least = new IntByReference();
    IntByReference greatest = new IntByReference();
    ok(cuda.cuCtxGetStreamPriorityRange(least, greatest));
    ok(cuda.cuCtxGetStreamPriorityRange(null, null));
    assertThat(least.getValue()).isZero();
    assertThat(greatest.getValue()).isEqualTo(-5);

    long high = given(stream -> cuda.cuStreamCreateWithPriority(stream, NON_BLOCKING, -99));
    assertThat(control.priority(high)).isEqualTo(-5);
    assertThat(control.flags(high)).isEqualTo(NON_BLOCKING);
    assertThat(control.flags(event(DISABLE_TIMING))).isEqualTo(DISABLE_TIMING);
    assertThat(control.flags(pinned(0) + 1)).isEqualTo(1);
  }
}
