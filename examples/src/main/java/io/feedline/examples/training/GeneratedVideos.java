package io.feedline.examples.training;

import io.feedline.examples.shared.Unfinished;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Videos of a disk that moves in one of four directions, with a second disk that stands still: AVI
 * files of Motion JPEG, in a directory for each class. A disk that leaves at one edge returns at
 * the opposite edge, so a single frame does not show the class.
 *
 * @param parent the directory that holds the files, or will hold them
 * @param videos the number of videos of each class
 */
record GeneratedVideos(Path parent, int videos, long seed) {

  private static final int SIZE = 40;
  private static final int DIAMETER = 10;
  private static final int FRAMES_PER_SECOND = 12;

  private enum Direction {
    DOWN(0, 1),
    LEFT(-1, 0),
    RIGHT(1, 0),
    UP(0, -1);

    final int x;
    final int y;

    Direction(int x, int y) {
      this.x = x;
      this.y = y;
    }
  }

  /** Writes the files, unless they exist. */
  Path make() throws IOException {
    return Unfinished.directory(
        parent.resolve("videos-" + videos + "-seed" + seed),
        unfinished -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (Direction direction : Direction.values()) {
            String name = direction.name().toLowerCase(Locale.ROOT);
            Path directory = Files.createDirectories(unfinished.resolve(name));
            for (int i = 0; i < videos; i++) {
              Path file = directory.resolve(String.format(Locale.ROOT, "%04d.avi", i));
              MotionJpegAvi.write(file, SIZE, SIZE, FRAMES_PER_SECOND, frames(direction, random));
            }
          }
        });
  }

  private static List<byte[]> frames(Direction direction, SplittableRandom random)
      throws IOException {
    int count = random.nextInt(20, 31);
    double speed = random.nextDouble(1, 2);
    Color background = color(random, 0, 64);
    Color moving = color(random, 128, 256);
    Color still = color(random, 128, 256);
    double x = random.nextInt(SIZE);
    double y = random.nextInt(SIZE);
    int stillX = random.nextInt(SIZE);
    int stillY = random.nextInt(SIZE);
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      BufferedImage frame = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB);
      Graphics2D pen = frame.createGraphics();
      pen.setColor(background);
      pen.fillRect(0, 0, SIZE, SIZE);
      disk(pen, still, stillX, stillY);
      disk(pen, moving, wrapped(x + direction.x * speed * i), wrapped(y + direction.y * speed * i));
      pen.dispose();
      frames.add(jpeg(frame));
    }
    return frames;
  }

  private static byte[] jpeg(BufferedImage frame) throws IOException {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try (ImageOutputStream out = new MemoryCacheImageOutputStream(encoded)) {
      ImageIO.write(frame, "jpg", out);
    }
    return encoded.toByteArray();
  }

  private static Color color(SplittableRandom random, int from, int to) {
    return new Color(random.nextInt(from, to), random.nextInt(from, to), random.nextInt(from, to));
  }

  private static int wrapped(double place) {
    return Math.floorMod((int) Math.round(place), SIZE);
  }

  private static void disk(Graphics2D pen, Color color, int left, int top) {
    pen.setColor(color);
    for (int x = left - SIZE; x <= left; x += SIZE) {
      for (int y = top - SIZE; y <= top; y += SIZE) {
        pen.fillOval(x, y, DIAMETER, DIAMETER);
      }
    }
  }
}
