package com.example;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.TrainingResult;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.EpochTrainingListener;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import io.feedline.DataLoader;
import io.feedline.Preprocessor;
import io.feedline.formats.image.dataset.DecodeImage;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.DjlDataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Trains a small network to tell classes of images apart: {@code Train [PATH]}.
 *
 * <p>PATH is a folder with a subfolder of images for each class. With the format's module in the
 * pom, PATH can be a database, an archive or shards; {@code ImageDataset.open} detects the format.
 * By default the images are generated.
 */
public final class Train {
  private static final int IMAGE_SIZE = 64;
  private static final int BATCH_SIZE = 16;
  private static final int EPOCHS = 5;
  private static final Path MODEL = Path.of("target", "model");

  private Train() {}

  /** Trains, and prints a line for each epoch. */
  public static void main(String[] args) throws IOException, TranslateException {
    Path path =
        args.length == 0 ? PatternImages.writeTo(Path.of("target", "images")) : Path.of(args[0]);

    DeviceLoader.requireDevice(Device.cpu()); // names a missing library of PyTorch
    try (ImageDataset images = ImageDataset.open(path)) {
      if (images.classes().size() < 2) {
        throw new IllegalArgumentException(
            path + " must have a folder of images for each class, two or more");
      }
      List<ImageDataset> parts = images.split(new double[] {0.8, 0.2}, 0);
      ImageDataset train =
          parts
              .get(0)
              .withTransform(
                  RandomResizedCrop.of(IMAGE_SIZE)
                      .andThen(RandomHorizontalFlip.of())
                      .andThen(Normalize.imagenet()));
      ImageDataset val =
          parts
              .get(1)
              .withTransform(
                  Resize.of(IMAGE_SIZE)
                      .andThen(CenterCrop.of(IMAGE_SIZE))
                      .andThen(Normalize.imagenet()));
      System.out.printf(
          "%d images to train with, %d to validate with, of the classes %s%n",
          train.size(), val.size(), images.classes());

      try (DataLoader<LabeledImage> trainLoader =
              DataLoader.builder(train).batchSize(BATCH_SIZE).shuffle(true).build();
          DataLoader<LabeledImage> valLoader =
              DataLoader.builder(val).batchSize(BATCH_SIZE).build();
          Model model = Model.newInstance("starter")) {
        model.setBlock(network(images.classes().size()));
        try (Trainer trainer = model.newTrainer(config())) {
          trainer.initialize(new Shape(BATCH_SIZE, 3, IMAGE_SIZE, IMAGE_SIZE));
          System.out.println("Training on " + trainer.getDevices()[0]);
          EasyTrain.fit(trainer, EPOCHS, DjlDataset.of(trainLoader), DjlDataset.of(valLoader));
        }
        model.save(MODEL, "starter");
        Preprocessor<Object> serving =
            Preprocessor.of(
                DecodeImage.of()
                    .andThen(Resize.of(IMAGE_SIZE))
                    .andThen(CenterCrop.of(IMAGE_SIZE))
                    .andThen(Normalize.imagenet()));
        serving.withClasses(images.classes()).save(MODEL);
        System.out.println("Saved the model and its pipeline in " + MODEL);
      }
    }
  }

  /** Returns the network: three convolutions, each of which halves the image. */
  private static Block network(int classes) {
    SequentialBlock network = new SequentialBlock();
    for (int filters : new int[] {16, 32, 64}) {
      network
          .add(
              Conv2d.builder()
                  .setKernelShape(new Shape(3, 3))
                  .optPadding(new Shape(1, 1))
                  .setFilters(filters)
                  .build())
          .add(BatchNorm.builder().build())
          .add(Activation.reluBlock())
          .add(Pool.maxPool2dBlock(new Shape(2, 2), new Shape(2, 2)));
    }
    return network.add(Pool.globalAvgPool2dBlock()).add(Linear.builder().setUnits(classes).build());
  }

  private static TrainingConfig config() {
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.003f)).build())
        .addEvaluator(new Accuracy())
        .addTrainingListeners(
            new EpochTrainingListener(), new EvaluatorTrainingListener(), new EpochLines());
  }

  private static final class EpochLines extends TrainingListenerAdapter {
    private long began = System.nanoTime();

    @Override
    public void onEpoch(Trainer trainer) {
      TrainingResult result = trainer.getTrainingResult();
      long now = System.nanoTime();
      System.out.printf(
          Locale.ROOT,
          "epoch %d: loss %.3f, accuracy %.2f, validation accuracy %.2f, %.1f s%n",
          result.getEpoch(),
          result.getTrainLoss(),
          result.getTrainEvaluation("Accuracy"),
          result.getValidateEvaluation("Accuracy"),
          (now - began) / 1e9);
      began = now;
    }
  }
}
