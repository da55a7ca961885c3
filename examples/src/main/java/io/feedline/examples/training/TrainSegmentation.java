package io.feedline.examples.training;

import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.SequentialBlock;
import ai.djl.training.Trainer;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.Mask;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.RandomVerticalFlip;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.SanitizeBoundingBoxes;
import io.feedline.gpu.DeviceLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Trains a small U-Net to predict the class of each pixel, draws its input and its predictions, and
 * reports where the time goes. Without {@code --data} it generates images. {@code
 * tutorials/segmentation.md} explains the program. {@link TrainingProgram} lists the exit codes.
 */
@Command(
    name = "TrainSegmentation",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Trains a U-Net with DJL, fed by Feedline with images and masks that are transformed"
          + " together.",
      "Data is the time spent waiting for a batch, Compute the rest of the step; in brackets the"
          + " mean of the epoch so far."
    })
public final class TrainSegmentation extends TrainingProgram {

  /** The id of pixels that are ignored. */
  static final int UNKNOWN = 255;

  private static final int FILTERS = 16;
  private static final int DEPTH = 3;

  @Mixin private SceneOptions options;

  /** A sample of a batch: without boxes, whose number differs between images. */
  private record Segmented(Image image, Mask mask) {
    static Segmented of(Scene scene) {
      return new Segmented(scene.image(), scene.mask());
    }
  }

  private TrainSegmentation(StopSignal stop) {
    super(stop);
  }

  /** Runs the program. */
  public static void main(String[] args) {
    run(TrainSegmentation::new, args);
  }

  static CommandLine commandLine(StopSignal stop) {
    return commandLine(new TrainSegmentation(stop));
  }

  @Override
  protected int execute() throws IOException {
    try (TrainingDevice device = checkedDevice(options)) {
      return train(device, SceneData.open(this, options));
    }
  }

  private int train(TrainingDevice device, SceneData data) throws IOException {
    int size = options.imageSize;
    Dataset<Scene> train =
        data.train()
            .repeat(options.crops)
            .map(
                JointTransform.of(
                    RandomResizedCrop.of(size)
                        .withScale(0.3, 1)
                        .andThen(RandomHorizontalFlip.of())
                        .andThen(RandomVerticalFlip.of())
                        .andThen(ColorJitter.of(0.3, 0.3, 0.3, 0.02))
                        .andThen(SanitizeBoundingBoxes.of())
                        .andThen(options.lastTransform())));
    Dataset<Scene> val =
        data.val().map(JointTransform.of(Resize.of(size, size).andThen(options.lastTransform())));
    narrator().begin("drawing what the network sees");
    SceneData.draw(train, options, picture("train"));
    narrator().begin("making the network");
    try (DataLoader<Segmented> trainLoader =
            options.loader(train.map(Segmented::of), device).shuffle(true).build();
        DataLoader<Segmented> valLoader =
            options.loader(val.map(Segmented::of), device).prefetchNextEpoch(false).build();
        Model model = Model.newInstance("unet", device.device())) {
      model.getNDManager().getEngine().setRandomSeed((int) options.seed);
      int ids = data.classes().size() + 1;
      model.setBlock(new SequentialBlock().add(UNet.of(FILTERS, DEPTH)).add(UNet.pointwise(ids)));
      try (Trainer trainer = model.newTrainer(options.config(device.device()));
          DeviceLoader trainBatches =
              device.loader(trainLoader, trainer.getManager(), options.onDevice());
          DeviceLoader valBatches =
              device.loader(valLoader, trainer.getManager(), options.onDevice())) {
        trainer.initialize(new Shape(1, 3, size, size));
        LossLoop loop =
            new LossLoop(
                this,
                options,
                trainer,
                (predicted, batch) -> loss(predicted.singletonOrThrow(), batch.tensor("mask")),
                device.usage(),
                stop);
        if (options.headspace) {
          sayHeadspace(
              trainBatches,
              replay -> device.loader(replay, trainer.getManager(), options.onDevice()),
              batches -> loop.train(batches, 0));
        } else {
          for (int epoch = 0; epoch < options.epochs && !stop.requested(); epoch++) {
            loop.train(trainBatches, epoch);
            validate(loop, valBatches, val, ids);
          }
        }
        report(options, trainBatches);
      }
    }
    if (stop.requested()) {
      say("Stopped: the last step was finished.");
    } else if (!options.headspace) {
      say("Drew %s and %s", picture("train"), picture("predictions"));
    }
    return exitCode();
  }

  private Path picture(String name) {
    return options.out.resolve("segmentation-%s.png".formatted(name));
  }

  /**
   * Returns the mean cross entropy of the pixels whose class is known.
   *
   * @param scores float32 (batch, ids, height, width)
   * @param mask uint8 (batch, height, width)
   */
  static NDArray loss(NDArray scores, NDArray mask) {
    NDArray ids = mask.expandDims(1).toType(DataType.INT64, false);
    NDArray known = ids.neq(UNKNOWN);
    NDArray index = ids.mul(known.toType(DataType.INT64, false));
    NDArray weights = known.toType(DataType.FLOAT32, false);
    NDArray ofTruth = scores.logSoftmax(1).gather(index, 1);
    return ofTruth.mul(weights).sum().neg().div(weights.sum().maximum(1));
  }

  private void validate(LossLoop loop, DeviceLoader batches, Dataset<Scene> val, int ids)
      throws IOException {
    MeanIoU iou = new MeanIoU(ids);
    List<Mask> drawn = new ArrayList<>();
    loop.validate(
        batches,
        (predicted, batch) -> {
          NDArray best = predicted.singletonOrThrow().argMax(1).toType(DataType.UINT8, false);
          iou.add(batch.tensor("mask").toUint8Array(), best.toUint8Array());
          for (long i = 0; i < batch.size() && drawn.size() < SceneData.DRAWN; i++) {
            drawn.add(Mask.ofIds(best.get(i).toByteArray(), options.imageSize, options.imageSize));
          }
        });
    if (stop.requested()) {
      return;
    }
    say(
        " * mean IoU %.3f (validation; %.3f if all were background)",
        iou.value(), iou.ofBackground());
    List<Object> pairs = new ArrayList<>();
    for (int i = 0; i < drawn.size(); i++) {
      Scene truth = SceneData.scene(val, i, options);
      pairs.add(Segmented.of(truth));
      pairs.add(new Segmented(truth.image(), drawn.get(i)));
    }
    SceneData.draw(pairs, picture("predictions"));
  }
}
