package io.feedline.bench;

import java.io.IOException;

/**
 * The work of one thread in one round.
 *
 * @param items how many images or values it went through, 1 or more
 * @param cpuSeconds the CPU time that the operating system charged the thread with
 */
record Timing(long items, double cpuSeconds) {

  /**
   * The answer of a program in C to {@code run}.
   *
   * @throws IOException if the line is not such a result
   */
  static Timing parse(String line) throws IOException {
    String[] fields = line.split(" ", -1);
    try {
      if (fields.length == 2) {
        Timing timing = new Timing(Long.parseLong(fields[0]), Double.parseDouble(fields[1]));
        if (timing.items > 0 && timing.cpuSeconds > 0) {
          return timing;
        }
      }
    } catch (NumberFormatException e) {
      throw new IOException("expected a count and seconds, got: " + line, e);
    }
    throw new IOException("expected a count and seconds, got: " + line);
  }

  /** Items per second of CPU time. */
  double perCpuSecond() {
    return items / cpuSeconds;
  }
}
