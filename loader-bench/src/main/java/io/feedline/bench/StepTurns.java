package io.feedline.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.feedline.bench.StepFigures.Round;
import io.feedline.gpu.DeviceBatch;
import java.util.Iterator;
import java.util.OptionalDouble;
import java.util.stream.LongStream;

/**
 * Training steps in turns: a block on a loader's batches, a block that reuses one batch.
 *
 * <p><b>When a step ends.</b> A training loop puts a step's work into the GPU's queue and goes on
 * to the next; waiting for each step would let the GPU idle and measure something that nobody runs.
 * So a block begins when the GPU has nothing to do, and ends when the loss of its last step has
 * been read, which comes after everything that the block has put into the queue. The block's time
 * divided by its steps is the time of a step. On the CPU a step is over when its last call returns,
 * and the same holds.
 *
 * <p><b>Before a block counts</b>, a few steps of its kind are taken: as many as batches may have
 * been prepared while the other kind had its turn. A loader that cannot keep up would otherwise
 * look as if it could.
 *
 * <p><b>What {@code next()} takes when a batch is ready.</b> Within a block, {@code next()} may
 * also have to wait for the GPU, which the loop is ahead of. So it is also asked by itself, with
 * the GPU idle and after as many steps as it takes the loader to make a batch, and one more.
 *
 * <p>Used by one thread. Owns the batch that is reused, which hangs on the training's manager.
 */
final class StepTurns {
  /** Tells how busy a GPU is. */
  @FunctionalInterface
  interface BusyMeter {
    /** Percent of the time since the last call; empty if nobody knows. */
    OptionalDouble sinceLastAsked();
  }

  static final String IMAGE = "image";
  private static final String LABEL = "label";

  private final Training training;
  private final Iterator<DeviceBatch> batches;
  private final int lead;
  private final int steps;
  private final BusyMeter gpuBusy;
  private final NDArray images;
  private final NDArray labels;
  private double loss;

  /**
   * Takes the first batch, to reuse a copy of it.
   *
   * @param batches at least {@link #batchesNeeded}, with the tensors image and label
   * @param lead steps before those that count, 0 or more
   * @param steps of a block, 1 or more
   * @param gpuBusy of the GPU that is trained on
   */
  StepTurns(
      Training training, Iterator<DeviceBatch> batches, int lead, int steps, BusyMeter gpuBusy) {
    this.training = training;
    this.batches = batches;
    this.lead = lead;
    this.steps = steps;
    this.gpuBusy = gpuBusy;
    try (DeviceBatch first = batches.next()) {
      images = copy(first.tensor(IMAGE));
      labels = copy(first.tensor(LABEL));
    }
  }

  private NDArray copy(NDArray array) {
    NDArray copy = array.duplicate();
    copy.attach(training.manager());
    return copy;
  }

  /** How many batches it takes to make so many rounds and ask so often. */
  static long batchesNeeded(int lead, int steps, int rounds, int asks) {
    return 1 + (long) rounds * (lead + steps) + asks;
  }

  /**
   * Takes a turn of both kinds, the loader's first in every second round.
   *
   * @param waits is given the nanoseconds of each {@code next()} that counts
   */
  Round round(int number, LongStream.Builder waits) {
    StepTurn before = number % 2 == 0 ? null : synthetic();
    StepTurn loaded = loaded(waits);
    return new Round(loaded, before == null ? synthetic() : before);
  }

  private StepTurn loaded(LongStream.Builder waits) {
    for (int i = 0; i < lead; i++) {
      loadedStep(LongStream.builder(), i == lead - 1);
    }
    gpuBusy.sinceLastAsked(); // what came before is not of this turn
    Stopwatch watch = Stopwatch.start();
    for (int i = 0; i < steps; i++) {
      loadedStep(waits, i == steps - 1);
    }
    return watch.stop(steps, gpuBusy);
  }

  private StepTurn synthetic() {
    for (int i = 0; i < lead; i++) {
      syntheticStep(i == lead - 1);
    }
    gpuBusy.sinceLastAsked(); // what came before is not of this turn
    Stopwatch watch = Stopwatch.start();
    for (int i = 0; i < steps; i++) {
      syntheticStep(i == steps - 1);
    }
    return watch.stop(steps, gpuBusy);
  }

  /**
   * Times {@code next()} when a batch is ready.
   *
   * @param stepsBetween that the loader has time for, 1 or more
   */
  Percentiles ask(int asks, int stepsBetween) {
    LongStream.Builder taken = LongStream.builder();
    for (int ask = 0; ask < asks; ask++) {
      for (int i = 0; i < stepsBetween; i++) {
        syntheticStep(i == stepsBetween - 1);
      }
      next(taken).close();
    }
    return Percentiles.of(taken.build().toArray());
  }

  /** The loss of the last block's last step. */
  double loss() {
    return loss;
  }

  private DeviceBatch next(LongStream.Builder waits) {
    long asked = System.nanoTime();
    DeviceBatch batch = batches.next();
    waits.add(System.nanoTime() - asked);
    return batch;
  }

  private void loadedStep(LongStream.Builder waits, boolean wait) {
    try (DeviceBatch batch = next(waits)) {
      finish(training.step(batch.tensor(IMAGE), batch.tensor(LABEL)), wait);
    }
  }

  /** What is computed hangs on the manager of the images, so they are moved below one for it. */
  private void syntheticStep(boolean wait) {
    try (NDManager scope = training.manager().newSubManager()) {
      images.attach(scope);
      try {
        finish(training.step(images, labels), wait);
      } finally {
        images.attach(training.manager());
      }
    }
  }

  private void finish(NDArray value, boolean wait) {
    if (wait) {
      loss = value.getFloat();
    }
  }

  /** The two clocks of a turn. */
  private record Stopwatch(long wallNanos, long cpuNanos) {
    static Stopwatch start() {
      long cpu = ProcessMeter.cpuNanos();
      return new Stopwatch(System.nanoTime(), cpu);
    }

    StepTurn stop(int steps, BusyMeter gpuBusy) {
      long wall = System.nanoTime() - wallNanos;
      long cpu = ProcessMeter.cpuNanos() - cpuNanos;
      return new StepTurn(steps, wall, cpu, gpuBusy.sinceLastAsked());
    }
  }
}
