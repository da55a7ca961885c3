package io.feedline.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The operating system's figures of this process: CPU time, memory, and age. */
final class ProcessMeter {
  private static final Path STATUS = Path.of("/proc/self/status");

  private ProcessMeter() {}

  /**
   * Returns the user and system time of all threads so far: workers, garbage collector, JIT
   * compiler.
   *
   * @throws IllegalStateException if the operating system does not report it
   */
  static long cpuNanos() {
    long nanos =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    if (nanos < 0) {
      throw new IllegalStateException("this system does not tell the CPU time of a process");
    }
    return nanos;
  }

  /** Returns the nanoseconds since the JVM started, in steps of 1 ms, without the launcher. */
  static long ageNanos() {
    long started = ManagementFactory.getRuntimeMXBean().getStartTime();
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - started);
  }

  /**
   * Returns the largest memory of the process in RAM so far, in MiB (Linux's {@code VmHWM}). Empty
   * on other systems: the JDK knows only its own heap, but most memory here is direct or native.
   */
  static OptionalDouble peakRssMebibytes() {
    return mebibytes("VmHWM");
  }

  /** Returns the memory of the process in RAM now, in MiB: Linux's {@code VmRSS}; else empty. */
  static OptionalDouble rssMebibytes() {
    return mebibytes("VmRSS");
  }

  private static OptionalDouble mebibytes(String key) {
    if (!Files.isReadable(STATUS)) {
      return OptionalDouble.empty();
    }
    try {
      OptionalLong kibibytes = kibibytes(key, Files.readAllLines(STATUS));
      return kibibytes.isPresent()
          ? OptionalDouble.of(kibibytes.getAsLong() / 1024.0)
          : OptionalDouble.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the number in a line such as {@code VmHWM: 123456 kB}. */
  static OptionalLong kibibytes(String key, List<String> lines) {
    for (String line : lines) {
      if (line.startsWith(key + ":") && line.endsWith(" kB")) {
        String number = line.substring(key.length() + 1, line.length() - 3).strip();
        return OptionalLong.of(Long.parseLong(number));
      }
    }
    return OptionalLong.empty();
  }
}
