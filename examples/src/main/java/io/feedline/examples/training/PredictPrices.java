package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.transformer.IdEmbedding;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingResult;
import ai.djl.training.listener.EpochTrainingListener;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.examples.shared.Unfinished;
import io.feedline.formats.table.TableDataset;
import io.feedline.formats.table.Vocabulary;
import io.feedline.gpu.DjlDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Learns the prices of houses from a table: {@code PredictPrices [DIR]}, where DIR keeps the
 * generated CSV file, and the vocabulary of its districts. The same code reads Parquet and Arrow.
 * {@code guide/tables.md} explains the program.
 */
public final class PredictPrices {
  private static final int BATCH_SIZE = 64;
  private static final int EPOCHS = 8;

  /** The price of a square meter in each district minus the average, in thousands. */
  private static final Map<String, Double> DISTRICTS =
      Map.of("harbor", 1.5, "hills", 0.5, "old town", 0.0, "station", -1.0);

  private PredictPrices() {}

  /** Trains, and prints a line for each epoch. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path file = generate(parent);

    // The vocabulary is saved for the use of the trained network.
    Vocabulary districts = Vocabulary.fit(file, "district").withUnknown();
    districts.save(file.resolveSibling("districts.json"));

    try (TableDataset<Map<String, Object>> houses =
        TableDataset.builder(file)
            .features("area", "rooms", "year")
            .tensor("district", DType.INT64, "district")
            .tensor("price", DType.FLOAT32, "price")
            .categories("district", districts)
            .missing(1960, "year")
            .build()) {
      List<? extends Dataset<Map<String, Object>>> parts = houses.split(new double[] {0.8, 0.2}, 0);
      try (DataLoader<Map<String, Object>> train =
              DataLoader.builder(parts.get(0)).batchSize(BATCH_SIZE).shuffle(true).build();
          DataLoader<Map<String, Object>> val =
              DataLoader.builder(parts.get(1)).batchSize(BATCH_SIZE).build()) {
        System.out.printf("%d houses, %s%n", houses.size(), districts);
        train(districts.size(), train, val);
      }
    }
  }

  private static void train(
      int districts, DataLoader<Map<String, Object>> train, DataLoader<Map<String, Object>> val)
      throws Exception {
    try (Model model = Model.newInstance("prices", Device.cpu())) {
      model.getNDManager().getEngine().setRandomSeed(0);
      model.setBlock(network(districts));
      DefaultTrainingConfig config =
          new DefaultTrainingConfig(Loss.l2Loss())
              .optDevices(new Device[] {Device.cpu()})
              .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.02f)).build())
              .addTrainingListeners(new EpochTrainingListener(), new EvaluatorTrainingListener());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(BATCH_SIZE, 3), new Shape(BATCH_SIZE, 1));
        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
          EasyTrain.fit(trainer, 1, batches(train), batches(val));
          TrainingResult result = trainer.getTrainingResult();
          System.out.printf(
              Locale.ROOT,
              "epoch %d: loss %.3f, validation loss %.3f%n",
              epoch,
              result.getTrainLoss(),
              result.getValidateLoss());
        }
      }
    }
  }

  private static DjlDataset batches(DataLoader<Map<String, Object>> loader) {
    return DjlDataset.builder(loader).data("features", "district").labels("price").build();
  }

  /** Returns the network: features beside the district's embedding, and two linear layers. */
  private static Block network(int districts) {
    Block embedding =
        new IdEmbedding.Builder().setDictionarySize(districts).setEmbeddingSize(4).build();
    Block flat =
        new LambdaBlock(
            inputs -> {
              NDArray vectors = inputs.singletonOrThrow();
              return new NDList(vectors.reshape(vectors.getShape().get(0), 4));
            },
            "flat");
    return new SequentialBlock()
        .add(
            new ParallelBlock(
                    branches ->
                        new NDList(
                            branches
                                .get(0)
                                .singletonOrThrow()
                                .concat(branches.get(1).singletonOrThrow(), 1)))
                .add(new SequentialBlock().add(input(0)).add(BatchNorm.builder().build()))
                .add(new SequentialBlock().add(input(1)).add(embedding).add(flat)))
        .add(Linear.builder().setUnits(32).build())
        .add(Activation::relu)
        .add(Linear.builder().setUnits(1).build());
  }

  private static Block input(int position) {
    return new LambdaBlock(inputs -> new NDList(inputs.get(position)), "input" + position);
  }

  /** Writes a table of 2000 houses, unless it exists; in one house of ten the year is missing. */
  private static Path generate(Path parent) throws IOException {
    Path directory = parent.resolve("houses-2000-seed0");
    return Unfinished.directory(
            directory, unfinished -> Files.write(unfinished.resolve("houses.csv"), lines()))
        .resolve("houses.csv");
  }

  private static List<String> lines() {
    SplittableRandom random = new SplittableRandom(0);
    List<String> names = DISTRICTS.keySet().stream().sorted().toList();
    List<String> lines = new ArrayList<>(List.of("area,rooms,year,district,price"));
    for (int i = 0; i < 2000; i++) {
      int area = random.nextInt(40, 200);
      int year = random.nextInt(1900, 2020);
      String district = names.get(random.nextInt(names.size()));
      // In units of 100,000.
      double price =
          area * (3 + DISTRICTS.get(district) + (year - 1960) / 100.0) / 100
              + random.nextDouble(-0.2, 0.2);
      lines.add(
          String.format(
              Locale.ROOT,
              "%d,%d,%s,%s,%.3f",
              area,
              1 + area / 30,
              i % 10 == 0 ? "" : Integer.toString(year),
              district,
              price));
    }
    return lines;
  }
}
