package io.feedline.examples.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import io.feedline.examples.shared.Figures;
import io.feedline.examples.shared.Meter;
import io.feedline.examples.shared.Narrator;
import io.feedline.examples.shared.StepDisplay;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import io.feedline.progress.Progress.Figure;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * A loop over one epoch of training or validation. It prints the progress. After each step it
 * checks the stop signal, and ends early if a stop is requested.
 *
 * @param trainer the trainer of an initialized model
 * @param lossScale the factor of the loss before the backward pass; the optimizer divides the
 *     gradients by it
 * @param maxSteps the largest number of steps of one call
 * @param printFrequency the number of steps from one line to the next
 * @param withBar whether a bar is shown instead of lines
 * @param narrator reports the progress until the first step has ended
 */
record TrainingLoop(
    Trainer trainer,
    float lossScale,
    int maxSteps,
    int printFrequency,
    boolean withBar,
    GpuUsage gpu,
    PrintWriter out,
    Narrator narrator,
    StopSignal stop) {

  /** Trains for one epoch, and returns a report of where the time went. */
  EpochReport train(DeviceLoader loader, int epoch) {
    Meter time = new Meter("Time", "%.3f");
    Meter data = new Meter("Data", "%.3f");
    Meter loss = new Meter("Loss", "%.4f");
    Meter top1 = new Meter("Prec@1", "%.2f");
    Meter top5 = new Meter("Prec@5", "%.2f");
    long steps = steps(loader);
    EpochReport report = new EpochReport("images", loader, gpu);
    try (StepDisplay display =
        new StepDisplay(
            out, narrator, "Epoch: [" + epoch + "]", steps, "images", printFrequency, withBar)) {
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
          NDList labels = new NDList(batch.tensor("label"));
          NDList predicted;
          try (GradientCollector gradients = trainer.newGradientCollector()) {
            predicted = trainer.forward(new NDList(batch.tensor("image")), labels);
            NDArray value = trainer.getLoss().evaluate(labels, predicted);
            gradients.backward(lossScale == 1 ? value : value.mul(lossScale));
            loss.add(value.getFloat(), size);
          }
          trainer.step();
          addAccuracy(top1, top5, predicted, labels);
          data.add((loaded - begin) / 1e9, 1);
          report.add(loaded - begin, size);
          display.batch(loaded - begin, size);
        }
        time.add((System.nanoTime() - begin) / 1e9, 1);
        display.step(step, figures(loss, top1), time, data, loss, top1, top5);
      }
    }
    report.end();
    if (report.steps() > 0) {
      say(" * epoch %d: loss %.4f, %s", epoch, loss.average(), report);
    }
    return report;
  }

  /** Validates; the order of the images is always the same. */
  void validate(DeviceLoader loader) {
    Meter loss = new Meter("Loss", "%.4f");
    Meter top1 = new Meter("Prec@1", "%.2f");
    Meter top5 = new Meter("Prec@5", "%.2f");
    long steps = steps(loader);
    try (StepDisplay display =
        new StepDisplay(out, narrator, "Test: ", steps, "images", printFrequency, withBar)) {
      display.stage("loading the first batch to validate");
      Iterator<DeviceBatch> batches = loader.epoch(0).iterator();
      for (long step = 0; step < steps && !stop.requested(); step++) {
        long begin = System.nanoTime();
        try (DeviceBatch batch = batches.next()) {
          display.batch(System.nanoTime() - begin, batch.size());
          NDList labels = new NDList(batch.tensor("label"));
          NDList predicted = trainer.evaluate(new NDList(batch.tensor("image")));
          loss.add(trainer.getLoss().evaluate(labels, predicted).getFloat(), batch.size());
          addAccuracy(top1, top5, predicted, labels);
        }
        display.step(step, figures(loss, top1), loss, top1, top5);
      }
    }
    if (!stop.requested()) {
      say(
          " * Prec@1 %.3f Prec@5 %.3f (validation, loss %.4f)",
          top1.average(), top5.average(), loss.average());
    }
  }

  /** Returns the figures of a bar, the most important first. */
  private static List<Figure> figures(Meter loss, Meter top1) {
    return List.of(Figures.loss(loss), Figures.percent("Prec@1", top1));
  }

  private long steps(DeviceLoader loader) {
    return Math.min(maxSteps, loader.size().orElseThrow());
  }

  private static void addAccuracy(Meter top1, Meter top5, NDList predicted, NDList labels) {
    float[] scores = predicted.singletonOrThrow().toFloatArray();
    long[] truth = labels.singletonOrThrow().toLongArray();
    top1.add(Accuracy.topK(scores, truth, 1), truth.length);
    top5.add(Accuracy.topK(scores, truth, 5), truth.length);
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
