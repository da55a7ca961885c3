package io.feedline.gpu.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The interface through which a test controls and queries the fake driver. The head of {@code
 * src/test/native/fake_cuda.h} says how that driver behaves; nothing in here is counted as a call
 * of it.
 *
 * <p>Handles and addresses are the plain numbers that the driver's functions gave, and 0 stands for
 * the legacy stream. There is one fake in a JVM, so all instances of this class are one.
 *
 * <p>Thread-safe.
 */
public final class FakeCudaControl {
  private static final int TEXT_BYTES = 512;

  private final Functions functions;

  private FakeCudaControl(Functions functions) {
    this.functions = functions;
  }

  public static FakeCudaControl load() throws IOException {
    NativeLibrary library = FakeLibrary.load();
    return new FakeCudaControl(Native.load(library.getFile().getPath(), Functions.class));
  }

  private interface Functions extends Library {
    int fake_cuda_reset();

    int fake_cuda_abandon();

    int fake_cuda_set_devices(int devices);

    void fake_cuda_set_driver_version(int version);

    void fake_cuda_set_copy_delay(long micros);

    void fake_cuda_set_upload_delay(long micros);

    void fake_cuda_set_legacy_delay(long micros);

    int fake_cuda_pause(long stream);

    int fake_cuda_resume(long stream);

    void fake_cuda_fail_call(long number, int code);

    int fake_cuda_fail_call_of(String function, long number, int code);

    void fake_cuda_fail_copy(long number, int code);

    void fake_cuda_poison(int code);

    long fake_cuda_calls_of(String function);

    long fake_cuda_pageable_copies();

    void fake_cuda_live(int[] live);

    long fake_cuda_leaks(byte[] text, long size);

    long fake_cuda_violations(byte[] text, long size);
  }

  public record Live(int references, int pushed, int streams, int events, int pinned, int device) {
    public static final Live NOTHING = new Live(0, 0, 0, 0, 0, 0);
  }

  /**
   * Makes the driver what it was when it was loaded: not initialized, one device, no delays, limits
   * or failures, all counters zero. Waits until destroyed streams have run out.
   *
   * @throws IllegalStateException if anything is live; nothing has changed then
   */
  public void reset() {
    if (functions.fake_cuda_reset() != 0) {
      throw new IllegalStateException("the fake driver cannot be reset with " + live());
    }
  }

  /**
   * Resets it whatever is live, so that a failed test does not spoil the next one, and returns how
   * many things were live. Memory that is live stays readable, its addresses are no longer known;
   * no thread has a context any more.
   */
  public int abandon() {
    return functions.fake_cuda_abandon();
  }

  public void devices(int devices) {
    if (functions.fake_cuda_set_devices(devices) != 0) {
      throw new IllegalStateException("a context is retained: " + live());
    }
  }

  public void driverVersion(int version) {
    functions.fake_cuda_set_driver_version(version);
  }

  public void copyDelay(Duration delay) {
    functions.fake_cuda_set_copy_delay(delay.toNanos() / 1000);
  }

  /** Says how much longer each copy from the host lasts than one within the device. */
  public void uploadDelay(Duration delay) {
    functions.fake_cuda_set_upload_delay(delay.toNanos() / 1000);
  }

  /** Says how much longer each operation in a legacy stream lasts: a device that computes. */
  public void legacyDelay(Duration delay) {
    functions.fake_cuda_set_legacy_delay(delay.toNanos() / 1000);
  }

  /**
   * Keeps a stream from beginning anything.
   *
   * @param stream its handle; 0 for the legacy streams of all devices
   * @throws IllegalArgumentException if there is no such stream
   */
  public void pause(long stream) {
    requireKnown(functions.fake_cuda_pause(stream), "stream", stream);
  }

  public void resume(long stream) {
    requireKnown(functions.fake_cuda_resume(stream), "stream", stream);
  }

  /**
   * Makes a call to come fail. It does nothing then but return the code; one that gives something
   * back, or waits, does so all the same. After a code that lasts all later calls return it too.
   *
   * @param number which call, 1 being the next; 0 for none
   * @param code what it returns
   */
  public void failCall(long number, int code) {
    functions.fake_cuda_fail_call(number, code);
  }

  /** As {@link #failCall(long, int)}, for one function, with or without {@code _v2}. */
  public void failCall(String function, long number, int code) {
    requireKnown(functions.fake_cuda_fail_call_of(function, number, code), "function", function);
  }

  /**
   * Makes a copy to come fail in its stream. The call that queues it succeeds; the next one that
   * waits for a stream or an event, or asks for one, tells. If the code lasts, nothing is copied
   * afterwards.
   *
   * @param number which copy, 1 being the next; 0 for none
   * @param code what becomes of it
   */
  public void failCopy(long number, int code) {
    functions.fake_cuda_fail_copy(number, code);
  }

  /** Makes all calls return a code from now on, as after one that lasts; 0 for an end of that. */
  public void poison(int code) {
    functions.fake_cuda_poison(code);
  }

  public static List<String> functions() {
    return Arrays.stream(Driver.class.getMethods())
        .map(Method::getName)
        .filter(name -> !name.startsWith("cuGetError"))
        .sorted()
        .toList();
  }

  public long calls(String function) {
    long calls = functions.fake_cuda_calls_of(function);
    requireKnown(calls, "function", function);
    return calls;
  }

  public long pageableCopies() {
    return functions.fake_cuda_pageable_copies();
  }

  public Live live() {
    int[] live = new int[6];
    functions.fake_cuda_live(live);
    return new Live(live[0], live[1], live[2], live[3], live[4], live[5]);
  }

  /**
   * Holds that all was given back, also when contexts were released for the last time, and that no
   * mistake was made that no result shows, such as memory freed while a queued copy needs it.
   */
  public void assertNothingLeaked() {
    byte[] leaked = new byte[TEXT_BYTES];
    byte[] mistake = new byte[TEXT_BYTES];
    Live live = live();
    long leaks = functions.fake_cuda_leaks(leaked, leaked.length);
    long violations = functions.fake_cuda_violations(mistake, mistake.length);
    if (!live.equals(Live.NOTHING) || leaks > 0 || violations > 0) {
      throw new AssertionError(
          "the fake driver was left with %s, %d leaks (%s), %d violations (%s)"
              .formatted(
                  live,
                  leaks,
                  Native.toString(leaked, UTF_8),
                  violations,
                  Native.toString(mistake, UTF_8)));
    }
  }

  private static void requireKnown(long answer, String what, Object name) {
    if (answer < 0) {
      String shown =
          name instanceof Long number ? "0x" + Long.toHexString(number) : name.toString();
      throw new IllegalArgumentException("the fake driver knows no %s %s".formatted(what, shown));
    }
  }
}
