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
 * <p>The directory's name contains the parameters. It appears only when it is complete, so an
 * existing directory is used again.
 *
 * @param parent the directory that holds the folder, or will hold it
 * @param train the number of training images of each class
 * @param val the number of validation images of each class
 * @param seed the seed of the images
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

  /** Returns whether the images exist. */
  public boolean exists() {
    return Files.isDirectory(directory());
  }

  /** Returns the number of images. */
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

  /** Writes a baseline JPEG with 4:2:0, ImageIO's default for RGB. */
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
