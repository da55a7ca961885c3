package io.feedline.spark;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;

/** Folders of images that tests make, and stores of them. */
public final class Pictures {

  private Pictures() {}

  /**
   * A sample as tests compare it.
   *
   * @param bytes as text, so that records compare by value
   */
  record Sample(String key, String bytes, int label) {
    static Sample of(EncodedImage image) {
      return of(image.key(), image.bytes(), image.label());
    }

    static Sample of(String key, byte[] bytes, int label) {
      return new Sample(key, java.util.HexFormat.of().formatHex(bytes), label);
    }
  }

  /** A JPEG that no other number has, of 24 x 16 pixels and more. */
  public static byte[] jpeg(int number) {
    return encoded(number, "jpeg");
  }

  private static byte[] encoded(int number, String format) {
    Random random = new Random(number);
    BufferedImage image =
        new BufferedImage(24 + number % 7, 16 + number % 5, BufferedImage.TYPE_INT_RGB);
    int color = random.nextInt();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        image.setRGB(x, y, color + 0x030507 * x + 0x070503 * y + random.nextInt(16));
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, format, bytes);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** A PNG of 8 x 6 pixels whose red is the number. */
  static byte[] png(int number) throws IOException {
    BufferedImage image = new BufferedImage(8, 6, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 48; i++) {
      image.setRGB(i % 8, i / 8, (number & 0xFF) << 16 | 0x1020);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  /** Makes a folder with so many images of each class; one class has blanks. */
  static Path folder(Path root, int images) throws IOException {
    for (String name : List.of("cat", "dog", "eclair au lait")) {
      Path directory = Files.createDirectories(root.resolve(name).resolve("deep"));
      for (int i = 0; i < images; i++) {
        int number = name.charAt(0) * 10_000 + i;
        Path file =
            (i % 5 == 0 ? directory : directory.getParent())
                .resolve(
                    "%s_%s.%s"
                        .formatted(
                            name.charAt(0), i, i % 3 == 0 ? "JPEG" : i == 1 ? "png" : "jpg"));
        Files.write(file, i == 1 ? encoded(number, "png") : jpeg(number));
      }
    }
    return root;
  }

  /** Packs a store into another one, as {@code feedline convert} does. */
  static Path convert(Path source, String format, Path target) throws IOException {
    try (ImageStore images = StoreFormat.of(source).open(source, StoreOptions.NONE);
        StoreWriter<EncodedImage> writer =
            StoreFormat.named(format).create(target, Packing.of(images.classes(), images.size()))) {
      for (long i = 0; i < images.size(); i++) {
        writer.write(images.read(i));
      }
      writer.commit();
    }
    return target;
  }

  /** Reads all samples of a store, without Spark. */
  static List<Sample> samples(Path store) throws IOException {
    List<Sample> samples = new ArrayList<>();
    try (ImageStore images = StoreFormat.of(store).open(store, StoreOptions.NONE)) {
      for (long i = 0; i < images.size(); i++) {
        samples.add(Sample.of(images.read(i)));
      }
    }
    return samples;
  }

  static List<String> classes(Path store) throws IOException {
    try (ImageStore images = StoreFormat.of(store).open(store, StoreOptions.NONE)) {
      return images.classes();
    }
  }
}
