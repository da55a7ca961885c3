package io.feedline.examples;

import io.feedline.formats.image.ImageBackend;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of {@link TrainResNet50}, named as PyTorch's ImageNet script names them. */
final class TrainOptions {

  /** Where the arrays are. */
  enum Target {
    /** The processor. */
    CPU,
    /** The first GPU. */
    GPU
  }

  /** How progress is shown. */
  enum Progress {
    /** A bar on a terminal, lines elsewhere. */
    AUTO,
    /** A bar. */
    BAR,
    /** A line every now and then. */
    LINES
  }

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "Pictures: DIR/train/CLASS/*.jpg and DIR/val/CLASS/*.jpg, or DIR/CLASS/*.jpg, of which every"
            + " 10th of a class is for validation. Default: pictures that are generated."
      })
  Path data;

  @Option(
      names = "--generate-dir",
      paramLabel = "DIR",
      defaultValue = "examples/target",
      description = "Where generated pictures are kept. Default: ${DEFAULT-VALUE}.")
  Path generateDir;

  @Option(
      names = "--generate-images",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "How many pictures of each of the 10 classes are generated, a fifth of them for"
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
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "16",
      description = "Pictures per step. Default: ${DEFAULT-VALUE}.")
  int batchSize;

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "3",
      description = "Default: ${DEFAULT-VALUE}.")
  int epochs;

  @Option(
      names = "--max-steps",
      paramLabel = "N",
      description = "At most so many steps per epoch, and as many to validate. Default: all.")
  Integer maxSteps;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description =
          "Threads that load pictures; 0 loads in the training thread. Default: one per processor.")
  Integer workers;

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
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "0",
      description =
          "Of weights, order, random transforms and generated pictures. Default: ${DEFAULT-VALUE}.")
  long seed;

  @Option(
      names = "--print-freq",
      paramLabel = "N",
      defaultValue = "5",
      description = "Steps from one line to the next. Default: ${DEFAULT-VALUE}.")
  int printFrequency;

  @Option(
      names = "--progress",
      paramLabel = "HOW",
      defaultValue = "auto",
      description =
          "One of ${COMPLETION-CANDIDATES}; auto is a bar on a terminal and lines elsewhere."
              + " Default: ${DEFAULT-VALUE}.")
  Progress progress;

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
          "Go on after the last checkpoint in --checkpoint-dir. The optimizer's momentum begins at"
              + " zero: DJL cannot save it.")
  boolean resume;

  @Option(
      names = "--decoder",
      paramLabel = "NAME",
      defaultValue = "auto",
      description =
          "What decodes pictures, one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  ImageBackend decoder;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "cpu",
      description = "What trains, one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  Target device;

  /**
   * Checks what no single option can tell, and fills in what depends on the machine.
   *
   * @throws IllegalArgumentException if a value is out of its range or two exclude each other
   */
  void validate() {
    atLeast("--image-size", imageSize, ResNet.SMALLEST_IMAGE);
    atLeast("--batch-size", batchSize, 1);
    atLeast("--epochs", epochs, 1);
    atLeast("--print-freq", printFrequency, 1);
    atLeast("--generate-images", generateImages, 5);
    if (workers == null) {
      workers = Runtime.getRuntime().availableProcessors();
    }
    atLeast("--workers", workers, 0);
    if (maxSteps == null) {
      maxSteps = Integer.MAX_VALUE;
    }
    atLeast("--max-steps", maxSteps, 1);
    require(
        learningRate > 0 && Float.isFinite(learningRate),
        "--lr must be more than 0, was " + learningRate);
    require(
        momentum >= 0 && momentum < 1, "--momentum must be 0 or more and below 1, was " + momentum);
    require(
        weightDecay >= 0 && Float.isFinite(weightDecay),
        "--weight-decay must be 0 or more, was " + weightDecay);
  }

  private static void atLeast(String option, int value, int least) {
    require(value >= least, option + " must be " + least + " or more, was " + value);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
