package io.feedline.formats.cli.internal.doctor;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The measured answers of a store.
 *
 * @param images that were read for it, each for the first time in this run, and then again
 * @param bytes of an image, on average
 * @param first what a read costs that is an image's first in this run
 * @param again what it costs again
 * @param flights several reads at once, from one thread on
 */
record ReadFigures(long images, double bytes, Cost first, Cost again, List<Flight> flights) {

  /**
   * The factor by which first reads must wait longer than second ones to stand out from the noise.
   */
  private static final double LONGER = 0.5;

  /** The part of what reads that do not wait for each other would give, below which they do. */
  private static final double IN_EACH_OTHERS_WAY = 0.75;

  /** The part of their time that threads wait at least where the storage holds them up. */
  private static final double WAITING = 0.5;

  /**
   * A read of one image by a thread that does nothing else.
   *
   * @param waitSeconds for the storage, while the processor is free for others
   * @param cpuSeconds on a processor
   */
  record Cost(double waitSeconds, double cpuSeconds) {

    /**
     * The cost of a read where some were measured together, several times. A wait is the median:
     * the JVM stops a thread now and then, the longer the busier the machine is, and that is no
     * wait for the storage.
     *
     * @param each one or more
     */
    static Cost typicalOf(List<Cost> each) {
      double[] waits = each.stream().mapToDouble(Cost::waitSeconds).sorted().toArray();
      return new Cost(
          waits[(waits.length - 1) / 2],
          each.stream().mapToDouble(Cost::cpuSeconds).average().orElseThrow());
    }

    /** From the request to the last byte, if a processor is free when it is needed. */
    double latencySeconds() {
      return waitSeconds + cpuSeconds;
    }
  }

  /**
   * Threads that read at the same time.
   *
   * @param readsPerSecond of all of them
   * @param cpuSeconds of a processor for each read
   * @param waitSeconds for the storage in each
   */
  record Flight(int threads, double readsPerSecond, double cpuSeconds, double waitSeconds) {
    /** The part of their time that the threads wait. */
    double waiting() {
      return waitSeconds * readsPerSecond / threads;
    }
  }

  /** Returns the threads that read the most. */
  Flight fastest() {
    return Collections.max(flights, Comparator.comparingDouble(Flight::readsPerSecond));
  }

  /**
   * Returns a read as it is while the processors are busy. One that waited takes longer for the
   * little that it has to do, since its clock is slow then and its caches are cold. That is no time
   * that others could use, so it counts as waiting.
   */
  Cost onBusyProcessors(Cost alone) {
    double cpu =
        alone.waitSeconds() < alone.cpuSeconds()
            ? alone.cpuSeconds()
            : Math.min(alone.cpuSeconds(), fastest().cpuSeconds());
    return new Cost(alone.latencySeconds() - cpu, cpu);
  }

  /** The evidence that first and second reads give of a cache between storage and process. */
  enum Caching {
    /** First reads were as fast as second ones: all came from the memory. */
    CACHED,
    /** Only second reads came from the memory. */
    SECOND_READS,
    /** Second reads wait as well: nothing is kept, or the latency is made up. */
    NOT_CACHED
  }

  ReadFigures {
    flights = List.copyOf(flights);
  }

  Caching caching() {
    boolean againWaits =
        again.waitSeconds() > again.cpuSeconds() && again.waitSeconds() > first.waitSeconds() / 2;
    if (againWaits) {
      return Caching.NOT_CACHED;
    }
    return first.waitSeconds() - again.waitSeconds() > LONGER * again.latencySeconds()
        ? Caching.SECOND_READS
        : Caching.CACHED;
  }

  /**
   * The most reads a second that the storage gives, however many are in flight; empty where that
   * was not reached: where more threads went on to give more, or the processors were the limit.
   */
  OptionalDouble mostReadsPerSecond() {
    Flight single = flights.get(0);
    Flight last = flights.get(flights.size() - 1);
    boolean reached =
        last.readsPerSecond() < IN_EACH_OTHERS_WAY * last.threads() * single.readsPerSecond();
    return reached && last.waiting() >= WAITING
        ? OptionalDouble.of(fastest().readsPerSecond())
        : OptionalDouble.empty();
  }
}
