package io.feedline.examples.spark;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/** Images that a small network can learn in seconds: a disk on a background of another color. */
final class ColorImages {

  static final List<String> CLASSES = List.of("blue", "green", "red");

  private static final float[] HUES = {0.62f, 0.35f, 0f};

  private ColorImages() {}

  /**
   * Writes PNGs into {@code folder/CLASS}, the same files each time, and returns the folder.
   *
   * @param perClass the number of images of each class
   */
  static Path writeTo(Path folder, int perClass) throws IOException {
    for (String name : CLASSES) {
      Path directory = Files.createDirectories(folder.resolve(name));
      for (int number = 0; number < perClass; number++) {
        String file = String.format(Locale.ROOT, "%s-%03d.png", name, number);
        ImageIO.write(
            image(CLASSES.indexOf(name), number), "png", directory.resolve(file).toFile());
      }
    }
    return folder;
  }

  private static BufferedImage image(int label, int number) {
    SplittableRandom random = new SplittableRandom(31L * number + label);
    int width = random.nextInt(40, 72);
    int height = random.nextInt(40, 72);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    Graphics2D canvas = image.createGraphics();
    canvas.setColor(Color.getHSBColor((float) random.nextDouble(), 0.2f, 0.5f));
    canvas.fillRect(0, 0, width, height);
    float hue = HUES[label] + (float) random.nextDouble(-0.05, 0.05);
    canvas.setColor(Color.getHSBColor(hue, 0.9f, (float) random.nextDouble(0.6, 1)));
    int diameter = random.nextInt(24, 36);
    canvas.fillOval(
        random.nextInt(width - diameter), random.nextInt(height - diameter), diameter, diameter);
    canvas.dispose();
    return image;
  }
}
