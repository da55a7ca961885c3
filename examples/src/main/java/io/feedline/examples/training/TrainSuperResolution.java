package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.examples.shared.GeneratedPairs;
import io.feedline.formats.folder.PairFolder;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.lmdb.LmdbDataset;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Trains SRCNN on pairs of images in low and in high resolution, from folders or LMDB databases,
 * and reports where the time goes. Without data it generates pairs. {@link TrainingProgram} lists
 * the exit codes.
 */
@Command(
    name = "TrainSuperResolution",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Trains SRCNN with DJL, fed by Feedline with random patches of pairs of images.",
      "Data is the time spent waiting for a batch, Compute the rest of the step; in brackets the"
          + " mean of the epoch so far."
    })
public final class TrainSuperResolution extends TrainingProgram {

  @Mixin private SuperResolutionOptions options;

  private TrainSuperResolution(StopSignal stop) {
    super(stop);
  }

  /** Runs the program. */
  public static void main(String[] args) {
    run(TrainSuperResolution::new, args);
  }

  static CommandLine commandLine(StopSignal stop) {
    return commandLine(new TrainSuperResolution(stop));
  }

  @Override
  protected int execute() throws IOException {
    try (TrainingDevice device = checkedDevice(options)) {
      return train(device);
    }
  }

  private int train(TrainingDevice device) throws IOException {
    Path low = options.low;
    Path high = options.high;
    if (low == null) {
      Path directory = options.data == null ? generated() : cached("--data", options.data, options);
      low = directory.resolve(options.lmdb ? "low.lmdb" : "low");
      high = directory.resolve(options.lmdb ? "high.lmdb" : "high");
    } else {
      low = cached("--low", low, options);
      high = cached("--high", high, options);
    }
    narrator().begin("opening %s and %s".formatted(low, high));
    if (!options.lmdb) {
      return train(device, PairFolder.of(low, high, options.scale));
    }
    try (LmdbDataset.Pairs pairs = LmdbDataset.pairs(low, high, options.scale)) {
      return train(device, pairs);
    }
  }

  private Path generated() throws IOException {
    GeneratedPairs pairs =
        new GeneratedPairs(options.generateDir, options.generatePairs, options.scale, options.seed);
    LongAdder made = new LongAdder();
    narrator()
        .begin(
            "making %d pairs of images in %s, unless they are there"
                .formatted(options.generatePairs, pairs.directory()),
            () -> ": %d are made".formatted(made.sum()));
    pairs.make(made::increment);
    if (options.lmdb) {
      narrator().begin("packing them into LMDB databases");
      pairs.makeDatabases();
    }
    return pairs.directory();
  }

  /**
   * Returns the transform of a pair: it crops the same square from both images, turns or mirrors it
   * in one of eight ways, and enlarges the low-resolution square to the size of the other.
   */
  private static RandomTransform<ImagePair, ImagePair> patches(int side, int scale) {
    Transform<ImagePair, ImagePair> enlarge =
        pair -> new ImagePair(pair.low().resize(side, side, Interpolation.BICUBIC), pair.high());
    return JointTransform.<ImagePair>of(
            RandomCrop.of(side / scale)
                .andThen(RandomHorizontalFlip.of())
                .andThen((image, random) -> image.rotate90(random.nextInt() & 3)))
        .andThen(enlarge);
  }

  private int train(TrainingDevice device, Dataset<ImagePair> pairs) throws IOException {
    narrator().begin("making the network");
    say(
        "%s: %d pairs, %d patches of each in an epoch",
        pairs.name(), pairs.size(), options.patches);
    Dataset<ImagePair> patches =
        pairs
            .repeat(options.patches)
            .map(patches(options.patch, options.scale).andThen(this::toTensors));
    try (DataLoader<ImagePair> loader =
            options
                .workers
                .of(DataLoader.builder(patches))
                .batchSize(options.batchSize)
                .shuffle(true)
                .seed(options.seed)
                .allocator(device.allocator())
                .build();
        Model model = Model.newInstance("srcnn", device.device())) {
      model.getNDManager().getEngine().setRandomSeed((int) options.seed);
      model.setBlock(Srcnn.block());
      try (Trainer trainer = model.newTrainer(config(device.device()));
          DeviceLoader batches = device.loader(loader, trainer.getManager(), onDevice())) {
        trainer.initialize(new Shape(1, 3, options.patch, options.patch));
        SuperResolutionLoop loop =
            new SuperResolutionLoop(this, options, trainer, device.usage(), stop);
        if (options.headspace) {
          sayHeadspace(
              batches,
              replay -> device.loader(replay, trainer.getManager(), onDevice()),
              each -> loop.train(each, 0));
        } else {
          for (int epoch = 0; epoch < options.epochs && !stop.requested(); epoch++) {
            loop.train(batches, epoch);
          }
        }
        report(options, batches);
      }
    }
    if (stop.requested()) {
      say("Stopped: the last step was finished.");
    }
    return exitCode();
  }

  /** Applies the last transform on the host; with normalization on the device, it makes bytes. */
  private ImagePair toTensors(ImagePair pair) {
    return options.normalizeOnDevice
        ? new ImagePair(
            pair.low().toTensor(DType.UINT8, ImageLayout.CHW),
            pair.high().toTensor(DType.UINT8, ImageLayout.CHW))
        : pair;
  }

  /** Returns the normalization that the device computes, from 0 to 255 to 0 to 1. */
  private List<Normalization> onDevice() {
    if (!options.normalizeOnDevice) {
      return List.of();
    }
    float[] zeros = {0, 0, 0};
    float[] ones = {1, 1, 1};
    return List.of(Normalization.of("low", zeros, ones), Normalization.of("high", zeros, ones));
  }

  private DefaultTrainingConfig config(Device device) {
    return new DefaultTrainingConfig(Loss.l2Loss("mean squared error", 1))
        .optDevices(new Device[] {device})
        .optOptimizer(
            Optimizer.adam().optLearningRateTracker(Tracker.fixed(options.learningRate)).build());
  }
}
