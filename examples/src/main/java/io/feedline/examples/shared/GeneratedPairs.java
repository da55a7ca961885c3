package io.feedline.examples.shared;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;

/**
 * Pairs of {@link TextureImages} in high resolution and, reduced by a bicubic filter, in low
 * resolution, as PNG files with DIV2K's names:
 *
 * <pre>
 *   DIRECTORY/high/0000.png
 *   DIRECTORY/low/0000x2.png
 * </pre>
 *
 * <p>The directory's name contains the parameters. It appears only when it is complete, so an
 * existing directory is used again.
 *
 * @param parent the directory that holds the folder, or will hold it
 * @param pairs the number of pairs
 * @param scale the ratio of the high to the low resolution: 2, 3 or 4
 * @param seed the seed of the images
 */
public record GeneratedPairs(Path parent, int pairs, int scale, long seed)
    implements GeneratedFiles {

  /** The side of the high-resolution images in pixels: a multiple of all scales. */
  public static final int SIDE = 144;

  /**
   * The factor by which textures are reduced, so that they have details that no filter can restore.
   */
  private static final int REDUCTION = 2;

  @Override
  public Path directory() {
    return parent.resolve(String.format(Locale.ROOT, "pairs-%d-x%d-seed%d", pairs, scale, seed));
  }

  @Override
  public Path make(Runnable made) throws IOException {
    return Unfinished.directory(
        directory(),
        root -> {
          Files.createDirectories(root.resolve("high"));
          Files.createDirectories(root.resolve("low"));
          IntStream.range(0, pairs)
              .parallel()
              .forEach(
                  number -> {
                    write(root, number);
                    made.run();
                  });
        });
  }

  /** Makes {@code low.lmdb} and {@code high.lmdb} beside the folders, unless they exist. */
  public void makeDatabases() throws IOException {
    make();
    pack("low", "x" + scale);
    pack("high", "");
  }

  private void pack(String part, String suffix) throws IOException {
    Path database = directory().resolve(part + ".lmdb");
    Packing packing = Packing.of(List.of(), pairs);
    try (StoreWriter<EncodedImage> writer = StoreFormat.named("lmdb").create(database, packing)) {
      for (int number = (int) writer.written(); number < pairs; number++) {
        byte[] png = Files.readAllBytes(directory().resolve(part).resolve(name(number, suffix)));
        writer.write(new EncodedImage(key(number), png, EncodedImage.NO_LABEL));
      }
      writer.commit();
    } catch (FileAlreadyExistsException packedBefore) {
      System.out.println("packed by an earlier run: " + packedBefore.getFile());
    }
  }

  /** Returns the key of a pair, the same for both images. */
  private static String key(int number) {
    return String.format(Locale.ROOT, "%04d", number);
  }

  private static String name(int number, String suffix) {
    return key(number) + suffix + ".png";
  }

  private void write(Path root, int number) {
    BufferedImage texture =
        new TextureImages(seed)
            .image(number % TextureImages.CLASSES, number / TextureImages.CLASSES);
    int side = SIDE * REDUCTION;
    byte[] rgb = new byte[3 * side * side];
    for (int i = 0; i < side * side; i++) {
      int pixel = texture.getRGB(i % side, i / side);
      rgb[3 * i] = (byte) (pixel >> 16);
      rgb[3 * i + 1] = (byte) (pixel >> 8);
      rgb[3 * i + 2] = (byte) pixel;
    }
    Image textureImage = Image.ofRgb(rgb, side, side);
    try {
      Pixels high = textureImage.resize(SIDE, SIDE, Interpolation.BICUBIC).pixels();
      Image low = high.toImage().resize(SIDE / scale, SIDE / scale, Interpolation.BICUBIC);
      writePng(high, root.resolve("high").resolve(name(number, "")).toFile());
      writePng(low.pixels(), root.resolve("low").resolve(name(number, "x" + scale)).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writePng(Pixels pixels, File file) throws IOException {
    BufferedImage image =
        new BufferedImage(pixels.width(), pixels.height(), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < pixels.height(); y++) {
      for (int x = 0; x < pixels.width(); x++) {
        image.setRGB(x, y, pixels.rgbAt(x, y));
      }
    }
    if (!ImageIO.write(image, "png", file)) {
      throw new IOException(file + ": this JDK cannot write PNG");
    }
  }
}
