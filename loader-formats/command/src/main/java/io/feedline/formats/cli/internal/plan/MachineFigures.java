package io.feedline.formats.cli.internal.plan;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The capacity that a machine was found to have left for a loader.
 *
 * @param processors that the JVM may use
 * @param speedups how much faster several threads decode than a processor of its own would do for
 *     one; with ascending threads. Several are worth as many times the first at most: where they
 *     seemed to be worth more, the processors were faster when they were measured
 * @param waitersFirst whether a thread that mostly waits gets a processor at once when it wants
 *     one, as schedulers are fair, and not only its part of the speedups; false where these are
 *     what the threads in question got
 * @param copyBytesPerSecond the bytes a second that one thread copies from memory to memory
 * @param othersProcessors how many processors other processes kept busy meanwhile; empty where the
 *     system does not say
 */
public record MachineFigures(
    int processors,
    List<Speedup> speedups,
    boolean waitersFirst,
    double copyBytesPerSecond,
    OptionalDouble othersProcessors) {

  /**
   * Threads that decode at the same time.
   *
   * @param factor how many processors of their own, of the speed of one that decodes alone, they
   *     are worth. Where the processor was slower when the figures were taken, a thread may be
   *     worth more than one
   */
  public record Speedup(int threads, double factor) {

    /** The processors that they are worth, for people: one for each thread at most. */
    public double processors() {
      return Math.min(threads, factor);
    }
  }

  public MachineFigures {
    double single = speedups.get(0).factor() / speedups.get(0).threads();
    speedups =
        speedups.stream()
            .map(
                each ->
                    new Speedup(each.threads(), Math.min(each.factor(), each.threads() * single)))
            .toList();
  }

  /** The speedup of a number of threads, between two that were measured on the line. */
  public double speedup(int threads) {
    Speedup below = new Speedup(0, 0);
    for (Speedup each : speedups) {
      if (each.threads() >= threads) {
        double part = (double) (threads - below.threads()) / (each.threads() - below.threads());
        return below.factor() + part * (each.factor() - below.factor());
      }
      below = each;
    }
    return below.factor();
  }

  /** The speedup of threads that mostly wait. */
  double speedupOfWaiters(int threads) {
    return waitersFirst ? speedup(threads) / speedup(1) : speedup(threads);
  }

  /** The same machine while all threads get more done, by a factor, or less. */
  public MachineFigures atPace(double pace) {
    return atPace(pace, waitersFirst);
  }

  /** The same machine where so many threads were found to be worth so much. */
  public MachineFigures with(Speedup found) {
    return atPace(found.factor() / speedup(found.threads()), false);
  }

  private MachineFigures atPace(double pace, boolean fair) {
    return new MachineFigures(
        processors,
        speedups.stream().map(each -> new Speedup(each.threads(), pace * each.factor())).toList(),
        fair,
        copyBytesPerSecond,
        othersProcessors);
  }
}
