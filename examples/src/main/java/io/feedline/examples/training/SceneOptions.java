package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.TrainingConfig;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.gpu.Normalization;
import io.feedline.transform.Transform;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The options of {@link TrainSegmentation} and {@link TrainDetection}, in addition to those of
 * every training run.
 */
final class SceneOptions extends LoopOptions {

  /** A divisor of all image sizes: both networks halve the resolution up to four times. */
  private static final int SIZE_STEP = 16;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      converter = DataPath.class,
      description = {
        "Scenes: DIR/classes.txt with the name of a class in each line, and in DIR/train and"
            + " DIR/val images/NAME.jpg, masks/NAME.png and boxes.csv, with the columns "
            + SceneFolder.COLUMNS
            + ". Default: scenes that are generated."
      })
  Path data;

  @Option(
      names = "--generate-images",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "How many images are generated, a fifth of them for validation. Default:"
              + " ${DEFAULT-VALUE}.")
  int generateImages;

  @Option(
      names = "--image-size",
      paramLabel = "PIXELS",
      defaultValue = "64",
      description =
          "Side of the square that goes into the network, a multiple of 16. Default:"
              + " ${DEFAULT-VALUE}.")
  int imageSize;

  @Option(
      names = "--crops",
      paramLabel = "N",
      defaultValue = "8",
      description =
          "How often each image is in an epoch, another part of it each time. Default:"
              + " ${DEFAULT-VALUE}.")
  int crops;

  @Option(
      names = "--lr",
      paramLabel = "RATE",
      defaultValue = "0.003",
      description = "Adam's learning rate, the same in all epochs. Default: ${DEFAULT-VALUE}.")
  float learningRate;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where the pictures go: what the network sees, and what it predicts. Default: where"
              + " generated images are kept.")
  Path out;

  @Override
  void validate() {
    super.validate();
    require(
        imageSize >= SIZE_STEP && imageSize % SIZE_STEP == 0,
        "--image-size must be a multiple of %d, was %d".formatted(SIZE_STEP, imageSize));
    atLeast("--generate-images", generateImages, 5);
    atLeast("--crops", crops, 1);
    requireLearningRate(learningRate);
    require(cache == null || data != null, CACHE_OF_NOTHING);
    if (out == null) {
      out = generateDir;
    }
  }

  /** Returns the builder of a loader; the caller adds further options. */
  <S> DataLoaderBuilder<S> loader(Dataset<S> samples, TrainingDevice device) {
    return workers
        .of(DataLoader.builder(samples))
        .batchSize(batchSize)
        .seed(seed)
        .allocator(device.allocator());
  }

  /** Returns the last transform on the host; with normalization on the device, it makes bytes. */
  Transform<Image, Image> lastTransform() {
    return normalizeOnDevice ? ToTensor.of(DType.UINT8) : Normalize.imagenet();
  }

  List<Normalization> onDevice() {
    return normalizeOnDevice ? List.of(Normalization.imagenet("image")) : List.of();
  }

  /** Returns a training configuration without a loss, since the program computes the loss. */
  TrainingConfig config(Device device) {
    return new DefaultTrainingConfig(Loss.l1Loss()) // not used
        .optDevices(new Device[] {device})
        .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(learningRate)).build());
  }
}
