package io.feedline.bench;

import static java.util.stream.Collectors.joining;

import io.feedline.formats.image.pixel.Region;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A random crop and flip of an image. It is drawn once, so that both sides of a comparison make the
 * same result from the same file.
 *
 * @param flip whether the part is mirrored, left to right
 */
record Crop(Path file, Region region, boolean flip) {
  private static final double MIN_SCALE = 0.08;
  private static final double MIN_RATIO = 3.0 / 4.0;
  private static final double MAX_RATIO = 4.0 / 3.0;
  private static final int TRIES = 10;

  /**
   * Draws a crop and flip of an image of this size as RandomResizedCrop and RandomHorizontalFlip do
   * with their defaults: 0.08 to 1 of the area, an aspect ratio of 3/4 to 4/3, and every second
   * crop mirrored.
   */
  static Crop draw(Path file, int width, int height, RandomGenerator random) {
    return new Crop(file, region(width, height, random), random.nextBoolean());
  }

  private static Region region(int width, int height, RandomGenerator random) {
    for (int i = 0; i < TRIES; i++) {
      double area = (double) width * height * random.nextDouble(MIN_SCALE, 1);
      double ratio = Math.exp(random.nextDouble(Math.log(MIN_RATIO), Math.log(MAX_RATIO)));
      int w = (int) Math.rint(Math.sqrt(area * ratio));
      int h = (int) Math.rint(Math.sqrt(area / ratio));
      if (0 < w && w <= width && 0 < h && h <= height) {
        return new Region(random.nextInt(width - w + 1), random.nextInt(height - h + 1), w, h);
      }
    }
    int w = (int) Math.max(1, Math.min(width, Math.rint(height * MAX_RATIO)));
    int h = (int) Math.max(1, Math.min(height, Math.rint(width / MIN_RATIO)));
    return new Region((width - w) / 2, (height - h) / 2, w, h);
  }

  /**
   * Returns the line from which {@link NativeProgram#JPEG_REFERENCE} reads this crop.
   *
   * @throws IllegalArgumentException if the file's name has a line break
   */
  String toLine() {
    String path = file.toString();
    if (path.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("a path with a line break cannot be listed: " + path);
    }
    int[] numbers = {region.x(), region.y(), region.width(), region.height(), flip ? 1 : 0};
    return IntStream.of(numbers).mapToObj(Integer::toString).collect(joining(" ", "", " " + path));
  }
}
