package io.feedline.examples.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import io.feedline.examples.shared.Figures;
import io.feedline.examples.shared.Meter;
import io.feedline.examples.shared.StepDisplay;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * A loop over one epoch of training or validation, with a loss that the program computes. It prints
 * the progress. After each step it checks the stop signal, and ends early if a stop is requested.
 *
 * @param program prints the progress, and has the stop signal
 * @param trainer the trainer of an initialized model, whose input is {@code image}
 * @param loss computes the loss, one number, from the network's output for a batch
 */
record LossLoop(
    TrainingProgram program,
    LoopOptions options,
    Trainer trainer,
    BiFunction<NDList, DeviceBatch, NDArray> loss,
    GpuUsage gpu,
    StopSignal stop) {

  /** Trains for one epoch, and returns a report of where the time went. */
  EpochReport train(DeviceLoader loader, int epoch) {
    Meter data = new Meter("Data", "%.3f");
    Meter compute = new Meter("Compute", "%.3f");
    Meter mean = new Meter("Loss", "%.4f");
    EpochReport report = new EpochReport("images", loader, gpu);
    long steps = steps(loader);
    try (StepDisplay display = display("Epoch: [" + epoch + "]", steps)) {
      display.stage("loading the first batch");
      Iterator<DeviceBatch> batches = loader.epoch(epoch).iterator();
      for (long step = 0; step < steps && !stop.requested(); step++) {
        long begin = System.nanoTime();
        try (DeviceBatch batch = batches.next()) {
          long loaded = System.nanoTime();
          if (step == 0) {
            display.stage("training on the first batch");
          }
          int size = batch.size();
          try (GradientCollector gradients = trainer.newGradientCollector()) {
            NDList predicted = trainer.forward(new NDList(batch.tensor("image")));
            NDArray value = loss.apply(predicted, batch);
            gradients.backward(value);
            mean.add(value.getFloat(), size);
          }
          trainer.step();
          data.add((loaded - begin) / 1e9, 1);
          compute.add((System.nanoTime() - loaded) / 1e9, 1);
          report.add(loaded - begin, size);
          display.batch(loaded - begin, size);
        }
        display.step(step, List.of(Figures.loss(mean)), data, compute, mean);
      }
    }
    report.end();
    if (report.steps() > 0) {
      program.say(" * epoch %d: loss %.4f, %s", epoch, mean.average(), report);
    }
    return report;
  }

  /**
   * Predicts in the order of the dataset.
   *
   * @param use receives the network's output for a batch, and the batch
   */
  void validate(DeviceLoader loader, BiConsumer<NDList, DeviceBatch> use) {
    long steps = steps(loader);
    try (StepDisplay display = display("Test: ", steps)) {
      display.stage("loading the first batch to validate");
      Iterator<DeviceBatch> batches = loader.epoch(0).iterator();
      for (long step = 0; step < steps && !stop.requested(); step++) {
        long begin = System.nanoTime();
        try (DeviceBatch batch = batches.next()) {
          display.batch(System.nanoTime() - begin, batch.size());
          use.accept(trainer.evaluate(new NDList(batch.tensor("image"))), batch);
        }
      }
    }
  }

  private StepDisplay display(String task, long steps) {
    return new StepDisplay(
        program.out(),
        program.narrator(),
        task,
        steps,
        "images",
        options.printFrequency,
        options.showBar());
  }

  private long steps(DeviceLoader loader) {
    return Math.min(options.maxSteps, loader.size().orElseThrow());
  }
}
