package io.feedline.examples.training;

import io.feedline.examples.shared.GeneratedFiles;
import io.feedline.examples.shared.TextureImages;
import io.feedline.examples.shared.Unfinished;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;

/**
 * Images of disks, squares and triangles in front of {@link TextureImages}' grain, with a mask and
 * boxes for each image, in the layout that {@link SceneFolder} reads:
 *
 * <pre>
 *   DIRECTORY/classes.txt
 *   DIRECTORY/train/images/0000.jpg
 *   DIRECTORY/train/masks/0000.png
 *   DIRECTORY/train/boxes.csv
 *   DIRECTORY/val/...
 * </pre>
 *
 * <p>Objects differ in size by a factor of four, in angle and proportions. About four of five
 * objects have their class's color, so a network learns something in a minute, but must also learn
 * shapes. Some objects are cut off by the image's edge, some are partly hidden, and every sixteenth
 * image has no object. The directory's name contains the parameters. It appears only when it is
 * complete, so an existing directory is used again.
 *
 * @param parent the directory that holds the images, or will hold them
 * @param train the number of training images
 * @param val the number of validation images
 */
record GeneratedScenes(Path parent, int train, int val, long seed) implements GeneratedFiles {

  /** The names of the classes, by label. */
  static final List<String> CLASSES = List.of("disk", "square", "triangle");

  private static final int MOST_OBJECTS = 5;
  private static final int TRIES = 20;

  /** The largest fraction of a new object's pixels that may lie on earlier objects. */
  private static final double OVERLAP = 0.15;

  private static final int LEAST_PIXELS = 60;

  /** The fraction of objects that have a random color. */
  private static final double ANY_COLOR = 0.2;

  /** The colors of Pascal VOC for the background and the classes: red, green, blue. */
  private static final byte[][] PALETTE = {
    {0, (byte) 128, 0, (byte) 128}, {0, 0, (byte) 128, (byte) 128}, {0, 0, 0, 0}
  };

  @Override
  public Path directory() {
    return parent.resolve(String.format(Locale.ROOT, "scenes-%d+%d-seed%d", train, val, seed));
  }

  @Override
  public Path make(Runnable made) throws IOException {
    return Unfinished.directory(
        directory(),
        root -> {
          Files.write(root.resolve("classes.txt"), CLASSES);
          makePart(root.resolve("train"), 0, train, made);
          makePart(root.resolve("val"), train, val, made);
        });
  }

  private void makePart(Path part, int first, int count, Runnable made) throws IOException {
    Files.createDirectories(part.resolve("images"));
    Files.createDirectories(part.resolve("masks"));
    List<String> boxes =
        IntStream.range(0, count)
            .parallel()
            .mapToObj(
                index -> {
                  Painting painting = paint(first + index);
                  String name = String.format(Locale.ROOT, "%04d", index);
                  write(painting.image, "jpg", part.resolve("images").resolve(name + ".jpg"));
                  write(painting.mask, "png", part.resolve("masks").resolve(name + ".png"));
                  made.run();
                  return painting.boxes.toString().replace("FILE", name + ".jpg");
                })
            .toList();
    Files.writeString(
        part.resolve("boxes.csv"), SceneFolder.COLUMNS + "\n" + String.join("", boxes));
  }

  private Painting paint(int number) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    Painting painting = new Painting(random);
    int objects = number % 16 == 15 ? 0 : random.nextInt(1, MOST_OBJECTS + 1);
    double[] sizes = random.doubles(objects, 0.12, 0.48).sorted().toArray();
    // Draws the largest object first, so that no object is hidden completely.
    for (int i = objects - 1; i >= 0; i--) {
      painting.addObject(random.nextInt(CLASSES.size()), sizes[i]);
    }
    painting.finish();
    return painting;
  }

  private static void write(BufferedImage image, String format, Path file) {
    try {
      if (!ImageIO.write(image, format, file.toFile())) {
        throw new IOException("%s: this JDK cannot write %s".formatted(file, format));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An image while it is painted, with its mask and its boxes. */
  private static final class Painting {
    private final SplittableRandom random;
    private final int width;
    private final int height;
    private final BufferedImage image;
    private final BufferedImage mask;
    private final Graphics2D canvas;
    private final StringBuilder boxes = new StringBuilder();

    Painting(SplittableRandom random) {
      this.random = random;
      this.width = random.nextInt(128, 193);
      this.height = random.nextInt(128, 193);
      this.image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      int[] texture =
          TextureImages.texture(random.nextInt(TextureImages.CLASSES), width, height, random);
      image.setRGB(0, 0, width, height, texture, 0, width);
      IndexColorModel colors =
          new IndexColorModel(8, PALETTE[0].length, PALETTE[0], PALETTE[1], PALETTE[2]);
      this.mask = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, colors);
      this.canvas = image.createGraphics();
      canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    }

    /** Adds an object, if one of a few random places has enough room. */
    void addObject(int label, double size) {
      for (int tries = 0; tries < TRIES; tries++) {
        Shape shape = place(outline(label), size * Math.min(width, height));
        int[] pixels = pixels(shape);
        long covering = Arrays.stream(pixels).filter(pixel -> id(pixel) != 0).count();
        if (pixels.length >= LEAST_PIXELS && covering <= OVERLAP * pixels.length) {
          draw(shape, label);
          note(label, pixels);
          return;
        }
      }
    }

    /** Returns the outline of a class, in a square of side 1 around the origin. */
    private static Shape outline(int label) {
      Path2D triangle = new Path2D.Double();
      triangle.moveTo(0, -0.5);
      triangle.lineTo(0.5, 0.45);
      triangle.lineTo(-0.5, 0.45);
      triangle.closePath();
      return switch (label) {
        case 0 -> new Ellipse2D.Double(-0.5, -0.5, 1, 1);
        case 1 -> new Rectangle2D.Double(-0.45, -0.45, 0.9, 0.9);
        default -> triangle;
      };
    }

    /** Returns an outline at a random place, scaled and rotated; its middle is in the image. */
    private Shape place(Shape outline, double side) {
      AffineTransform place = new AffineTransform();
      place.translate(random.nextDouble(width), random.nextDouble(height));
      place.rotate(random.nextDouble(2 * Math.PI));
      place.scale(side, side * random.nextDouble(0.75, 1.25));
      return place.createTransformedShape(outline);
    }

    /** Returns the pixels whose middle is in a shape, numbered row by row. */
    private int[] pixels(Shape shape) {
      return IntStream.range(0, width * height)
          .filter(pixel -> shape.contains(0.5 + column(pixel), 0.5 + row(pixel)))
          .toArray();
    }

    private int column(int pixel) {
      return pixel % width;
    }

    private int row(int pixel) {
      return pixel / width;
    }

    private int id(int pixel) {
      return mask.getRaster().getSample(column(pixel), row(pixel), 0);
    }

    private void draw(Shape shape, int label) {
      double hue =
          random.nextDouble() < ANY_COLOR
              ? random.nextDouble()
              : (double) label / CLASSES.size() + random.nextDouble(-0.1, 0.1);
      Rectangle2D bounds = shape.getBounds2D();
      canvas.setPaint(
          new GradientPaint(
              (float) bounds.getMinX(),
              (float) bounds.getMinY(),
              color(hue),
              (float) bounds.getMaxX(),
              (float) bounds.getMaxY(),
              color(hue)));
      canvas.fill(shape);
    }

    private Color color(double hue) {
      return Color.getHSBColor(
          (float) (hue + random.nextDouble(-0.05, 0.05)),
          (float) random.nextDouble(0.4, 1),
          (float) random.nextDouble(0.4, 1));
    }

    /** Adds a drawn object to the mask, and the box around it to the boxes. */
    private void note(int label, int[] pixels) {
      for (int pixel : pixels) {
        mask.getRaster().setSample(column(pixel), row(pixel), 0, label + 1);
      }
      int left = Arrays.stream(pixels).map(this::column).min().orElseThrow();
      int right = Arrays.stream(pixels).map(this::column).max().orElseThrow() + 1;
      int top = row(pixels[0]);
      int bottom = row(pixels[pixels.length - 1]) + 1;
      boxes.append(
          String.format(
              Locale.ROOT, "FILE,%d,%d,%d,%d,%s\n", left, top, right, bottom, CLASSES.get(label)));
    }

    void finish() {
      canvas.dispose();
    }
  }
}
