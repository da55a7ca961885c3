package io.feedline.examples;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.InstanceMasks;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.KeyPoints;
import io.feedline.formats.image.Mask;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomAffine;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomIoUCrop;
import io.feedline.formats.image.transform.RandomPhotometricDistort;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.SanitizeBoundingBoxes;
import io.feedline.transform.RandomApply;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.WritableRaster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * Transforms masks, boxes and keypoints together with their images: {@code AugmentTargets [DIR]},
 * where DIR keeps the generated mask. The images are rectangles of different brightness.
 */
public final class AugmentTargets {
  private static final int WIDTH = 80;
  private static final int HEIGHT = 60;
  private static final int IMAGES = 8;

  private AugmentTargets() {}

  /** Prints the shapes of a batch of each kind. */
  public static void main(String[] args) throws IOException {
    Path directory =
        args.length > 0 ? Path.of(args[0]) : Files.createTempDirectory("feedline-targets");
    segment(makeMask(Files.createDirectories(directory).resolve("mask.png")));
    detect();
    findPoints();
  }

  /** Writes a mask whose palette colors stand for the classes 0, 1 and 2, as in VOC. */
  private static Path makeMask(Path file) throws IOException {
    byte[] reds = {0, (byte) 128, 0, (byte) 224};
    byte[] greens = {0, 0, (byte) 128, (byte) 224};
    byte[] blues = {0, 0, 0, (byte) 192};
    BufferedImage mask =
        new BufferedImage(
            WIDTH,
            HEIGHT,
            BufferedImage.TYPE_BYTE_BINARY,
            new IndexColorModel(2, 4, reds, greens, blues));
    WritableRaster indices = mask.getRaster();
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        indices.setSample(x, y, 0, x / 40 + y / 30);
      }
    }
    ImageIO.write(mask, "png", file.toFile());
    return file;
  }

  private static Image image(long index) {
    byte[] rgb = new byte[3 * WIDTH * HEIGHT];
    for (int i = 0; i < rgb.length; i++) {
      int column = i / 3 % WIDTH;
      rgb[i] = (byte) ((int) index * 20 + column / 8 * 10);
    }
    return Image.ofRgb(rgb, WIDTH, HEIGHT);
  }

  // ---- segmentation -------------------------------------------------------------------------

  private record Segmented(Image image, Mask mask) {}

  private static Segmented segmented(long index, Path file) throws IOException {
    Mask mask =
        Mask.ofEncoded(Files.readAllBytes(file), file.toString())
            .withFill(255)
            .toTensor(DType.INT64);
    return new Segmented(image(index), mask);
  }

  private static void segment(Path file) {
    Dataset<Segmented> samples = Dataset.of(IMAGES, index -> segmented(index, file));
    Dataset<Segmented> augmented =
        samples.map(
            JointTransform.of(
                RandomAffine.of(10)
                    .withTranslate(0.1, 0.1)
                    .andThen(RandomResizedCrop.of(48))
                    .andThen(RandomHorizontalFlip.of())
                    .andThen(ColorJitter.of(0.4, 0.4, 0.4, 0.1))
                    .andThen(Normalize.imagenet())));
    try (DataLoader<Segmented> loader = DataLoader.builder(augmented).batchSize(4).build()) {
      print("segmentation", loader);
    }
  }

  // ---- detection ----------------------------------------------------------------------------

  private record Detected(
      Image image, BoundingBoxes boxes, BoxLabels labels, InstanceMasks masks, String name) {}

  private static Detected detected(long index) {
    int objects = 1 + (int) index % 3;
    float[] boxes = new float[4 * objects];
    long[] labels = new long[objects];
    for (int i = 0; i < objects; i++) {
      boxes[4 * i] = 5 + 22 * i;
      boxes[4 * i + 1] = 10;
      boxes[4 * i + 2] = 20;
      boxes[4 * i + 3] = 30;
      labels[i] = 1L + i;
    }
    return new Detected(
        image(index),
        BoundingBoxes.of(boxes, BoundingBoxes.Format.XYWH, WIDTH, HEIGHT)
            .convert(BoundingBoxes.Format.XYXY),
        BoxLabels.of(labels),
        InstanceMasks.painted(objects, WIDTH, HEIGHT, AugmentTargets::paint),
        "image " + index);
  }

  private static void paint(int object, byte[] mask) {
    for (int y = 10; y < 40; y++) {
      for (int x = 5 + 22 * object; x < 25 + 22 * object; x++) {
        mask[y * WIDTH + x] = 1;
      }
    }
  }

  private static void detect() {
    Dataset<Detected> samples = Dataset.of(IMAGES, AugmentTargets::detected);
    Dataset<Detected> augmented =
        samples.map(
            JointTransform.of(
                RandomIoUCrop.of()
                    .andThen(RandomHorizontalFlip.of())
                    .andThen(RandomPhotometricDistort.of())
                    .andThen(Resize.of(48, 64))
                    .andThen(SanitizeBoundingBoxes.of())));
    try (DataLoader<Detected> loader =
        DataLoader.builder(augmented)
            .batchSize(4)
            .collator(
                PaddingCollator.<Detected>builder()
                    .pad("boxes", Padding.zeros())
                    .pad("labels", Padding.with(-1))
                    .pad("masks", Padding.zeros())
                    .build())
            .build()) {
      print("detection", loader);
    }
    mix(samples);
  }

  /** Mixes several samples into one; each batch is a list of images of different sizes. */
  private static void mix(Dataset<Detected> samples) {
    Dataset<Detected> pasted = samples.map(JointTransform.copyPaste(samples, true));
    Dataset<Detected> mixed =
        pasted
            .map(RandomApply.of(JointTransform.mosaic(samples, 32), 0.5))
            .map(RandomApply.of(JointTransform.mixUp(samples, 1.5), 0.5))
            .map(JointTransform.of(SanitizeBoundingBoxes.of()));
    try (DataLoader<Detected> loader =
        DataLoader.builder(mixed)
            .batchSize(4)
            .collator(
                PaddingCollator.<Detected>builder()
                    .list("image", "boxes", "labels", "masks")
                    .build())
            .build()) {
      print("mixtures", loader);
      try (BatchIterator batches = loader.iterator();
          Batch batch = batches.next()) {
        List<Tensor> images = batch.tensors("image");
        List<Tensor> boxes = batch.tensors("boxes");
        System.out.println("  of " + images.size() + " images, the first with " + boxes.get(0));
      }
    }
  }

  // ---- points -------------------------------------------------------------------------------

  private record Posed(Image image, KeyPoints joints) {}

  private static void findPoints() {
    float[] joints = {10, 10, 40, 30, 70, 50};
    Dataset<Posed> samples =
        Dataset.of(
            IMAGES,
            index -> new Posed(image(index), KeyPoints.ofObjects(joints, 3, WIDTH, HEIGHT)));
    Dataset<Posed> augmented =
        samples.map(JointTransform.of(RandomAffine.of(20).withScale(0.8, 1.2)));
    try (DataLoader<Posed> loader = DataLoader.builder(augmented).batchSize(4).build()) {
      print("points", loader);
    }
    Dataset<Posed> whole =
        augmented.map(sample -> new Posed(sample.image(), sample.joints().sanitize()));
    try (DataLoader<Posed> loader =
        DataLoader.builder(whole).batchSize(4).collator(PaddingCollator.of("joints")).build()) {
      print("points inside", loader);
    }
  }

  private static void print(String what, DataLoader<?> loader) {
    for (Batch batch : loader) {
      try (batch) {
        if (batch.number() == 0) {
          System.out.println(what + ": " + batch.tensors().keySet());
          batch.tensors().forEach((name, tensor) -> System.out.println("  " + name + " " + tensor));
        }
      }
    }
  }
}
