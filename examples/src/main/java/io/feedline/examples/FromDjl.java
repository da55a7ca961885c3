package io.feedline.examples;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.loss.Loss;
import ai.djl.translate.TranslateException;
import io.feedline.DataLoader;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.DjlDataset;
import io.feedline.gpu.DjlSamples;
import java.io.IOException;
import java.util.Map;

/**
 * Reads a DJL dataset by Feedline's loader, and trains with the loader in DJL's training loop:
 * {@code FromDjl}. {@code FROM-DJL.md} compares DJL's idioms with Feedline's.
 */
public final class FromDjl {

  private FromDjl() {}

  /** Trains for an epoch on eight rows of numbers, then reads them as DJL's arrays. */
  public static void main(String[] args) throws IOException, TranslateException {
    try (Model model = Model.newInstance("linear", Device.cpu())) {
      model.setBlock(Linear.builder().setUnits(1).build());
      NDManager manager = model.getNDManager();
      ArrayDataset arrays =
          new ArrayDataset.Builder()
              .setData(manager.arange(16f).div(16).reshape(8, 2))
              .optLabels(manager.arange(8f).mod(2))
              .setSampling(1, false)
              .build();

      Dataset<Map<String, Tensor>> dataset = DjlSamples.of(arrays);
      try (DataLoader<Map<String, Tensor>> loader =
              DataLoader.builder(dataset).batchSize(4).shuffle(true).build();
          Trainer trainer = model.newTrainer(config())) {
        trainer.initialize(new Shape(4, 2));
        train(trainer, loader);
        read(trainer, loader);
      }
    }
  }

  private static void train(Trainer trainer, DataLoader<Map<String, Tensor>> loader)
      throws IOException, TranslateException {
    int steps = 0;
    for (ai.djl.training.dataset.Batch batch : trainer.iterateDataset(DjlDataset.of(loader))) {
      try (batch) {
        EasyTrain.trainBatch(trainer, batch);
        trainer.step();
        steps++;
      }
    }
    System.out.println("trained with " + steps + " batches");
  }

  private static void read(Trainer trainer, DataLoader<Map<String, Tensor>> loader) {
    try (DeviceLoader onDevice = DeviceLoader.of(loader, trainer.getManager())) {
      for (DeviceBatch batch : onDevice) {
        try (batch) {
          NDArray data = batch.tensor("data");
          NDArray label = batch.tensor("label");
          System.out.println("read " + data.getShape() + " and " + label.getShape());
        }
      }
    }
  }

  private static DefaultTrainingConfig config() {
    return new DefaultTrainingConfig(Loss.l2Loss()).optDevices(new Device[] {Device.cpu()});
  }
}
