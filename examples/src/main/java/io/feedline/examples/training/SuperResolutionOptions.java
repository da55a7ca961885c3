package io.feedline.examples.training;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of {@link TrainSuperResolution}, in addition to those of every training run. */
final class SuperResolutionOptions extends LoopOptions {

  @Option(
      names = "--data",
      paramLabel = "DIR",
      converter = DataPath.class,
      description = {
        "Pairs: images in DIR/low and DIR/high, or with --lmdb databases DIR/low.lmdb and"
            + " DIR/high.lmdb. Default: pairs that are generated."
      })
  Path data;

  @Option(
      names = "--low",
      paramLabel = "PATH",
      converter = DataPath.class,
      description = "Images in low resolution, wherever they are: a folder, or a database.")
  Path low;

  @Option(
      names = "--high",
      paramLabel = "PATH",
      converter = DataPath.class,
      description = "Images in high resolution, with the names of the low ones.")
  Path high;

  @Option(
      names = "--lmdb",
      description = "Pairs are in LMDB databases, as BasicSR makes them, instead of folders.")
  boolean lmdb;

  @Option(
      names = "--scale",
      paramLabel = "N",
      defaultValue = "2",
      description =
          "How many times as wide and high the high images are: 2, 3 or 4. Default:"
              + " ${DEFAULT-VALUE}.")
  int scale;

  @Option(
      names = "--patch",
      paramLabel = "PIXELS",
      defaultValue = "48",
      description =
          "Side of the square in high resolution that goes into the network, a multiple of the"
              + " scale. Default: ${DEFAULT-VALUE}.")
  int patch;

  @Option(
      names = "--patches",
      paramLabel = "N",
      defaultValue = "16",
      description = "Patches of each pair in an epoch. Default: ${DEFAULT-VALUE}.")
  int patches;

  @Option(
      names = "--generate-pairs",
      paramLabel = "N",
      defaultValue = "40",
      description = "How many pairs are generated. Default: ${DEFAULT-VALUE}.")
  int generatePairs;

  @Option(
      names = "--lr",
      paramLabel = "RATE",
      defaultValue = "0.001",
      description = "Adam's learning rate, the same in all epochs. Default: ${DEFAULT-VALUE}.")
  float learningRate;

  @Override
  void validate() {
    super.validate();
    require(scale >= 2 && scale <= 4, "--scale must be 2, 3 or 4, was " + scale);
    require(
        patch >= scale && patch % scale == 0,
        "--patch must be a multiple of the scale %d, was %d".formatted(scale, patch));
    atLeast("--patches", patches, 1);
    atLeast("--generate-pairs", generatePairs, 1);
    requireLearningRate(learningRate);
    require((low == null) == (high == null), "--low and --high must be given together");
    require(cache == null || data != null || low != null, CACHE_OF_NOTHING);
    require(data == null || low == null, "--data must not be given with --low and --high");
  }
}
