package io.feedline.examples.training;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.data.Dataset;
import io.feedline.formats.image.codec.DecodeOptions;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of {@link TrainResNet50}, in addition to those of every training run. */
final class TrainOptions extends LoopOptions {

  enum Precision {
    FLOAT32,
    /** Half precision where it does no harm; {@link MixedPrecision} has the details. */
    FLOAT16
  }

  @Option(
      names = "--data",
      paramLabel = "PATH",
      converter = DataPath.class,
      description = {
        "Images: PATH/train/CLASS/*.jpg and PATH/val/CLASS/*.jpg, or PATH/CLASS/*.jpg, of which"
            + " every 10th of a class is for validation; or a database, an archive or shards;"
            + " or their URI, s3://bucket/prefix."
            + " Default: images that are generated."
      })
  Path data;

  @Option(
      names = "--generate-images",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "How many images of each of the 10 classes are generated, a fifth of them for"
              + " validation. Default: ${DEFAULT-VALUE}.")
  int generateImages;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      defaultValue = "resnet50",
      description = "One of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  ResNet model;

  @Option(
      names = "--image-size",
      paramLabel = "PIXELS",
      defaultValue = "64",
      description =
          "Side of the square that goes into the network, 32 or more. Default: ${DEFAULT-VALUE};"
              + " ImageNet's is 224.")
  int imageSize;

  @Option(
      names = "--lr",
      paramLabel = "RATE",
      defaultValue = "0.002",
      description =
          "Learning rate, the same in all epochs. Default: ${DEFAULT-VALUE}, for batches of 16.")
  float learningRate;

  @Option(
      names = "--momentum",
      paramLabel = "M",
      defaultValue = "0.9",
      description = "Default: ${DEFAULT-VALUE}.")
  float momentum;

  @Option(
      names = "--weight-decay",
      paramLabel = "W",
      defaultValue = "1e-4",
      description = "Default: ${DEFAULT-VALUE}.")
  float weightDecay;

  @Option(
      names = "--precision",
      paramLabel = "TYPE",
      defaultValue = "float32",
      description =
          "The number type of convolutions, one of ${COMPLETION-CANDIDATES}; weights and"
              + " normalization stay in float32. For GPUs: processors are slow in float16. Default:"
              + " ${DEFAULT-VALUE}.")
  Precision precision;

  @Option(
      names = "--checkpoint-dir",
      paramLabel = "DIR",
      defaultValue = "examples/target/checkpoints",
      description =
          "Where the network's parameters are saved after each epoch. A run without --resume"
              + " replaces those that an earlier run of the same model has left there. Default:"
              + " ${DEFAULT-VALUE}.")
  Path checkpointDir;

  @Option(
      names = "--resume",
      description =
          "Continue after the last checkpoint in --checkpoint-dir. The optimizer's momentum begins at"
              + " zero: DJL cannot save it.")
  boolean resume;

  @Option(
      names = "--decoder",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "The decoder of images, one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  DecodeOptions.Backend decoder;

  @Option(
      names = "--read-ahead",
      paramLabel = "N",
      description =
          "How many images may be read at once ahead of the workers; for a cold disk or a network"
              + " share some tens. Default: up to 64 from remote storage, none from local files.")
  Integer readAhead;

  /** Returns a loader's builder, with reading ahead if the user's options set it. */
  <T> DataLoaderBuilder<T> loader(Dataset<T> dataset) {
    DataLoaderBuilder<T> builder = workers.of(DataLoader.builder(dataset)).batchSize(batchSize);
    return readAhead == null ? builder : builder.readAhead(readAhead);
  }

  @Override
  void validate() {
    super.validate();
    require(cache == null || data != null, CACHE_OF_NOTHING);
    atLeast("--image-size", imageSize, ResNet.SMALLEST_IMAGE);
    atLeast("--generate-images", generateImages, 5);
    requireLearningRate(learningRate);
    atLeast("--read-ahead", readAhead == null ? 0 : readAhead, 0);
    require(
        momentum >= 0 && momentum < 1, "--momentum must be 0 or more and below 1, was " + momentum);
    require(
        weightDecay >= 0 && Float.isFinite(weightDecay),
        "--weight-decay must be 0 or more, was " + weightDecay);
  }
}
