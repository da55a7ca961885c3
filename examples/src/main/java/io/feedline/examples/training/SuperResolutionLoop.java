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
import io.feedline.progress.Progress.Figure;
import java.util.Iterator;
import java.util.List;

/**
 * A loop over one epoch of training. It prints the progress. After each step it checks the stop
 * signal, and ends early if a stop is requested.
 *
 * @param program prints the progress, and has the stop signal
 * @param trainer the trainer of an initialized model
 */
record SuperResolutionLoop(
    TrainingProgram program,
    SuperResolutionOptions options,
    Trainer trainer,
    GpuUsage gpu,
    StopSignal stop) {

  /**
   * Trains for one epoch, and returns a report of where the time went. In the progress, PSNR is
   * that of the network's output before the step; Bicubic is that of the network's input, the
   * baseline.
   */
  EpochReport train(DeviceLoader loader, int epoch) {
    Meter data = new Meter("Data", "%.3f");
    Meter compute = new Meter("Compute", "%.3f");
    Meter loss = new Meter("Loss", "%.5f");
    Meter psnr = new Meter("PSNR", "%.2f");
    Meter bicubic = new Meter("Bicubic", "%.2f");
    long steps = Math.min(options.maxSteps, loader.size().orElseThrow());
    EpochReport report = new EpochReport("samples", loader, gpu);
    try (StepDisplay display =
        new StepDisplay(
            program.out(),
            program.narrator(),
            "Epoch: [" + epoch + "]",
            steps,
            "samples",
            options.printFrequency,
            options.showBar())) {
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
          NDArray low = batch.tensor("low");
          NDArray high = batch.tensor("high");
          NDArray predicted;
          try (GradientCollector gradients = trainer.newGradientCollector()) {
            predicted = trainer.forward(new NDList(low)).singletonOrThrow();
            NDArray value = trainer.getLoss().evaluate(new NDList(high), new NDList(predicted));
            gradients.backward(value);
            loss.add(value.getFloat(), size);
          }
          trainer.step();
          psnr.add(Psnr.mean(predicted, high), size);
          data.add((loaded - begin) / 1e9, 1);
          compute.add((System.nanoTime() - loaded) / 1e9, 1);
          report.add(loaded - begin, size);
          display.batch(loaded - begin, size);
          bicubic.add(Psnr.mean(low, high), size);
        }
        display.step(step, figures(loss, psnr), data, compute, loss, bicubic, psnr);
      }
    }
    report.end();
    if (report.steps() > 0) {
      program.say(
          " * epoch %d: loss %.5f, PSNR %.2f dB (bicubic %.2f dB), %s",
          epoch, loss.average(), psnr.average(), bicubic.average(), report);
    }
    return report;
  }

  /** Returns the figures of a bar, the most important first. */
  private static List<Figure> figures(Meter loss, Meter psnr) {
    return List.of(Figures.loss(loss), Figures.mean("PSNR", psnr, "dB"));
  }
}
