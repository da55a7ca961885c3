package io.feedline.examples.training;

import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.Trainer;
import io.feedline.DataLoader;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.data.Dataset;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomIoUCrop;
import io.feedline.formats.image.transform.RandomVerticalFlip;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.SanitizeBoundingBoxes;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Trains a small FCOS to find objects, draws its input and its predictions, and reports where the
 * time goes. Without {@code --data} it generates images. {@code tutorials/segmentation.md} explains
 * the program. {@link TrainingProgram} lists the exit codes.
 */
@Command(
    name = "TrainDetection",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Trains an FCOS with DJL, fed by Feedline with images and boxes that are transformed"
          + " together.",
      "Data is the time spent waiting for a batch, Compute the rest of the step; in brackets the"
          + " mean of the epoch so far."
    })
public final class TrainDetection extends TrainingProgram {

  /** The lowest score of boxes that are drawn. */
  private static final float DRAWN_SCORE = 0.4f;

  @Mixin private SceneOptions options;

  /** A sample as the loader puts it into a batch. */
  private record Boxed(Image image, BoundingBoxes boxes, BoxLabels labels) {
    static Boxed of(Scene scene) {
      return new Boxed(scene.image(), scene.boxes(), scene.labels());
    }
  }

  private TrainDetection(StopSignal stop) {
    super(stop);
  }

  /** Runs the program. */
  public static void main(String[] args) {
    run(TrainDetection::new, args);
  }

  static CommandLine commandLine(StopSignal stop) {
    return commandLine(new TrainDetection(stop));
  }

  @Override
  protected int execute() throws IOException {
    try (TrainingDevice device = checkedDevice(options)) {
      return train(device, SceneData.open(this, options));
    }
  }

  /**
   * Returns a collator that pads boxes and labels to the largest number in any image. {@code
   * boxes_length} has the number of boxes without padding.
   */
  private static PaddingCollator<Boxed> collator(SceneFolder scenes) {
    int most = Math.max(1, scenes.mostBoxes());
    return PaddingCollator.<Boxed>builder()
        .pad("boxes", Padding.zeros().length(most))
        .pad("labels", Padding.zeros().length(most))
        .build();
  }

  private int train(TrainingDevice device, SceneData data) throws IOException {
    int size = options.imageSize;
    Dataset<Scene> train =
        data.train()
            .repeat(options.crops)
            .map(
                JointTransform.of(
                    RandomIoUCrop.of()
                        .andThen(Resize.of(size, size))
                        .andThen(RandomHorizontalFlip.of())
                        .andThen(RandomVerticalFlip.of())
                        .andThen(ColorJitter.of(0.3, 0.3, 0.3, 0.02))
                        .andThen(SanitizeBoundingBoxes.of().withMinSize(Fcos.STRIDE))
                        .andThen(options.lastTransform())));
    Dataset<Scene> val =
        data.val().map(JointTransform.of(Resize.of(size, size).andThen(options.lastTransform())));
    narrator().begin("drawing what the network sees");
    SceneData.draw(train, options, picture("train"));
    narrator().begin("making the network");
    try (DataLoader<Boxed> trainLoader =
            options
                .loader(train.map(Boxed::of), device)
                .shuffle(true)
                .collator(collator(data.train()))
                .build();
        DataLoader<Boxed> valLoader =
            options
                .loader(val.map(Boxed::of), device)
                .prefetchNextEpoch(false)
                .collator(collator(data.val()))
                .build();
        Model model = Model.newInstance("fcos", device.device())) {
      model.getNDManager().getEngine().setRandomSeed((int) options.seed);
      Fcos fcos = new Fcos(data.classes().size(), size);
      model.setBlock(fcos.block());
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
                (predicted, batch) ->
                    fcos.loss(
                        predicted,
                        batch.tensor("boxes"),
                        batch.tensor("labels"),
                        batch.tensor("boxes_length")),
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
            validate(loop, valBatches, val, fcos);
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
    return options.out.resolve("detection-%s.png".formatted(name));
  }

  private void validate(LossLoop loop, DeviceLoader batches, Dataset<Scene> val, Fcos fcos)
      throws IOException {
    AveragePrecision precision = new AveragePrecision(fcos.classes());
    List<List<Detection>> drawn = new ArrayList<>();
    loop.validate(
        batches,
        (predicted, batch) -> {
          List<List<Detection>> found = fcos.detections(predicted);
          List<List<Detection>> truth = truth(batch);
          for (int i = 0; i < found.size(); i++) {
            precision.add(truth.get(i), found.get(i));
            if (drawn.size() < SceneData.DRAWN) {
              drawn.add(found.get(i));
            }
          }
        });
    if (stop.requested()) {
      return;
    }
    say(
        " * AP50 %.3f, precision %.3f and recall %.3f of scores above 0.5 (validation)",
        precision.value(), precision.precision(), precision.recall());
    List<Object> pairs = new ArrayList<>();
    for (int i = 0; i < drawn.size(); i++) {
      Boxed truth = Boxed.of(SceneData.scene(val, i, options));
      pairs.add(truth);
      pairs.add(boxed(truth.image(), drawn.get(i)));
    }
    SceneData.draw(pairs, picture("predictions"));
  }

  /** Returns the true boxes of each image, without the padding. */
  private static List<List<Detection>> truth(DeviceBatch batch) {
    float[] boxes = batch.tensor("boxes").toFloatArray();
    long[] labels = batch.tensor("labels").toLongArray();
    long[] counts = batch.tensor("boxes_length").toLongArray();
    int most = labels.length / counts.length;
    List<List<Detection>> images = new ArrayList<>();
    for (int image = 0; image < counts.length; image++) {
      List<Detection> truth = new ArrayList<>();
      int first = image * most;
      for (int i = first; i < first + (int) counts[image]; i++) {
        truth.add(
            new Detection(
                (int) labels[i],
                1,
                boxes[4 * i],
                boxes[4 * i + 1],
                boxes[4 * i + 2],
                boxes[4 * i + 3]));
      }
      images.add(truth);
    }
    return images;
  }

  /** Returns a sample with the detected boxes, to be drawn. */
  private static Boxed boxed(Image image, List<Detection> found) {
    List<Detection> sure = found.stream().filter(box -> box.score() >= DRAWN_SCORE).toList();
    float[] edges = new float[4 * sure.size()];
    for (int i = 0; i < sure.size(); i++) {
      Detection box = sure.get(i);
      edges[4 * i] = box.left();
      edges[4 * i + 1] = box.top();
      edges[4 * i + 2] = box.right();
      edges[4 * i + 3] = box.bottom();
    }
    return new Boxed(
        image,
        BoundingBoxes.of(edges, BoundingBoxes.Format.XYXY, image.width(), image.height()),
        BoxLabels.of(sure.stream().mapToLong(Detection::label).toArray()));
  }
}
