package io.feedline.examples;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.listener.EpochTrainingListener;
import ai.djl.training.loss.Loss;
import ai.djl.translate.TranslateException;
import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.examples.shared.SmallImages;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.ScaleJitter;
import io.feedline.gpu.DjlDataset;
import io.feedline.sampler.WorldInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Short answers to frequent questions: {@code Recipes [DIR]}, where DIR keeps the generated files.
 * The pages of {@code guide} show these recipes, and those of {@link SmallData} and {@link
 * SplitAndTransform}.
 */
public final class Recipes {
  private static final int EPOCHS = 3;

  private Recipes() {}

  /** Prints the result of each recipe. */
  public static void main(String[] args) throws IOException, TranslateException {
    ImageDataset folder = SmallImages.of(args).folder();
    ImageDataset images = ImageFolder.of(folder.path()).withTransform(Resize.of(16, 16));
    Path directory = Files.createDirectories(folder.path().resolveSibling("recipes"));

    fileNames(images);
    jitterScales(images);
    pad();
    readLines(
        makeLines(directory.resolve("a.txt"), "a"), makeLines(directory.resolve("b.txt"), "b"));
    interrupt(images, directory.resolve("checkpoint.json"));
    resume(images, directory.resolve("checkpoint.json"));
    resumeEasyTrain(images, directory.resolve("checkpoint.json"));
    for (int rank = 0; rank < 2; rank++) {
      shareAmongRanks(images, new WorldInfo(rank, 2));
    }
    skipBroken(truncateOne(folder, directory.resolve("broken")), directory.resolve("bad.jsonl"));
  }

  private static void fileNames(ImageDataset images) {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(images).batchSize(40).shuffle(true).build()) {
      for (Batch batch : loader) {
        try (batch) {
          for (long index : batch.indices()) {
            Path file = images.path(index);
            if (file.endsWith(Path.of("texture-3", "0007.jpg"))) {
              System.out.println("batch " + batch.number() + " has " + file);
            }
          }
        }
      }
    }
  }

  private static void jitterScales(ImageDataset images) throws IOException {
    ImageDataset jittered =
        images.withTransform(ScaleJitter.of(64).andThen(RandomCrop.of(64).withPadIfNeeded(true)));
    System.out.println("jittered: " + jittered.get(0).image().shape());
  }

  private record Text(int[] ids, int label) {}

  private static void pad() {
    Dataset<Text> texts =
        Dataset.of(List.of(new Text(new int[] {5, 6, 7}, 0), new Text(new int[] {8}, 1)));
    try (DataLoader<Text> loader =
        DataLoader.builder(texts)
            .batchSize(2)
            .collator(PaddingCollator.<Text>builder().pad("ids", Padding.with(-1)).build())
            .build()) {
      for (Batch batch : loader) {
        try (batch) {
          System.out.println(
              Arrays.toString(batch.tensor("ids").toIntArray())
                  + " of the lengths "
                  + Arrays.toString(batch.tensor("ids_length").toLongArray()));
        }
      }
    }
  }

  private static Path makeLines(Path file, String word) throws IOException {
    return Files.write(file, List.of(word + " 1", word + " 2", word + " 3"));
  }

  private static void readLines(Path... files) throws IOException {
    try (DataLoader<String> loader =
        DataLoader.builder(IterableDataset.lines(files))
            .batchSize(2)
            .shuffleShards(true)
            .shuffleBuffer(1000)
            .build()) {
      for (Batch batch : loader) {
        try (batch) {
          System.out.println("lines: " + batch.values("data"));
        }
      }
    }
  }

  private static DataLoader<LabeledImage> loader(ImageDataset images) {
    return DataLoader.builder(images).batchSize(8).shuffle(true).build();
  }

  private static void interrupt(ImageDataset images, Path checkpoint) throws IOException {
    try (DataLoader<LabeledImage> loader = loader(images)) {
      for (Batch batch : loader) {
        try (batch) {
          if (batch.number() == 7) {
            Files.writeString(checkpoint, loader.state().toJson());
            System.out.println("interrupted after batch " + batch.number());
            break;
          }
        }
      }
    }
  }

  private static void resume(ImageDataset images, Path checkpoint) throws IOException {
    try (DataLoader<LabeledImage> loader = loader(images)) {
      loader.resume(LoaderState.fromJson(Files.readString(checkpoint)));
      while (loader.state().epoch() < EPOCHS) {
        int batches = 0;
        for (Batch batch : loader) {
          try (batch) {
            batches++;
          }
        }
        System.out.println("an epoch, or the rest of one: " + batches + " batches");
      }
    }
  }

  private static void resumeEasyTrain(ImageDataset images, Path checkpoint)
      throws IOException, TranslateException {
    DefaultTrainingConfig config =
        new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
            .optDevices(new Device[] {Device.cpu()})
            .addTrainingListeners(new EpochTrainingListener());
    try (DataLoader<LabeledImage> loader = loader(images);
        Model model = Model.newInstance("linear", Device.cpu())) {
      model.setBlock(
          new SequentialBlock()
              .add(Blocks.batchFlattenBlock())
              .add(Linear.builder().setUnits(images.classes().size()).build()));
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(1, 3, 16, 16));

        DjlDataset batches = DjlDataset.of(loader);
        batches.resume(LoaderState.fromJson(Files.readString(checkpoint)));
        EasyTrain.fit(trainer, EPOCHS - (int) batches.state().epoch(), batches, null);

        System.out.println("EasyTrain ends before epoch " + batches.state().epoch());
      }
    }
  }

  /** Writes a folder of two images, and truncates the second one. */
  private static Path truncateOne(ImageDataset images, Path folder) throws IOException {
    Path directory = Files.createDirectories(folder.resolve("texture"));
    byte[] image = images.encoded(0).bytes();
    Files.write(directory.resolve("0.jpg"), image);
    Files.write(directory.resolve("1.jpg"), Arrays.copyOf(image, image.length / 2));
    return folder;
  }

  private static void skipBroken(Path folder, Path bad) throws IOException {
    try (ImageDataset images = ImageFolder.of(folder);
        DataLoader<LabeledImage> loader =
            DataLoader.builder(images)
                .batchSize(2)
                .errorPolicy(ErrorPolicy.skip().atMost(100))
                .build()) {
      for (Batch batch : loader) {
        try (batch) {
          System.out.println("a batch of " + batch.size());
        }
      }
      loader.quarantine().save(bad);
      System.out.println("broken: " + Arrays.toString(loader.quarantine().indices()));
    }
  }

  private static void shareAmongRanks(ImageDataset images, WorldInfo world) {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(images).batchSize(40).shuffle(true).distributed(world).build()) {
      for (Batch batch : loader) {
        try (batch) {
          long[] first = Arrays.copyOf(batch.indices(), 4);
          System.out.printf("%s: %d, %s ...%n", world, batch.size(), Arrays.toString(first));
        }
      }
    }
  }
}
