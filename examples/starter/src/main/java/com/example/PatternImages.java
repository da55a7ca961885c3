package com.example;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/** Generated images of dots and stripes, to try a training without data. */
final class PatternImages {
  private static final List<String> CLASSES = List.of("dots", "horizontal", "vertical");
  private static final int IMAGES_PER_CLASS = 100;

  private PatternImages() {}

  /** Writes JPEGs into {@code folder/CLASS}, the same files each time, and returns the folder. */
  static Path writeTo(Path folder) throws IOException {
    System.out.printf("Making %d images in %s%n", CLASSES.size() * IMAGES_PER_CLASS, folder);
    for (String name : CLASSES) {
      Path directory = Files.createDirectories(folder.resolve(name));
      for (int number = 0; number < IMAGES_PER_CLASS; number++) {
        Path file = directory.resolve(String.format(Locale.ROOT, "%03d.jpg", number));
        ImageIO.write(image(name, number), "jpeg", file.toFile());
      }
    }
    return folder;
  }

  private static BufferedImage image(String name, int number) {
    SplittableRandom random = new SplittableRandom(number * 31L + CLASSES.indexOf(name));
    int width = random.nextInt(80, 161);
    int height = random.nextInt(80, 161);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D canvas = image.createGraphics();
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    canvas.setColor(Color.getHSBColor((float) random.nextDouble(), 0.5f, 0.9f));
    canvas.fillRect(0, 0, width, height);
    canvas.setColor(Color.getHSBColor((float) random.nextDouble(), 0.8f, 0.4f));
    double step = random.nextDouble(12, 24);
    double start = random.nextDouble(step);
    canvas.setStroke(new BasicStroke((float) (step * 0.4)));
    switch (name) {
      case "horizontal" -> {
        for (double y = start; y < height; y += step) {
          canvas.draw(new Line2D.Double(0, y, width, y));
        }
      }
      case "vertical" -> {
        for (double x = start; x < width; x += step) {
          canvas.draw(new Line2D.Double(x, 0, x, height));
        }
      }
      default -> {
        for (double y = start; y < height; y += step) {
          for (double x = start; x < width; x += step) {
            canvas.fill(new Ellipse2D.Double(x, y, step * 0.6, step * 0.6));
          }
        }
      }
    }
    canvas.dispose();
    return image;
  }
}
