package io.feedline.formats.cli.internal.plan;

/**
 * A loader as a linear program: as many images a second as its limits allow. Of each image a worker
 * waits for the read and then computes; workers wait beside each other, and compute beside each
 * other as far as there are processors. With one unknown the program's solution is the smallest of
 * the limits:
 *
 * <pre>
 *   workers   w / (wait + cpu * k / scaling(k))   with k = min(w, processors)
 *   cpu       speedup(k) / cpu, and of all processors speedup / (cpu + beside)
 *   reads     what the storage gives
 * </pre>
 *
 * <p>Other processes leave threads a part of the processors, which {@code speedup} has in it. A
 * worker that mostly waits takes less than its part and gets it at once, as schedulers are fair; so
 * the first limit has {@code scaling(k) = speedup(k) / speedup(1)}, how much threads are in each
 * other's way, alone; unless it is known what the workers themselves got, and {@code speedup} is
 * that.
 *
 * <p>The limits are met only where everything else is idle. Where workers and processors are about
 * as scarce, a worker that could compute finds all processors taken while another time some are
 * free; {@link #predict} has that, by the product form of a closed queueing network (Baskett,
 * Chandy, Muntz and Palacios, 1975): workers that wait, and processors that are shared by those
 * that compute. It depends on the means alone, is the first limit where each worker has a processor
 * of its own, and never above the limits.
 *
 * @param waitSeconds how long a worker waits for the read of an image
 * @param cpuSeconds what reading, decoding, transforming and writing it take of a processor
 * @param besideSeconds what other threads take of a processor for it, such as those that read ahead
 * @param mostReadsPerSecond what the storage gives; infinite where that is not known
 */
public record LoaderModel(
    double waitSeconds,
    double cpuSeconds,
    double besideSeconds,
    MachineFigures machine,
    double mostReadsPerSecond) {

  /** So large a weight is scaled down, so that thousands of workers fit into a double. */
  private static final double LARGE = 1e200;

  /** The images a second that so many workers could load if nothing else were a limit. */
  public double workersLimit(int workers) {
    int busy = Math.min(workers, machine.processors());
    return workers / (waitSeconds + cpuSeconds * busy / scaling(busy));
  }

  /** The images a second that the processors could decode if nothing else were a limit. */
  public double cpuLimit() {
    return machine.speedup(machine.processors()) / processorSeconds();
  }

  /** Returns the processor time of an image, in seconds: the worker's and that of other threads. */
  public double processorSeconds() {
    return cpuSeconds + besideSeconds;
  }

  /** The images a second that so many workers load. */
  public double predict(int workers) {
    double most = Math.min(mostReadsPerSecond, cpuLimit());
    return Math.min(most, Math.min(machine.speedup(workers) / cpuSeconds, shared(workers)));
  }

  public LoaderModel withWait(double seconds) {
    return new LoaderModel(seconds, cpuSeconds, besideSeconds, machine, mostReadsPerSecond);
  }

  /** The same if other threads read before a worker needs it, so that no worker waits. */
  public LoaderModel readingAhead(double cpuSecondsOfRead) {
    return new LoaderModel(
        0, cpuSeconds - cpuSecondsOfRead, cpuSecondsOfRead, machine, mostReadsPerSecond);
  }

  /** The same with less work for the processors; negative where it is more. */
  public LoaderModel withLessCpu(double seconds) {
    return new LoaderModel(
        waitSeconds, cpuSeconds - seconds, besideSeconds, machine, mostReadsPerSecond);
  }

  public LoaderModel withReadsPerSecond(double most) {
    return new LoaderModel(waitSeconds, cpuSeconds, besideSeconds, machine, most);
  }

  private double scaling(int threads) {
    return machine.speedupOfWaiters(threads);
  }

  /** The mean rate over the states of the network: how many of the workers compute. */
  private double shared(int workers) {
    if (waitSeconds <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    double weight = 1;
    double weights = 1;
    double rates = 0;
    for (int computing = 1; computing <= workers; computing++) {
      double rate = scaling(computing) / cpuSeconds;
      weight *= (workers - computing + 1) / (waitSeconds * rate);
      weights += weight;
      rates += weight * rate;
      if (weight > LARGE) {
        weight /= LARGE;
        weights /= LARGE;
        rates /= LARGE;
      }
    }
    return rates / weights;
  }
}
