package io.feedline.examples.training;

import io.feedline.progress.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** The options of every training run, named as PyTorch's ImageNet script names them. */
class LoopOptions {

  /** The error for a cache when the images are generated. */
  static final String CACHE_OF_NOTHING =
      "--cache is for data that is named, such as s3://bucket/train";

  enum Target {
    CPU,
    /** The first GPU. */
    GPU
  }

  enum Display {
    /** A bar on a terminal, lines otherwise. */
    AUTO,
    BAR,
    /** A line every few steps. */
    LINES
  }

  @Option(
      names = "--generate-dir",
      paramLabel = "DIR",
      defaultValue = "examples/target",
      description = "Where generated images are kept. Default: ${DEFAULT-VALUE}.")
  Path generateDir;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "16",
      description = "Samples per step. Default: ${DEFAULT-VALUE}.")
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
      paramLabel = "N|auto",
      converter = Workers.Converter.class,
      description =
          "Threads that load images; 0 loads in the training thread, auto has the loader find how"
              + " many are best. Default: one per processor.")
  Workers workers = new Workers(OptionalInt.of(Runtime.getRuntime().availableProcessors()));

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "0",
      description =
          "Of weights, order, random transforms and generated images. Default: ${DEFAULT-VALUE}.")
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
  Display progress;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "cpu",
      description =
          "The device that trains, one of ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  Target device;

  @Option(
      names = "--pin-memory",
      description =
          "Load into page-locked memory, which a GPU copies from by itself. If the system refuses"
              + " it, a warning says why, and the run continues in ordinary memory.")
  boolean pinMemory;

  @Option(
      names = "--prefetch-to-device",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "Batches that a GPU has, or is being sent, before they are asked for. Default:"
              + " ${DEFAULT-VALUE}.")
  int prefetchToDevice;

  @Option(
      names = "--normalize-on-device",
      description =
          "Send images to the device as bytes, a quarter of what floats take, and make floats of"
              + " them there.")
  boolean normalizeOnDevice;

  @Option(
      names = "--headspace",
      description =
          "Only say how much faster the training would be if data cost nothing: train one epoch, of"
              + " at most --max-steps steps (here 100 by default), and as many steps with batches"
              + " that are loaded once and replayed. Nothing is validated or saved.")
  boolean headspace;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write a page that shows where the time of the training went, HTML; for a name that ends in"
              + " .json the record that 'feedline report' makes such a page of. A file that is there is"
              + " replaced.")
  Path report;

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description =
          "Keep what is read over the network in this directory: a new one, an empty one or that of"
              + " a cache. Needs --cache-size. Data that an earlier run has kept there is not read again.")
  Path cache;

  @Option(
      names = "--cache-size",
      paramLabel = "BYTES",
      description = "How many bytes of the disk the cache may take.")
  Long cacheSize;

  /**
   * Checks combinations of options, and fills in defaults that depend on the machine.
   *
   * @throws IllegalArgumentException if a value is out of its range, or two options exclude each
   *     other
   */
  void validate() {
    atLeast("--batch-size", batchSize, 1);
    atLeast("--epochs", epochs, 1);
    atLeast("--print-freq", printFrequency, 1);
    atLeast("--workers", workers.number().orElse(0), 0);
    if (maxSteps == null) {
      maxSteps = headspace ? Headspace.STEPS : Integer.MAX_VALUE;
    }
    atLeast("--max-steps", maxSteps, 1);
    atLeast("--prefetch-to-device", prefetchToDevice, 1);
    require(
        (cache == null) == (cacheSize == null),
        "--cache and --cache-size must be given together: where the cache is, and its bytes");
    require(
        cacheSize == null || cacheSize >= 0, "--cache-size must be 0 or more, was " + cacheSize);
    require(
        report == null || Files.isDirectory(report.toAbsolutePath().getParent()),
        "--report: there is no directory for " + report);
  }

  boolean showBar() {
    return switch (progress) {
      case AUTO -> Progress.onTerminal();
      case BAR -> true;
      case LINES -> false;
    };
  }

  static void atLeast(String option, int value, int least) {
    require(value >= least, option + " must be " + least + " or more, was " + value);
  }

  static void requireLearningRate(float rate) {
    require(rate > 0 && Float.isFinite(rate), "--lr must be more than 0, was " + rate);
  }

  static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
