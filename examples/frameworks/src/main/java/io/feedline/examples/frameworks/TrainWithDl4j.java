package io.feedline.examples.frameworks;

import io.feedline.DataLoader;
import io.feedline.batch.Tensor;
import java.util.Locale;
import java.util.Map;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Trains a layer of DL4J with the values of {@link Points}: {@code TrainWithDl4j}. */
public final class TrainWithDl4j {
  private static final int BATCH_SIZE = 64;

  private TrainWithDl4j() {}

  /** Prints the loss at the beginning and at the end, and the weights. */
  public static void main(String[] args) {
    MultiLayerNetwork network = network();
    try (DataLoader<Map<String, Tensor>> loader =
        DataLoader.builder(Points.of(1000)).batchSize(BATCH_SIZE).shuffle(true).build()) {
      try (Dl4jBatches batches = new Dl4jBatches(loader, BATCH_SIZE, "x", "y")) {
        network.fit(batches, 1);
        double first = network.score();
        network.fit(batches, 20);
        System.out.printf(Locale.ROOT, "loss %.4f, then %.4f%n", first, network.score());
      }
      System.out.println("batches still open: " + loader.stats().batchesOpen());
    }
    System.out.printf(
        Locale.ROOT,
        "weights %.2f %.2f %.2f, bias %.2f%n",
        network.params().getDouble(0),
        network.params().getDouble(1),
        network.params().getDouble(2),
        network.params().getDouble(3));
  }

  private static MultiLayerNetwork network() {
    MultiLayerNetwork network =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(0)
                .updater(new Adam(0.05))
                .list()
                .layer(
                    new OutputLayer.Builder(LossFunction.MSE)
                        .nIn(3)
                        .nOut(1)
                        .activation(Activation.IDENTITY)
                        .build())
                .build());
    network.init();
    return network;
  }
}
