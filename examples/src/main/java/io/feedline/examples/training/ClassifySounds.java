package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.formats.media.sound.AmplitudeToDB;
import io.feedline.formats.media.sound.AudioDataset;
import io.feedline.formats.media.sound.AudioDataset.LabeledAudio;
import io.feedline.formats.media.sound.AudioFeatures;
import io.feedline.formats.media.sound.AudioFile;
import io.feedline.formats.media.sound.FrequencyMasking;
import io.feedline.formats.media.sound.MelSpectrogram;
import io.feedline.formats.media.sound.Mono;
import io.feedline.formats.media.sound.PadTo;
import io.feedline.formats.media.sound.RandomTrim;
import io.feedline.formats.media.sound.Resample;
import io.feedline.formats.media.sound.Spectrogram;
import io.feedline.formats.media.sound.TimeMasking;
import io.feedline.formats.media.sound.Trim;
import io.feedline.formats.media.sound.Waveform;
import io.feedline.gpu.DjlDataset;
import io.feedline.transform.Transform;
import java.nio.file.Path;
import java.util.List;

/**
 * Learns whether a tone rises, falls or keeps its pitch: {@code ClassifySounds [DIR]}, where DIR
 * keeps the generated sounds. {@code tutorials/sound.md} explains the program.
 */
public final class ClassifySounds {
  private static final int BATCH_SIZE = 32;
  private static final int EPOCHS = 8;
  private static final int RATE = 8000;
  private static final int SAMPLES = 4000;
  private static final int MELS = 32;
  private static final int FRAMES = 32;

  private ClassifySounds() {}

  /** Trains, and prints a line for each epoch. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path directory = new GeneratedSounds(parent, 150, 0).make();

    try (AudioDataset sounds = AudioDataset.ofFolder(directory)) {
      try (AudioFile first = AudioFile.open(sounds.path(0))) {
        System.out.printf(
            "%s: %d channel at %d Hz%n", first.codec(), first.channels(), first.sampleRate());
      }
      List<? extends Dataset<LabeledAudio<Waveform>>> parts =
          sounds.splitStratified(new double[] {0.8, 0.2}, sounds.labels(), 0);
      Transform<Waveform, Waveform> mono = Resample.to(RATE).andThen(Mono.of());
      Transform<Waveform, AudioFeatures> features =
          MelSpectrogram.of(Spectrogram.of(256).withHopLength(128), MELS)
              .andThen(AmplitudeToDB.of().withTopDb(80));
      var augmented =
          mono.andThen(RandomTrim.of(SAMPLES))
              .andThen(features)
              .andThen(FrequencyMasking.of(6))
              .andThen(TimeMasking.of(6));
      var whole = mono.andThen(Trim.of(SAMPLES)).andThen(PadTo.of(SAMPLES)).andThen(features);
      var train = parts.get(0).map((s, random) -> s.withAudio(augmented.apply(s.audio(), random)));
      var val = parts.get(1).map(s -> s.withAudio(whole.apply(s.audio())));
      System.out.printf(
          "%d sounds to train with, %d to validate with, classes %s%n",
          train.size(), val.size(), sounds.classes());

      try (DataLoader<LabeledAudio<AudioFeatures>> trainLoader =
              DataLoader.builder(train).batchSize(BATCH_SIZE).shuffle(true).build();
          DataLoader<LabeledAudio<AudioFeatures>> valLoader =
              DataLoader.builder(val).batchSize(BATCH_SIZE).build()) {
        train(sounds.classes().size(), trainLoader, valLoader);
      }
    }
  }

  private static void train(
      int classes,
      DataLoader<LabeledAudio<AudioFeatures>> trainLoader,
      DataLoader<LabeledAudio<AudioFeatures>> valLoader)
      throws Exception {
    try (Model model = Model.newInstance("sounds", Device.cpu())) {
      model.getNDManager().getEngine().setRandomSeed(0);
      model.setBlock(network(classes));
      try (Trainer trainer = model.newTrainer(EpochLines.config(0.002f))) {
        trainer.initialize(new Shape(BATCH_SIZE, 1, MELS, FRAMES));
        EasyTrain.fit(trainer, EPOCHS, batches(trainLoader), batches(valLoader));
      }
    }
  }

  private static DjlDataset batches(DataLoader<LabeledAudio<AudioFeatures>> loader) {
    return DjlDataset.builder(loader).data("audio").labels("label").build();
  }

  private static Block network(int classes) {
    return new SequentialBlock()
        .add(Blocks.batchFlattenBlock())
        .add(array -> new NDList(array.singletonOrThrow().div(40)))
        .add(Linear.builder().setUnits(64).build())
        .add(Activation.reluBlock())
        .add(Linear.builder().setUnits(classes).build());
  }
}
