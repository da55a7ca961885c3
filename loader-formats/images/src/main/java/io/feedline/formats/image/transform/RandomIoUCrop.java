package io.feedline.formats.image.transform;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.internal.Draw;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transforms;
import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A random transform that crops an image to a part that overlaps enough with one of its boxes:
 * torchvision's RandomIoUCrop ("SSD: Single Shot MultiBox Detector", Liu et al., 2016). Use it
 * inside a {@link io.feedline.formats.image.JointTransform}, for samples with boxes.
 *
 * <p>The transform draws the required overlap; then, up to {@code trials} times, the width and the
 * height of the part and, if its aspect ratio is allowed, its left and top. The transform crops to
 * the part if the part contains the center of a box that has at least the drawn overlap with the
 * part (intersection over union). If no part fulfils this, another overlap is drawn. An overlap of
 * 1 or more leaves the image unchanged. Unlike in torchvision, the image also stays unchanged after
 * 1000 overlaps without success.
 *
 * <p>Boxes whose center is not in the part become zeros, as in torchvision. {@link
 * SanitizeBoundingBoxes} must follow; it removes these boxes with their labels. Immutable and
 * thread-safe.
 */
public final class RandomIoUCrop extends Transforms.Value implements RandomTransform<Image, Image> {
  private static final int ROUNDS = 1000;

  @SuppressWarnings("ArrayRecordComponent") // Transforms.Value compares the elements.
  private record Options(Range scale, Range aspectRatio, double[] overlaps, int trials) {
    Options {
      scale.within("scale", Float.MIN_NORMAL, 1);
      aspectRatio.positive("aspectRatio");
      overlaps = overlaps.clone();
      boolean known = overlaps.length > 0 && Arrays.stream(overlaps).allMatch(o -> o >= 0);
      if (!known) {
        throw new IllegalArgumentException(
            "overlaps must be 0 or more, and there must be one, was " + Arrays.toString(overlaps));
      }
      if (trials < 1) {
        throw new IllegalArgumentException("trials must be 1 or more, was " + trials);
      }
    }
  }

  private final Options options;

  private RandomIoUCrop(Options options) {
    super(options);
    this.options = options;
  }

  /**
   * Returns the transform with torchvision's defaults: sides of 0.3 to 1 times the image's, an
   * aspect ratio of 0.5 to 2, an overlap of 0, 0.1, 0.3, 0.5, 0.7 or 0.9, or no change, and 40
   * trials.
   */
  public static RandomIoUCrop of() {
    return new RandomIoUCrop(
        new Options(
            new Range(0.3, 1),
            new Range(0.5, 2),
            new double[] {0, 0.1, 0.3, 0.5, 0.7, 0.9, 1},
            40));
  }

  /**
   * Returns the same transform with another range of the part's sides, as fractions of the image's
   * sides, {@code 0 < min <= max <= 1}; 0.3 to 1 by default.
   */
  public RandomIoUCrop withScale(double min, double max) {
    return with("scale", new Range(min, max));
  }

  /**
   * Returns the same transform with another range of the part's ratio of width to height, {@code 0
   * < min <= max}; 0.5 to 2 by default.
   */
  public RandomIoUCrop withAspectRatio(double min, double max) {
    return with("aspectRatio", new Range(min, max));
  }

  /**
   * Returns the same transform with other overlaps to draw from, torchvision's sampler options: one
   * or more numbers, each 0 or more. The default is 0, 0.1, 0.3, 0.5, 0.7, 0.9 and 1. With 1 or
   * more the image stays unchanged.
   */
  public RandomIoUCrop withOverlaps(double... overlaps) {
    return with("overlaps", overlaps);
  }

  /** Returns the same transform with another number of trials, 1 or more; 40 by default. */
  public RandomIoUCrop withTrials(int trials) {
    return with("trials", trials);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the sample has no boxes
   */
  @Override
  public Image apply(Image image, RandomGenerator random) {
    BoundingBoxes boxes = RequiredBoxes.of(image, this);
    float[] edges = boxes.convert(BoundingBoxes.Format.XYXY).toArray();
    for (int round = 0; round < ROUNDS; round++) {
      double overlap = options.overlaps[Draw.below(random, options.overlaps.length)];
      if (overlap >= 1) {
        return image;
      }
      for (int trial = 0; trial < options.trials; trial++) {
        Region part = draw(image.width(), image.height(), random);
        BitSet within = part == null ? new BitSet() : within(edges, part);
        if (!within.isEmpty() && bestOverlap(edges, within, part) >= (float) overlap) {
          return cropped(image, part, within);
        }
      }
    }
    return image;
  }

  /** Returns a random part; null if the drawn aspect ratio is not allowed. */
  private @Nullable Region draw(int imageWidth, int imageHeight, RandomGenerator random) {
    int width = (int) (imageWidth * options.scale.drawInTwoSteps(random));
    int height = (int) (imageHeight * options.scale.drawInTwoSteps(random));
    double ratio = (double) width / height;
    Range allowed = options.aspectRatio;
    if (height == 0 || ratio < allowed.min() || ratio > allowed.max()) {
      return null;
    }
    int left = (int) ((imageWidth - width) * Draw.unit(random));
    int top = (int) ((imageHeight - height) * Draw.unit(random));
    return width == 0 ? null : new Region(left, top, width, height);
  }

  private static BitSet within(float[] edges, Region part) {
    BitSet within = new BitSet();
    for (int at = 0; at < edges.length; at += 4) {
      float x = 0.5f * (edges[at] + edges[at + 2]);
      float y = 0.5f * (edges[at + 1] + edges[at + 3]);
      boolean inside =
          part.x() < x
              && x < part.x() + part.width()
              && part.y() < y
              && y < part.y() + part.height();
      within.set(at / 4, inside);
    }
    return within;
  }

  private static float bestOverlap(float[] edges, BitSet boxes, Region part) {
    float best = Float.NEGATIVE_INFINITY;
    for (int i = boxes.nextSetBit(0); i >= 0; i = boxes.nextSetBit(i + 1)) {
      best = Math.max(best, overlap(edges, 4 * i, part));
    }
    return best;
  }

  private static float overlap(float[] edges, int at, Region part) {
    float right = part.x() + part.width();
    float bottom = part.y() + part.height();
    float commonWidth = Math.max(0, Math.min(edges[at + 2], right) - Math.max(edges[at], part.x()));
    float commonHeight =
        Math.max(0, Math.min(edges[at + 3], bottom) - Math.max(edges[at + 1], part.y()));
    float common = commonWidth * commonHeight;
    float box = (edges[at + 2] - edges[at]) * (edges[at + 3] - edges[at + 1]);
    float whole = (float) part.width() * part.height();
    return common / (box + whole - common);
  }

  private static Image cropped(Image image, Region part, BitSet within) {
    Image cropped = image.crop(part);
    BoundingBoxes boxes = cropped.boxes().orElseThrow();
    float[] numbers = boxes.toArray();
    for (int i = 0; i < boxes.count(); i++) {
      if (!within.get(i)) {
        Arrays.fill(numbers, 4 * i, 4 * i + 4, 0);
      }
    }
    return cropped.withBoxes(
        BoundingBoxes.of(numbers, boxes.format(), cropped.width(), cropped.height())
            .withClamping(boxes.clamping()));
  }
}
