package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.TrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.translate.TranslateException;
import io.feedline.DataLoader;
import io.feedline.examples.shared.GeneratedFolder;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.gpu.DjlDataset;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Gives Feedline's loaders to DJL's own training loop: {@code EasyTrainWithFeedline [DIR]}, where
 * DIR keeps the generated images.
 */
public final class EasyTrainWithFeedline {
  private static final int IMAGE_SIZE = 32;
  private static final int EPOCHS = 2;

  private EasyTrainWithFeedline() {}

  /** Trains a small network on generated images. */
  public static void main(String[] args) throws IOException, TranslateException {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path images = new GeneratedFolder(parent, 8, 2, 0).make();

    try (TrainingData data = TrainingData.open(images, IMAGE_SIZE, DecodeOptions.Backend.AUTO, 0);
        DataLoader<LabeledImage> train =
            DataLoader.builder(data.train()).sampler(data.trainOrder()).batchSize(8).build();
        DataLoader<LabeledImage> val = DataLoader.builder(data.val()).batchSize(8).build();
        Model model = Model.newInstance("easy", Device.cpu())) {
      model.setBlock(ResNet.RESNET18.block(data.classes().size(), IMAGE_SIZE));
      DefaultTrainingConfig config =
          new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
              .optDevices(new Device[] {Device.cpu()})
              .addEvaluator(new Accuracy())
              .addTrainingListeners(TrainingListener.Defaults.basic());
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(1, 3, IMAGE_SIZE, IMAGE_SIZE));

        DjlDataset batches = DjlDataset.of(train);
        EasyTrain.fit(trainer, EPOCHS, batches, DjlDataset.of(val));

        // For a checkpoint: batches.resume(LoaderState.fromJson(text)) continues from there.
        System.out.println("next: " + batches.state().toJson());
        System.out.printf(
            "training loss %.3f, validation accuracy %.2f%n",
            trainer.getTrainingResult().getTrainLoss(),
            trainer.getTrainingResult().getValidateEvaluation("Accuracy"));
      }
      System.out.println("batches still open: " + train.stats().batchesOpen());
    }
  }
}
