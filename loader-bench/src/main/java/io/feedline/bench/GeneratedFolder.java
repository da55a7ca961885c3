package io.feedline.bench;

import io.feedline.internal.Closing;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * A temporary folder of JPEGs in two classes, for a run without data. The images are smooth shapes
 * with some noise; decoding takes about as long as for a photograph of the same size.
 *
 * <p>The same arguments give the same images. The caller closes the folder, which deletes it.
 */
final class GeneratedFolder implements AutoCloseable {
  private static final float QUALITY = 0.9f;

  private final ScratchDirectory directory;

  private GeneratedFolder(ScratchDirectory directory) {
    this.directory = directory;
  }

  /**
   * Writes the images.
   *
   * @param images the number of images, 2 or more
   * @throws IOException if the images cannot be written
   */
  static GeneratedFolder create(int images, int width, int height) throws IOException {
    GeneratedFolder folder = new GeneratedFolder(ScratchDirectory.create("feedline-images"));
    try {
      for (int i = 0; i < images; i++) {
        Path file = folder.root().resolve(i % 2 == 0 ? "even" : "odd").resolve(i + ".jpg");
        Files.createDirectories(file.getParent());
        writeJpeg(image(i, width, height), file);
      }
      return folder;
    } catch (IOException | RuntimeException e) {
      Closing.afterFailure(e, folder);
      throw e;
    }
  }

  /** Returns the directory that contains the directories of the classes. */
  Path root() {
    return directory.path();
  }

  /** Returns the pixels of an image: rows from the top, RGB interleaved. */
  static byte[] rgb(long seed, int width, int height) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] waves = random.doubles(9, 0.01, 0.08).toArray();
    byte[] rgb = new byte[3 * width * height];
    for (int y = 0, i = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        for (int c = 0; c < 3; c++, i++) {
          double shape =
              Math.sin(waves[3 * c] * x + waves[3 * c + 1] * y)
                  + Math.sin(waves[3 * c + 2] * (x - y));
          rgb[i] = (byte) (127 + 45 * shape + random.nextInt(-24, 25));
        }
      }
    }
    return rgb;
  }

  static BufferedImage image(long seed, int width, int height) {
    byte[] rgb = rgb(seed, width, height);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int y = 0, i = 0; y < height; y++) {
      for (int x = 0; x < width; x++, i += 3) {
        image.setRGB(x, y, (rgb[i] & 0xFF) << 16 | (rgb[i + 1] & 0xFF) << 8 | (rgb[i + 2] & 0xFF));
      }
    }
    return image;
  }

  static void writeJpeg(BufferedImage image, Path file) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
      ImageWriteParam options = writer.getDefaultWriteParam();
      options.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      options.setCompressionQuality(QUALITY);
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), options);
    } finally {
      writer.dispose();
    }
  }

  /**
   * Deletes the folder; may be called twice.
   *
   * @throws UncheckedIOException if something cannot be deleted
   */
  @Override
  public void close() {
    directory.close();
  }
}
