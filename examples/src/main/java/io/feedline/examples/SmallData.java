package io.feedline.examples;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.Dataset.Fold;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.formats.folder.ImageFiles;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.FakeData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageDataset.NamedImage;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.ConvertDtype;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.Resize;
import io.feedline.sampler.WeightedRandomSampler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Recipes for small data sets: {@code SmallData [DIRECTORY]}. Rare classes are sampled as often as
 * frequent classes; a split keeps the share of each class; further recipes show cross-validation,
 * inference with file names, one channel, large photographs, 16 bits, and rows of tensors. The
 * images are in one directory, with a CSV file of their labels; DIRECTORY keeps them, and they are
 * generated first.
 */
public final class SmallData {
  private SmallData() {}

  /** Prints the result of each recipe. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args.length == 0 ? "examples/target" : args[0], "small-data");
    Path csv = makeImages(directory);
    ImageDataset images = ImageFiles.ofCsv(csv, "file", "animal").withTransform(Resize.of(24, 24));
    System.out.println(images.size() + " images of " + images.classes());
    balance(images);
    split(images);
    validate(images);
    infer(ImageFiles.of(directory).withTransform(Resize.of(24, 24)));
    gray(directory);
    large(directory);
    depth(directory.resolveSibling("small-data-depth"));
    rows();
  }

  private static void balance(ImageDataset images) throws IOException {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(images)
            .sampler(WeightedRandomSampler.balanced(images.labels(), 1))
            .batchSize(20)
            .build()) {
      int[] drawn = new int[images.classes().size()];
      for (Batch batch : loader) {
        try (batch) {
          for (long label : batch.tensor("label").toLongArray()) {
            drawn[(int) label]++;
          }
        }
      }
      System.out.printf("balanced: %d and %d%n", drawn[0], drawn[1]);
    }
  }

  private static void split(ImageDataset images) throws IOException {
    for (ImageDataset part : images.splitStratified(new double[] {0.8, 0.2}, 1)) {
      System.out.println("part: " + counts(part));
    }
  }

  private static void validate(ImageDataset images) throws IOException {
    for (Fold<ImageDataset> fold : images.foldsStratified(5, 1)) {
      System.out.printf(
          "fold: train with %s, validate with %s%n",
          counts(fold.train()), counts(fold.validation()));
    }
  }

  private static void infer(ImageDataset images) {
    try (DataLoader<NamedImage> loader = DataLoader.builder(images.named()).batchSize(2).build();
        BatchIterator batches = loader.iterator();
        Batch batch = batches.next()) {
      System.out.println(batch.tensor("image") + " of");
      batch.values("name").forEach(name -> System.out.println("  " + name));
    }
  }

  private static void gray(Path directory) throws IOException {
    ImageDataset gray =
        ImageFiles.of(directory)
            .withDecodeOptions(DecodeOptions.DEFAULT.withMode(ImageMode.GRAY))
            .withTransform(Normalize.of(new float[] {0.45f}, new float[] {0.23f}));
    infer(gray);
  }

  private static void large(Path directory) throws IOException {
    ImageDataset photographs =
        ImageFiles.of(directory)
            .withDecodeOptions(DecodeOptions.DEFAULT.withFast(true))
            .withTransform(Resize.of(256).andThen(CenterCrop.of(224)));
    infer(photographs);
  }

  private static void depth(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.write(directory.resolve("depth.pgm"), depthMap());
    ImageDataset depth =
        ImageFiles.of(directory)
            .withDecodeOptions(DecodeOptions.DEFAULT.withMode(ImageMode.GRAY16))
            .withTransform(ConvertDtype.of(DType.FLOAT32));
    infer(depth);
  }

  /** Returns a 16-bit PGM of 16 x 16 pixels, each brighter than the pixel before it. */
  private static byte[] depthMap() {
    byte[] header = "P5 16 16 65535\n".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer image = ByteBuffer.allocate(header.length + 2 * 256).put(header);
    for (int i = 0; i < 256; i++) {
      image.putShort((short) (257 * i));
    }
    return image.array();
  }

  private static void rows() {
    Dataset<Map<String, Tensor>> points =
        Dataset.ofTensors(
            Map.of(
                "x", Tensor.of(new float[] {0, 0, 0, 1, 1, 0, 1, 1}, 4, 2),
                "label", Tensor.of(new long[] {0, 1, 1, 0})));
    try (DataLoader<Map<String, Tensor>> loader = DataLoader.builder(points).batchSize(4).build()) {
      FirstBatch.print("rows", loader);
    }
  }

  private static String counts(ImageDataset images) throws IOException {
    int[] counts = new int[images.classes().size()];
    for (int label : images.labels()) {
      counts[label]++;
    }
    return counts[0] + " and " + counts[1];
  }

  /** Writes 50 images, 10 of them of cats, and the file with their labels. */
  private static Path makeImages(Path directory) throws IOException {
    Files.createDirectories(directory);
    ImageDataset made = FakeData.builder(50).imageSize(32, 32).build();
    List<String> lines = new ArrayList<>(List.of("file,animal"));
    for (int i = 0; i < 50; i++) {
      String file = (i + 100) + ".ppm";
      Files.write(directory.resolve(file), made.encoded(i).bytes());
      lines.add(file + (i % 5 == 3 ? ",cat" : ",dog"));
    }
    return Files.write(directory.resolve("animals.csv"), lines);
  }
}
