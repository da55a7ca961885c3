package io.feedline.bench;

import java.io.IOException;

/**
 * The work of one thread in one turn.
 *
 * @param items the number of images or values, 1 or more
 */
record Timing(long items, double cpuSeconds) {

  /**
   * Parses the answer of a C program to {@code run}.
   *
   * @throws IOException if the line is not such an answer
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

  double perCpuSecond() {
    return items / cpuSeconds;
  }
}
