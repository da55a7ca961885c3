package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv3d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.media.video.Clip;
import io.feedline.formats.media.video.Clip.EachFrame;
import io.feedline.formats.media.video.ClipSampler;
import io.feedline.formats.media.video.UniformTemporalSubsample;
import io.feedline.formats.media.video.VideoDataset;
import io.feedline.formats.media.video.VideoDataset.LabeledClip;
import io.feedline.formats.media.video.VideoFile;
import io.feedline.gpu.DjlDataset;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Learns in which direction a disk moves: {@code ClassifyVideos [DIR]}, where DIR keeps the
 * generated videos. {@code tutorials/video.md} explains the program.
 */
public final class ClassifyVideos {
  private static final int BATCH_SIZE = 16;
  private static final int EPOCHS = 6;
  private static final int FRAMES = 8;
  private static final int SIDE = 32;

  private ClassifyVideos() {}

  /** Trains, and prints a line for each epoch. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path training = new GeneratedVideos(parent, 80, 0).make();
    Path validation = new GeneratedVideos(parent, 25, 1).make();

    try (VideoDataset trainVideos = VideoDataset.ofFolder(training);
        VideoDataset valVideos = VideoDataset.ofFolder(validation)) {
      VideoFile first = trainVideos.get(0).video();
      Clip three = first.framesAt(0, 6, 12);
      System.out.printf(
          "%s: %d frames, three of them at %s s%n",
          first.codec(), first.frames(), Arrays.toString(three.times()));

      ClipSampler anywhere = ClipSampler.atRandomIndices(FRAMES).withNumIndicesBetweenFrames(2);
      var augmented =
          anywhere.andThen(
              EachFrame.of(
                  RandomCrop.of(SIDE)
                      .andThen(ColorJitter.of(0.2, 0.2, 0.2, 0))
                      .andThen(Normalize.imagenet())));
      ClipSampler beginning = ClipSampler.atRegularIndices(15);
      var fixed =
          beginning
              .andThen(UniformTemporalSubsample.of(FRAMES))
              .andThen(EachFrame.of(CenterCrop.of(SIDE).andThen(Normalize.imagenet())));
      Dataset<LabeledClip> train = trainVideos.clips(augmented);
      Dataset<LabeledClip> val = valVideos.clips(fixed);
      System.out.printf(
          "%d videos to train with, %d to validate with, classes %s%n",
          train.size(), val.size(), trainVideos.classes());

      try (DataLoader<LabeledClip> trainLoader =
              DataLoader.builder(train).batchSize(BATCH_SIZE).shuffle(true).build();
          DataLoader<LabeledClip> valLoader =
              DataLoader.builder(val).batchSize(BATCH_SIZE).build()) {
        train(trainVideos.classes().size(), trainLoader, valLoader);
      }
    }
  }

  private static void train(
      int classes, DataLoader<LabeledClip> trainLoader, DataLoader<LabeledClip> valLoader)
      throws Exception {
    try (Model model = Model.newInstance("videos", Device.cpu())) {
      model.getNDManager().getEngine().setRandomSeed(0);
      model.setBlock(network(classes));
      try (Trainer trainer = model.newTrainer(EpochLines.config(0.003f))) {
        trainer.initialize(new Shape(BATCH_SIZE, FRAMES, 3, SIDE, SIDE));
        EasyTrain.fit(trainer, EPOCHS, batches(trainLoader), batches(valLoader));
      }
    }
  }

  private static DjlDataset batches(DataLoader<LabeledClip> loader) {
    return DjlDataset.builder(loader).data("clip").labels("label").build();
  }

  private static Block network(int classes) {
    return new SequentialBlock()
        .add(clips -> new NDList(clips.singletonOrThrow().transpose(0, 2, 1, 3, 4)))
        .add(convolution(16, 5))
        .add(Activation.reluBlock())
        .add(convolution(32, 3))
        .add(Activation.reluBlock())
        .add(Pool.globalAvgPool3dBlock())
        .add(Linear.builder().setUnits(classes).build());
  }

  /** Returns a convolution over 3 frames that halves height and width. */
  private static Block convolution(int filters, int side) {
    return Conv3d.builder()
        .setFilters(filters)
        .setKernelShape(new Shape(3, side, side))
        .optStride(new Shape(1, 2, 2))
        .optPadding(new Shape(1, side / 2, side / 2))
        .build();
  }
}
