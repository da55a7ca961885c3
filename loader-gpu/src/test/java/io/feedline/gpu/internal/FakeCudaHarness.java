package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** The common part of the fake driver's tests: its functions, called as the driver's are. */
@Timeout(60)
abstract class FakeCudaHarness {
  static final int SUCCESS = 0;
  static final int INVALID_VALUE = 1;
  static final int OUT_OF_MEMORY = 2;
  static final int NOT_INITIALIZED = 3;
  static final int NO_DEVICE = 100;
  static final int INVALID_DEVICE = 101;
  static final int INVALID_CONTEXT = 201;
  static final int INVALID_HANDLE = 400;
  static final int NOT_READY = 600;
  static final int ILLEGAL_ADDRESS = 700;
  static final int CONTEXT_IS_DESTROYED = 709;
  static final int LAUNCH_FAILED = 719;

  static final int BLOCKING = 0;
  static final int NON_BLOCKING = 1;
  static final int DISABLE_TIMING = 2;
  static final long LEGACY = 0;

  /** A handle that no call has ever given. */
  static final long FOREIGN = 0xF0F0F0F0L;

  static final int BYTES = 1000;

  /** The content of each byte of new memory. */
  static final byte FRESH = (byte) 0xA5;

  /** Memory of this process that the driver has never heard of. */
  final Memory pageable = new Memory(BYTES);

  FakeCudaControl control;
  RawCuda cuda;

  @BeforeEach
  void load() throws IOException {
    control = FakeCudaControl.load();
    cuda = Native.load("libcuda.so.1", RawCuda.class);
  }

  @AfterEach
  void abandon() {
    control.abandon();
  }

  /** Holds that a call succeeds. */
  static void ok(int result) {
    assertThat(result).isZero();
  }

  /** A function that gives a number. */
  interface Getter {
    int get(LongByReference number);
  }

  /** Returns the result of a function, which must succeed. */
  static long given(Getter function) {
    LongByReference number = new LongByReference();
    ok(function.get(number));
    return number.getValue();
  }

  /** Retains a device's primary context. */
  long retain(int device) {
    return given(context -> cuda.cuDevicePrimaryCtxRetain(context, device));
  }

  /** Makes the context of device 0 current, as most tests begin. */
  long enter() {
    ok(cuda.cuInit(0));
    long context = retain(0);
    ok(cuda.cuCtxPushCurrent_v2(context));
    return context;
  }

  /** Gives back what {@link #enter()} took. */
  void exit() {
    ok(cuda.cuCtxPopCurrent_v2(null));
    ok(cuda.cuDevicePrimaryCtxRelease_v2(0));
  }

  long stream(int flags) {
    return given(stream -> cuda.cuStreamCreateWithPriority(stream, flags, 0));
  }

  long event(int flags) {
    return given(event -> cuda.cuEventCreate(event, flags));
  }

  /** Page-locked memory that holds a value in each byte. */
  long pinned(int value) {
    long address = given(memory -> cuda.cuMemHostAlloc(memory, BYTES, 1));
    fill(address, value);
    return address;
  }

  /** Device memory that holds a value in each byte. */
  long device(int value) {
    long address = given(memory -> cuda.cuMemAlloc_v2(memory, BYTES));
    fill(address, value);
    return address;
  }

  static void fill(long address, int value) {
    new Pointer(address).setMemory(0, BYTES, (byte) value);
  }

  /** Holds that all bytes at an address are this value. */
  static void assertBytes(long address, int value) {
    byte[] expected = new byte[BYTES];
    Arrays.fill(expected, (byte) value);
    assertThat(new Pointer(address).getByteArray(0, BYTES)).isEqualTo(expected);
  }

  static long addressOf(Memory memory) {
    return Pointer.nativeValue(memory);
  }

  int memoryType(long address) {
    IntByReference type = new IntByReference();
    int result = cuda.cuPointerGetAttribute(type, 2, address);
    return result == SUCCESS ? type.getValue() : -result;
  }

  int upload(long to, long from, long stream) {
    return cuda.cuMemcpyHtoDAsync_v2(to, from, BYTES, stream);
  }

  /** Runs something in a thread of its own, which has no context. */
  static CompletableFuture<Void> inThread(Runnable work) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
                end.complete(null);
              } catch (Throwable thrown) {
                end.completeExceptionally(thrown);
              }
            },
            "fake-cuda-test");
    thread.setDaemon(true);
    thread.start();
    return end;
  }

  /** Waits until something that another thread is about to do has happened. */
  static void until(BooleanSupplier happened) {
    while (!happened.getAsBoolean()) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      Thread.onSpinWait();
    }
  }

  /** Goes through a stream and back often enough for any other to advance, if nothing stops it. */
  void letOthersGoOn() {
    long stream = stream(NON_BLOCKING);
    long device = device(0);
    for (int i = 0; i < 20; i++) {
      ok(upload(device, pinned(1), stream));
      ok(cuda.cuStreamSynchronize(stream));
    }
  }
}
