package io.feedline.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.feedline.bench.StepFigures.Round;
import io.feedline.bench.StepFigures.Turn;
import io.feedline.bench.Utilization.Stretch;
import io.feedline.gpu.DeviceBatch;
import java.time.Duration;
import java.util.Iterator;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * Training steps of two kinds in turns: a block of steps with a loader's batches, then a block of
 * steps that reuse one batch.
 *
 * <p><b>When a step ends.</b> A training loop puts a step's work into the GPU's queue and begins
 * the next; waiting for each step would let the GPU idle and measure a loop that no training runs.
 * So a block begins when the GPU is idle. It ends when the loss of its last step has been read;
 * this read waits for everything that the block has queued. The block's time divided by its steps
 * is the time of a step. On the CPU a step is over when its last call returns, so the same rule is
 * right.
 *
 * <p><b>Before a block counts</b>, a few steps of its kind are taken: as many as batches may have
 * been prepared while the other kind had its turn. A loader that cannot keep up would otherwise
 * look as if it could.
 *
 * <p><b>The time of {@code next()} when a batch is ready.</b> Within a block, {@code next()} may
 * also have to wait for the GPU, since the loop queues work ahead. So {@code next()} is also
 * measured alone: the GPU is idle, and enough steps have passed for the loader to make a batch.
 *
 * <p><b>The utilization of the GPU.</b> The driver measures it once to six times a second; a block
 * is too short for that. So there is one long stretch of each kind, in which nothing waits for the
 * GPU.
 *
 * <p>Used by one thread. Owns the reused batch, whose arrays belong to the training's manager.
 */
final class StepTurns {
  /** A step of one kind. Reading the loss of the last step waits for the step. */
  @FunctionalInterface
  interface Step {
    void take(boolean last);

    /** Takes several steps, and waits for the last. */
    default void times(int steps) {
      for (int i = 0; i < steps; i++) {
        take(i == steps - 1);
      }
    }
  }

  /** The largest number of steps a millisecond; a watched stretch gets enough batches for it. */
  private static final int MOST_STEPS_PER_MILLISECOND = 10;

  static final String IMAGE = "image";
  private static final String LABEL = "label";

  private final Training training;
  private final Iterator<DeviceBatch> batches;
  private final int lead;
  private final int steps;
  private final NDArray images;
  private final NDArray labels;
  private double loss;

  /**
   * Takes the first batch, and copies it for the steps that reuse one batch.
   *
   * @param batches at least {@link #batchesNeeded}, with the tensors image and label
   * @param lead the number of steps before the steps that count, 0 or more
   * @param steps the number of steps of a block, 1 or more
   */
  StepTurns(Training training, Iterator<DeviceBatch> batches, int lead, int steps) {
    this.training = training;
    this.batches = batches;
    this.lead = lead;
    this.steps = steps;
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

  /** Returns the number of batches that the rounds, {@link #watch} and {@link #ask} need. */
  static long batchesNeeded(int lead, int steps, int rounds, Duration watched, int asks) {
    long stretch =
        watched.isZero() ? 0 : lead + 1 + watched.toMillis() * MOST_STEPS_PER_MILLISECOND;
    return 1 + (long) rounds * (lead + steps) + stretch + asks;
  }

  /**
   * Takes a turn of each kind; in every second round the loader's turn is first.
   *
   * @param waits receives the nanoseconds of each {@code next()} that counts
   */
  Round round(int number, LongConsumer waits) {
    Turn before = number % 2 == 0 ? null : synthetic();
    Turn loaded = turn(last -> loadedStep(nanos -> {}, last), last -> loadedStep(waits, last));
    return new Round(loaded, before == null ? synthetic() : before);
  }

  private Turn synthetic() {
    return turn(this::syntheticStep, this::syntheticStep);
  }

  private Turn turn(Step leading, Step counted) {
    leading.times(lead);
    long cpu = ProcessMeter.cpuNanos();
    long wall = System.nanoTime();
    counted.times(steps);
    return new Turn(steps, System.nanoTime() - wall, ProcessMeter.cpuNanos() - cpu);
  }

  /**
   * Takes steps of both kinds, for at least this time each, and watches the GPU meanwhile.
   *
   * @param least the time that was passed to {@link #batchesNeeded}
   * @throws io.feedline.bench.nvml.GpuMonitor.NvmlException if the GPU no longer reports its load
   */
  Utilization watch(GpuWatch gpu, Duration least) {
    Step loaded = last -> loadedStep(nanos -> {}, last);
    return Utilization.of(
        Stretch.of(loaded, lead, gpu, least, System::nanoTime),
        Stretch.of(this::syntheticStep, lead, gpu, least, System::nanoTime));
  }

  /**
   * Times {@code next()} when a batch is ready.
   *
   * @param stepsBetween the number of steps before each measured call, 1 or more
   */
  Percentiles ask(int asks, int stepsBetween) {
    LongStream.Builder taken = LongStream.builder();
    Step synthetic = this::syntheticStep;
    for (int ask = 0; ask < asks; ask++) {
      synthetic.times(stepsBetween);
      next(taken).close();
    }
    return Percentiles.of(taken.build().toArray());
  }

  /** Returns the loss of the last step of the last block. */
  double loss() {
    return loss;
  }

  private DeviceBatch next(LongConsumer waits) {
    long asked = System.nanoTime();
    DeviceBatch batch = batches.next();
    waits.accept(System.nanoTime() - asked);
    return batch;
  }

  private void loadedStep(LongConsumer waits, boolean wait) {
    try (DeviceBatch batch = next(waits)) {
      finish(training.step(batch.tensor(IMAGE), batch.tensor(LABEL)), wait);
    }
  }

  /** Takes a step on the reused batch, in a manager of its own, which owns the computed arrays. */
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
}
