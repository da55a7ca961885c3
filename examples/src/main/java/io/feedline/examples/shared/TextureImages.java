package io.feedline.examples.shared;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.image.BufferedImage;
import java.util.SplittableRandom;

/**
 * Images that a network learns to classify in a few dozen steps, and that take as long to decode as
 * photographs. Each class has a grain with its own direction, fineness and colors, in varying
 * light, with objects in front. Immutable and thread-safe.
 *
 * @param seed equal seeds give equal images
 */
public record TextureImages(long seed) {

  private static final int OCTAVES = 4;
  private static final int LATTICE = 64;

  /** The number of classes. */
  public static final int CLASSES = 10;

  /** Returns an image of a class by its number; the sides are 300 to 600 pixels long. */
  public BufferedImage image(int label, int number) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + label * 10_007L + number);
    int width = random.nextInt(300, 601);
    int height = random.nextInt(300, 601);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    image.setRGB(0, 0, width, height, texture(label, width, height, random), 0, width);
    clutter(image, random);
    return image;
  }

  /** Returns the grain of a class as RGB, row by row. */
  public static int[] texture(int label, int width, int height, SplittableRandom random) {
    float[] lattice = new float[LATTICE * LATTICE];
    for (int i = 0; i < lattice.length; i++) {
      lattice[i] = (float) random.nextDouble();
    }
    float[] dark = color(label * 0.1f, 0.75f, 0.35f, random);
    float[] bright = color(label * 0.1f + 0.08f, 0.45f, 0.9f, random);
    double angle = Math.PI * label / CLASSES + random.nextDouble(-0.12, 0.12);
    float along = (float) Math.cos(angle);
    float across = (float) Math.sin(angle);
    float fineness = (float) ((label % 3 + 2) / 100.0 * random.nextDouble(0.8, 1.25));
    double lightFrom = random.nextDouble(2 * Math.PI);
    float lightX = (float) (0.5 * Math.cos(lightFrom) / width);
    float lightY = (float) (0.5 * Math.sin(lightFrom) / height);
    float light = (float) random.nextDouble(0.75, 1.15);

    int[] rgb = new int[width * height];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        float u = (x * along + y * across) * fineness;
        // Stretching gives the grain a direction.
        float v = (y * along - x * across) * fineness * 6;
        float grain = grain(lattice, u, v);
        float shine = light + (x - width / 2) * lightX + (y - height / 2) * lightY;
        int pixel = 0;
        for (int channel = 0; channel < 3; channel++) {
          float value = (dark[channel] + grain * (bright[channel] - dark[channel])) * shine;
          pixel = pixel << 8 | Math.max(0, Math.min(255, (int) (255 * value)));
        }
        rgb[y * width + x] = pixel;
      }
    }
    return rgb;
  }

  private static float[] color(float hue, float saturation, float value, SplittableRandom random) {
    float jitter = (float) random.nextDouble(-0.03, 0.03);
    return new Color(Color.HSBtoRGB(hue + jitter, saturation, value))
        .getRGBColorComponents(null)
        .clone();
  }

  /** Returns value noise of several octaves, from 0 to 1. */
  private static float grain(float[] lattice, float u, float v) {
    float sum = 0;
    float weight = 0.5f;
    for (int octave = 0; octave < OCTAVES; octave++) {
      sum += weight * noise(lattice, u + 7 * octave, v + 13 * octave);
      weight /= 2;
      u *= 2;
      v *= 2;
    }
    return sum;
  }

  private static float noise(float[] lattice, float u, float v) {
    int left = (int) Math.floor(u);
    int top = (int) Math.floor(v);
    float right = u - left;
    float below = v - top;
    float upper = mix(at(lattice, left, top), at(lattice, left + 1, top), right);
    float lower = mix(at(lattice, left, top + 1), at(lattice, left + 1, top + 1), right);
    return mix(upper, lower, below);
  }

  private static float at(float[] lattice, int x, int y) {
    return lattice[(y & LATTICE - 1) * LATTICE + (x & LATTICE - 1)];
  }

  private static float mix(float from, float to, float share) {
    return from + (to - from) * share;
  }

  private static void clutter(BufferedImage image, SplittableRandom random) {
    Graphics2D canvas = image.createGraphics();
    canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    for (int i = random.nextInt(2, 6); i > 0; i--) {
      canvas.setColor(
          new Color(random.nextInt(256), random.nextInt(256), random.nextInt(256), 160));
      double size = random.nextDouble(0.08, 0.3) * image.getWidth();
      canvas.fill(
          new Ellipse2D.Double(
              random.nextDouble(image.getWidth()) - size / 2,
              random.nextDouble(image.getHeight()) - size / 2,
              size,
              size * random.nextDouble(0.4, 1.6)));
    }
    canvas.dispose();
  }
}
