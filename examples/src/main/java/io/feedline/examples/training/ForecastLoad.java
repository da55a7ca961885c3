package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.feedline.DataLoader;
import io.feedline.examples.shared.Unfinished;
import io.feedline.formats.table.Scaling;
import io.feedline.formats.table.Windows;
import io.feedline.gpu.DjlDataset;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Forecasts the load of 100 sensors for a day from the four days before: {@code ForecastLoad
 * [DIR]}, where DIR keeps the generated CSV file of 10^6 rows, and the scaling. The same code reads
 * Parquet and Arrow. {@code tutorials/time-series.md} explains the program.
 */
public final class ForecastLoad {
  private static final int LENGTH = 96;
  private static final int HORIZON = 24;
  private static final int BATCH_SIZE = 256;
  private static final int EPOCHS = 4;

  private ForecastLoad() {}

  /** Trains, and prints the errors of the network and of two naive forecasts. */
  public static void main(String[] args) throws Exception {
    Path file = generate(Path.of(args.length == 0 ? "examples/target" : args[0]));

    try (Windows windows =
        Windows.over(file)
            .key("sensor")
            .time("ts")
            .every(Duration.ofHours(1))
            .past("load", "temperature")
            .future("temperature")
            .target("load")
            .length(LENGTH)
            .horizon(HORIZON)
            .stride(6)
            .build()) {
      List<Windows> parts = windows.splitByTime(0.7, 0.1, 0.2);

      Scaling scaling = Scaling.standard(parts.get(0), "load", "temperature");
      scaling.save(file.resolveSibling("scaling.json"));

      Windows train = parts.get(0).scaled(scaling);
      Windows val = parts.get(1).scaled(scaling);
      Windows test = parts.get(2).scaled(scaling);
      System.out.printf(
          "%d, %d and %d windows of %d series%n",
          train.size(), val.size(), test.size(), windows.seriesCount());
      try (DataLoader<Map<String, Object>> trainLoader =
              DataLoader.builder(train).batchSize(BATCH_SIZE).shuffle(true).build();
          DataLoader<Map<String, Object>> valLoader =
              DataLoader.builder(val).batchSize(BATCH_SIZE).build();
          DataLoader<Map<String, Object>> testLoader =
              DataLoader.builder(test).batchSize(BATCH_SIZE).build()) {
        train(trainLoader, valLoader, testLoader, scaling.column("load").scale());
      }
    }
  }

  private static void train(
      DataLoader<Map<String, Object>> train,
      DataLoader<Map<String, Object>> val,
      DataLoader<Map<String, Object>> test,
      double scale)
      throws Exception {
    try (Model model = Model.newInstance("load", Device.cpu())) {
      model.getNDManager().getEngine().setRandomSeed(0);
      model.setBlock(network());
      DefaultTrainingConfig config =
          new DefaultTrainingConfig(Loss.l2Loss())
              .optDevices(new Device[] {Device.cpu()})
              .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.001f)).build());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(BATCH_SIZE, LENGTH, 2), new Shape(BATCH_SIZE, HORIZON, 1));
        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
          EasyTrain.fit(trainer, 1, batches(train), null);
          double error = error(trainer, val, (input, naive) -> naive.evaluate(input));
          System.out.printf(Locale.ROOT, "epoch %d: validation error %.2f%n", epoch, error * scale);
        }
        Forecast lastValue = (input, network) -> input.get(0).get(":, -1:, :1").repeat(1, HORIZON);
        Forecast dayBefore = (input, network) -> input.get(0).get(":, -24:, :1");
        System.out.printf(
            Locale.ROOT,
            "test error: network %.2f, the last value %.2f, the day before %.2f%n",
            scale * error(trainer, test, (input, network) -> network.evaluate(input)),
            scale * error(trainer, test, lastValue),
            scale * error(trainer, test, dayBefore));
      }
    }
  }

  private interface Network {
    NDArray evaluate(NDList input);
  }

  /** A forecast for a batch, (batch, HORIZON, 1), by the network or by a naive rule. */
  private interface Forecast {
    NDArray of(NDList input, Network network);
  }

  /** Returns the root mean squared error of a forecast. */
  private static double error(
      Trainer trainer, DataLoader<Map<String, Object>> loader, Forecast forecast) throws Exception {
    double sum = 0;
    long count = 0;
    for (ai.djl.training.dataset.Batch batch : trainer.iterateDataset(batches(loader))) {
      try (batch) {
        NDArray target = batch.getLabels().singletonOrThrow();
        NDArray found =
            forecast.of(batch.getData(), input -> trainer.evaluate(input).singletonOrThrow());
        sum += found.sub(target).square().sum().getFloat();
        count += target.size();
      }
    }
    return Math.sqrt(sum / count);
  }

  private static DjlDataset batches(DataLoader<Map<String, Object>> loader) {
    return DjlDataset.builder(loader).data("past", "future").labels("target").build();
  }

  /** Returns the network: past and future side by side, and two linear layers. */
  private static Block network() {
    return new SequentialBlock()
        .add(
            new LambdaBlock(
                inputs -> {
                  NDArray past = inputs.get(0);
                  long batch = past.getShape().get(0);
                  return new NDList(
                      past.reshape(batch, 2 * LENGTH)
                          .concat(inputs.get(1).reshape(batch, HORIZON), 1));
                },
                "side by side"))
        .add(Linear.builder().setUnits(64).build())
        .add(Activation::relu)
        .add(Linear.builder().setUnits(HORIZON).build())
        .add(
            new LambdaBlock(
                outputs -> new NDList(outputs.singletonOrThrow().expandDims(2)), "one column"));
  }

  /** Writes 10,000 hours of 100 sensors, unless the file exists. */
  private static Path generate(Path parent) throws IOException {
    return Unfinished.directory(
            parent.resolve("load-1000000-seed0"),
            unfinished -> {
              try (BufferedWriter csv = Files.newBufferedWriter(unfinished.resolve("load.csv"))) {
                csv.write("sensor,ts,temperature,load\n");
                for (int sensor = 0; sensor < 100; sensor++) {
                  write(sensor, csv);
                }
              }
            })
        .resolve("load.csv");
  }

  /** Writes a sensor's load, by hour, day of the week, temperature and a slow random change. */
  private static void write(int sensor, BufferedWriter csv) throws IOException {
    SplittableRandom random = new SplittableRandom(sensor);
    double size = random.nextDouble(20, 60);
    double stray = 0;
    double weather = 0;
    LocalDateTime time = LocalDateTime.of(2023, 1, 1, 0, 0);
    for (int row = 0; row < 10_000; row++, time = time.plusHours(1)) {
      weather = 0.98 * weather + random.nextDouble(-1, 1);
      stray = 0.95 * stray + random.nextDouble(-1, 1);
      double day = 2 * Math.PI * time.getHour() / 24;
      double year = 2 * Math.PI * time.getDayOfYear() / 365;
      double temperature = 10 - 10 * Math.cos(year) - 4 * Math.cos(day) + weather;
      boolean weekend = time.getDayOfWeek().getValue() > 5;
      double load =
          size * (1 - 0.4 * Math.cos(day - 1)) * (weekend ? 0.7 : 1)
              + Math.abs(temperature - 18)
              + stray;
      csv.write("s" + sensor + ',' + time + ":00Z,");
      csv.write(Math.round(10 * temperature) / 10.0 + "," + Math.round(10 * load) / 10.0 + "\n");
    }
  }
}
