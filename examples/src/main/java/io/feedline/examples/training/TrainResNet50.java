package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.examples.shared.GeneratedFolder;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Trains a residual network on images, and reports where the time goes, in the terms of PyTorch's
 * ImageNet script. Without {@code --data} it generates images. {@link TrainingProgram} lists the
 * exit codes.
 */
@Command(
    name = "TrainResNet50",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Trains a residual network with DJL, fed by Feedline.",
      "Reports as PyTorch's ImageNet script does: Time is that of a step, Data the part of it spent"
          + " waiting for the batch; in brackets the mean of the epoch so far."
    })
public final class TrainResNet50 extends TrainingProgram {

  @Mixin private TrainOptions options;

  private TrainResNet50(StopSignal stop) {
    super(stop);
  }

  /** Runs the program. */
  public static void main(String[] args) {
    run(TrainResNet50::new, args);
  }

  static CommandLine commandLine(StopSignal stop) {
    return commandLine(new TrainResNet50(stop));
  }

  @Override
  protected int execute() throws IOException {
    try (TrainingDevice device = checkedDevice(options);
        TrainingData data = prepareData()) {
      return train(device, data);
    }
  }

  private int train(TrainingDevice device, TrainingData data) throws IOException {
    try (DataLoader<LabeledImage> train =
            options
                .loader(data.train())
                .name("train")
                .sampler(data.trainOrder())
                .seed(options.seed)
                .allocator(device.allocator())
                .build();
        DataLoader<LabeledImage> val =
            options
                .loader(data.val())
                .name("val")
                .prefetchNextEpoch(false)
                .allocator(device.allocator())
                .build();
        Model model = Model.newInstance(options.model.toString(), device.device())) {
      return train(device, data, train, val, model);
    }
  }

  private TrainingData prepareData() throws IOException {
    long begin = System.nanoTime();
    Path directory = options.data == null ? generated() : cached("--data", options.data, options);
    narrator().begin("opening the images in " + directory);
    TrainingData data;
    try {
      data =
          TrainingData.open(
              directory, options.imageSize, toTensor(), options.decoder, options.seed);
    } catch (IOException | IllegalStateException e) {
      throw wrongOption("--data: " + e.getMessage(), e);
    }
    narrator()
        .end(
            "data: %d images in %d classes"
                .formatted(data.train().size() + data.val().size(), data.classes().size()));
    say("Data preparation time: %.3f s: %s", secondsSince(begin), data);
    return data;
  }

  /** Returns the last transform on the host; with normalization on the device, it makes bytes. */
  private Transform<Image, Image> toTensor() {
    return options.normalizeOnDevice ? ToTensor.of(DType.UINT8) : Normalize.imagenet();
  }

  /** Returns the normalizations that the device computes, in the network's type. */
  private List<Normalization> onDevice() {
    if (!options.normalizeOnDevice) {
      return List.of();
    }
    Normalize imagenet = Normalize.imagenet();
    return List.of(
        Normalization.builder("image", imagenet.mean(), imagenet.std())
            .dtype(half() ? DType.FLOAT16 : DType.FLOAT32)
            .build());
  }

  private boolean half() {
    return options.precision == TrainOptions.Precision.FLOAT16;
  }

  private Path generated() throws IOException {
    int val = options.generateImages / 5;
    GeneratedFolder folder =
        new GeneratedFolder(options.generateDir, options.generateImages - val, val, options.seed);
    if (folder.exists()) {
      narrator().end("using the images that were generated before: " + folder.directory());
    } else {
      LongAdder made = new LongAdder();
      narrator()
          .begin(
              "generating %d images in %s".formatted(folder.size(), folder.directory()),
              () -> ": %d are made".formatted(made.sum()));
      folder.make(made::increment);
    }
    return folder.directory();
  }

  private int train(
      TrainingDevice device,
      TrainingData data,
      DataLoader<LabeledImage> train,
      DataLoader<LabeledImage> val,
      Model model)
      throws IOException {
    long begin = System.nanoTime();
    narrator().begin("making the network " + options.model);
    model.getNDManager().getEngine().setRandomSeed((int) options.seed);
    Block block = options.model.block(data.classes().size(), options.imageSize);
    float lossScale = half() ? MixedPrecision.LOSS_SCALE : 1;
    model.setBlock(half() ? new MixedPrecision(block) : block);
    Checkpoints checkpoints = new Checkpoints(options.checkpointDir, options.model.toString());
    ResumableSgd optimizer = optimizer(lossScale);
    int firstEpoch = options.resume ? resume(checkpoints, model, optimizer, data) : 0;
    try (Trainer trainer = model.newTrainer(config(model, optimizer));
        DeviceLoader trainBatches = device.loader(train, trainer.getManager(), onDevice());
        DeviceLoader valBatches = device.loader(val, trainer.getManager(), onDevice())) {
      trainer.initialize(new Shape(1, 3, options.imageSize, options.imageSize));
      narrator().begin("starting the first epoch");
      say(
          "Model loading time: %.3f s: %s in %s on %s, batches: %s",
          secondsSince(begin),
          options.model.describe(block),
          options.precision.name().toLowerCase(Locale.ROOT),
          device,
          trainBatches.transfer());
      TrainingLoop loop =
          new TrainingLoop(
              trainer,
              lossScale,
              options.maxSteps,
              options.printFrequency,
              options.showBar(),
              device.usage(),
              out(),
              narrator(),
              stop);
      if (options.headspace) {
        sayHeadspace(
            trainBatches,
            replay -> device.loader(replay, trainer.getManager(), onDevice()),
            batches -> loop.train(batches, firstEpoch));
      } else {
        for (int epoch = firstEpoch; epoch < options.epochs && !stop.requested(); epoch++) {
          loop.train(trainBatches, epoch);
          if (!stop.requested() && data.val().size() > 0) {
            loop.validate(valBatches);
          }
          if (!stop.requested()) {
            say("Saved %s", checkpoints.save(model, optimizer, epoch, data.classes()));
            data.preprocessor(options.imageSize, options.decoder).save(checkpoints.directory());
            if (epoch == 0) {
              checkpoints.deleteAfter(epoch);
            }
          }
        }
      }
      report(options, trainBatches);
    }
    if (stop.requested()) {
      say("Stopped: the last step was finished, this epoch is not saved.");
    }
    return exitCode();
  }

  /** Loads the last checkpoint, and returns the number of the epoch after it. */
  private int resume(
      Checkpoints checkpoints, Model model, ResumableSgd optimizer, TrainingData data)
      throws IOException {
    OptionalInt last = checkpoints.lastEpoch();
    if (last.isEmpty()) {
      throw wrongOption(
          "--resume: no checkpoint of %s in %s".formatted(options.model, checkpoints.directory()),
          null);
    }
    checkpoints.load(model, optimizer, last.getAsInt(), data.classes());
    int next = last.getAsInt() + 1;
    say("Resumed after epoch %d", last.getAsInt());
    if (next >= options.epochs) {
      say("All %d epochs are trained already", options.epochs);
    }
    return next;
  }

  private ResumableSgd optimizer(float lossScale) {
    return new ResumableSgd(
        Optimizer.sgd()
            .setLearningRateTracker(Tracker.fixed(options.learningRate))
            .optMomentum(options.momentum)
            .optWeightDecays(options.weightDecay)
            .setRescaleGrad(1 / lossScale));
  }

  private static DefaultTrainingConfig config(Model model, Optimizer optimizer) {
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optDevices(new Device[] {model.getNDManager().getDevice()})
            .optOptimizer(optimizer);
    ResNet.initialize(model.getBlock(), config);
    return config;
  }
}
