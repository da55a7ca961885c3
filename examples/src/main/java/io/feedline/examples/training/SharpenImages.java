package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.GradientCollector;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.initializer.Initializer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.examples.shared.GeneratedPairs;
import io.feedline.formats.folder.PairFolder;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Learns to sharpen images that were enlarged: {@code SharpenImages [DIR]}, where DIR keeps the
 * generated pairs. This is a minimal training of super-resolution; {@link TrainSuperResolution} has
 * options, and reports where the time goes. {@code tutorials/super-resolution.md} explains the
 * program.
 */
public final class SharpenImages {
  private static final int SCALE = 2;
  private static final int PATCH = 48;
  private static final int PATCHES_PER_IMAGE = 16;
  private static final int EPOCHS = 8;

  private SharpenImages() {}

  /** Trains, and prints a line for each epoch. */
  public static void main(String[] args) throws IOException {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path directory = new GeneratedPairs(parent, 20, SCALE, 0).make();

    PairFolder pairs = PairFolder.of(directory.resolve("low"), directory.resolve("high"), SCALE);
    List<? extends Dataset<ImagePair>> parts = pairs.split(new double[] {0.8, 0.2}, 0);
    Dataset<ImagePair> train =
        parts
            .get(0)
            .repeat(PATCHES_PER_IMAGE)
            .map(
                JointTransform.of(
                    RandomCrop.of(PATCH / SCALE)
                        .andThen(RandomHorizontalFlip.of())
                        .andThen((image, random) -> image.rotate90(random.nextInt() & 3))))
            .map(SharpenImages::enlarge);
    Dataset<ImagePair> val = parts.get(1).map(SharpenImages::enlarge);
    System.out.printf(
        "%d patches to train with, %d whole images to validate with%n", train.size(), val.size());

    try (DataLoader<ImagePair> trainLoader =
            DataLoader.builder(train).batchSize(16).shuffle(true).build();
        DataLoader<ImagePair> valLoader = DataLoader.builder(val).build();
        Model model = Model.newInstance("sharpen", Device.cpu())) {
      model.getNDManager().getEngine().setRandomSeed(0);
      model.setBlock(network());
      try (Trainer trainer = model.newTrainer(config());
          DeviceLoader trainBatches = DeviceLoader.of(trainLoader, trainer.getManager());
          DeviceLoader valBatches = DeviceLoader.of(valLoader, trainer.getManager())) {
        trainer.initialize(new Shape(1, 3, PATCH, PATCH));
        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
          float loss = train(trainer, trainBatches);
          System.out.printf(Locale.ROOT, "epoch %d: loss %.5f, ", epoch, loss);
          validate(trainer, valBatches);
        }
      }
    }
  }

  /** Enlarges the low-resolution image to the size of the other by a bicubic filter. */
  private static ImagePair enlarge(ImagePair pair) {
    int width = pair.high().width();
    int height = pair.high().height();
    return new ImagePair(pair.low().resize(width, height, Interpolation.BICUBIC), pair.high());
  }

  /** Returns a small VDSR (Kim et al., 2016), which adds a correction that begins at zero. */
  private static Block network() {
    SequentialBlock correction = new SequentialBlock();
    for (int layer = 0; layer < 3; layer++) {
      correction.add(convolution(32)).add(Activation.reluBlock());
    }
    Conv2d last = convolution(3);
    last.setInitializer(Initializer.ZEROS, Parameter.Type.WEIGHT);
    return new ParallelBlock(SharpenImages::sum)
        .add(Blocks.identityBlock())
        .add(correction.add(last));
  }

  private static NDList sum(List<NDList> branches) {
    NDArray image = branches.get(0).singletonOrThrow();
    return new NDList(image.add(branches.get(1).singletonOrThrow()));
  }

  private static Conv2d convolution(int filters) {
    return Conv2d.builder()
        .setFilters(filters)
        .setKernelShape(new Shape(3, 3))
        .optPadding(new Shape(1, 1))
        .build();
  }

  /** Trains for an epoch and returns the mean loss. */
  private static float train(Trainer trainer, DeviceLoader batches) {
    float sum = 0;
    int steps = 0;
    for (DeviceBatch batch : batches) {
      try (batch;
          GradientCollector gradients = trainer.newGradientCollector()) {
        NDList sharpened = trainer.forward(new NDList(batch.tensor("low")));
        NDArray loss = trainer.getLoss().evaluate(new NDList(batch.tensor("high")), sharpened);
        gradients.backward(loss);
        sum += loss.getFloat();
        steps++;
      }
      trainer.step();
    }
    return sum / steps;
  }

  private static void validate(Trainer trainer, DeviceLoader batches) {
    double before = 0;
    double after = 0;
    int images = 0;
    for (DeviceBatch batch : batches) {
      try (batch) {
        NDArray low = batch.tensor("low");
        NDArray high = batch.tensor("high");
        NDArray sharpened = trainer.evaluate(new NDList(low)).singletonOrThrow();
        before += Psnr.mean(low, high);
        after += Psnr.mean(sharpened, high);
        images++;
      }
    }
    System.out.printf(
        Locale.ROOT, "PSNR %.2f dB (bicubic %.2f dB)%n", after / images, before / images);
  }

  private static TrainingConfig config() {
    return new DefaultTrainingConfig(Loss.l2Loss("mean squared error", 1))
        .optDevices(new Device[] {Device.cpu()})
        .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.001f)).build());
  }
}
