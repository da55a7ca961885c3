package io.feedline.examples.shared;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * {@link TextureImages} as JPEG files, laid out as an ImageFolder wants them:
 *
 * <pre>
 *   DIRECTORY/train/texture-0/0000.jpg
 *   DIRECTORY/val/texture-0/0000.jpg
 * </pre>
 *
 * <p>The directory's name tells what is in it. It appears whole or not at all, so one that is there
 * is used again.
 *
 * @param parent the directory that holds the folder, or will hold it
 * @param train images of each class to train with
 * @param val images of each class to validate with
 * @param seed of the images
 */
public record GeneratedFolder(Path parent, int train, int val, long seed)
    implements GeneratedFiles {

  private static final float QUALITY = 0.85f;

  @Override
  public Path directory() {
    return parent.resolve(
        String.format(
            Locale.ROOT, "textures-%dx(%d+%d)-seed%d", TextureImages.CLASSES, train, val, seed));
  }

  /** Tests whether the images have been made. */
  public boolean exists() {
    return Files.isDirectory(directory());
  }

  /** The number of images. */
  public int size() {
    return TextureImages.CLASSES * (train + val);
  }

  @Override
  public Path make(Runnable made) throws IOException {
    return Unfinished.directory(
        directory(),
        root -> {
          for (int label = 0; label < TextureImages.CLASSES; label++) {
            Files.createDirectories(root.resolve("train").resolve(className(label)));
            Files.createDirectories(root.resolve("val").resolve(className(label)));
          }
          IntStream.range(0, size())
              .parallel()
              .forEach(
                  index -> {
                    write(root, index);
                    made.run();
                  });
        });
  }

  private static String className(int label) {
    return "texture-" + label;
  }

  private void write(Path root, int index) {
    int label = index % TextureImages.CLASSES;
    int number = index / TextureImages.CLASSES;
    boolean training = number < train;
    Path file =
        root.resolve(training ? "train" : "val")
            .resolve(className(label))
            .resolve(String.format(Locale.ROOT, "%04d.jpg", training ? number : number - train));
    try {
      writeJpeg(new TextureImages(seed).image(label, number), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Baseline, 4:2:0: what ImageIO makes of RGB by default. */
  private static void writeJpeg(BufferedImage image, Path file) throws IOException {
    Iterator<ImageWriter> writers = ImageIO.getImageWritersByFormatName("jpeg");
    ImageWriter writer = writers.next();
    try (ImageOutputStream output = ImageIO.createImageOutputStream(file.toFile())) {
      ImageWriteParam options = writer.getDefaultWriteParam();
      options.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      options.setCompressionQuality(QUALITY);
      writer.setOutput(output);
      writer.write(null, new IIOImage(image, null, null), options);
    } finally {
      writer.dispose();
    }
  }
}
