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

/** The operating system's figures of this process: CPU time, memory, age. */
final class ProcessMeter {
  private static final Path STATUS = Path.of("/proc/self/status");

  private ProcessMeter() {}

  /**
   * User and system time of all threads so far: workers, the garbage collector, the compiler.
   *
   * @throws IllegalStateException if the operating system does not say
   */
  static long cpuNanos() {
    long nanos =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    if (nanos < 0) {
      throw new IllegalStateException("this system does not tell the CPU time of a process");
    }
    return nanos;
  }

  /** Nanoseconds since the JVM started, in steps of 1 ms, without the time of the launcher. */
  static long ageNanos() {
    long started = ManagementFactory.getRuntimeMXBean().getStartTime();
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - started);
  }

  /**
   * The most memory that the process has had in RAM at once, in MiB; Linux's {@code VmHWM}. Empty
   * elsewhere: the JDK knows only its own heap, which says little where memory is direct or native.
   */
  static OptionalDouble peakRssMebibytes() {
    return mebibytes("VmHWM");
  }

  /** The memory that the process has in RAM now, in MiB; Linux's {@code VmRSS}. Empty elsewhere. */
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

  /** The value of a line such as {@code VmHWM: 123456 kB}. */
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
