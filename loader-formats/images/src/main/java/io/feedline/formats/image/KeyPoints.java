package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.formats.image.pixel.Region;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;

/**
 * Points in an image, such as joints or landmarks, with the image's size: torchvision's {@code
 * tv_tensors.KeyPoints}. A FLOAT32 tensor of shape (n, 2), or (n, k, 2) where each of n objects has
 * k points: x and y, in pixels from the upper left corner of the image; n may be 0.
 *
 * <p>A {@link JointTransform} moves the points with the image, by the rules of torchvision's v2.
 * Operations never remove points, so points may lie outside the image; {@link #clamp} moves them to
 * the edge. As in torchvision, a flip treats a point as a pixel and mirrors x to {@code width - 1 -
 * x}, while turns treat a point as a position between pixels. A border that repeats the image is an
 * error.
 *
 * <p>Immutable and thread-safe.
 */
public final class KeyPoints implements TensorSource {

  private static final int NUMBERS = 2;

  /** The x and y of each point, point after point; never changed. */
  private final float[] numbers;

  private final int width;
  private final int height;

  /** Points per object; 0 if points are not grouped. */
  private final int perGroup;

  private KeyPoints(float[] points, int perGroup, int width, int height) {
    this.numbers = points;
    this.width = width;
    this.height = height;
    this.perGroup = perGroup;
  }

  /**
   * Returns single points, of shape (n, 2).
   *
   * @param points x and y of each point, in pixels; copied
   * @param width columns of the image
   * @param height rows of the image
   * @throws IllegalArgumentException if there is an x without y, a number is not finite, or the
   *     image has no pixel
   */
  public static KeyPoints of(float[] points, int width, int height) {
    return checked(points, 0, width, height);
  }

  /**
   * Returns the points of objects, of shape (n, {@code perObject}, 2).
   *
   * @param points x and y of each point, in pixels, the first object's before the second's; copied
   * @param perObject how many points each object has, 1 or more
   * @param width columns of the image
   * @param height rows of the image
   * @throws IllegalArgumentException if {@code perObject} is less than 1, the count of numbers is
   *     not a multiple of {@code 2 * perObject}, a number is not finite, or the image has no pixel
   */
  public static KeyPoints ofObjects(float[] points, int perObject, int width, int height) {
    if (perObject < 1) {
      throw new IllegalArgumentException("perObject must be 1 or more, was " + perObject);
    }
    return checked(points, perObject, width, height);
  }

  private static KeyPoints checked(float[] points, int perGroup, int width, int height) {
    int perRow = NUMBERS * Math.max(1, perGroup);
    if (points.length % perRow != 0) {
      throw new IllegalArgumentException(
          "there are %d numbers, expected a multiple of %d: x and y of each point"
              .formatted(points.length, perRow));
    }
    FloatRows.requireFinite("point", points, NUMBERS);
    FloatRows.requireCanvas("points", width, height);
    return new KeyPoints(points.clone(), perGroup, width, height);
  }

  static KeyPoints joined(List<KeyPoints> all) {
    KeyPoints first = all.get(0);
    for (KeyPoints points : all) {
      if (points.perGroup != first.perGroup) {
        throw new IllegalArgumentException(
            "%s and %s do not go together: objects have one number of points"
                .formatted(first, points));
      }
    }
    List<float[]> numbers = all.stream().map(points -> points.numbers).toList();
    return new KeyPoints(FloatRows.chained(numbers), first.perGroup, first.width, first.height);
  }

  /** Returns x and y of all points, point after point, in a new array. */
  public float[] toArray() {
    return numbers.clone();
  }

  /** Returns the number of columns of the image: the width in torchvision's {@code canvas_size}. */
  public int canvasWidth() {
    return width;
  }

  /** Returns the number of rows of the image: the height in torchvision's {@code canvas_size}. */
  public int canvasHeight() {
    return height;
  }

  /** Returns the number of points, or of objects if points are grouped. */
  public int count() {
    return numbers.length / perRow();
  }

  private int perRow() {
    return NUMBERS * Math.max(1, perGroup);
  }

  /** Returns the points; points outside the image are moved to the nearest pixel of the image. */
  public KeyPoints clamp() {
    return moved(
        (x, y) -> Math.max(0, Math.min(width - 1, x)),
        (x, y) -> Math.max(0, Math.min(height - 1, y)),
        width,
        height);
  }

  /**
   * Returns the indexes of the points in the image, or of the objects with all points in the image.
   * Use the indexes to remove the labels of the points that {@link #sanitize} removes.
   */
  public BitSet inside() {
    BitSet inside = new BitSet();
    inside.set(0, count());
    for (int at = 0; at < numbers.length; at += NUMBERS) {
      boolean isInside =
          numbers[at] >= 0
              && numbers[at] < width
              && numbers[at + 1] >= 0
              && numbers[at + 1] < height;
      if (!isInside) {
        inside.clear(at / perRow());
      }
    }
    return inside;
  }

  /**
   * Returns the points that lie in the image, or the objects that have all points in the image:
   * torchvision's SanitizeKeyPoints. {@link #inside} returns their indexes.
   */
  public KeyPoints sanitize() {
    return new KeyPoints(FloatRows.kept(numbers, perRow(), inside()), perGroup, width, height);
  }

  private interface Move {
    float to(float x, float y);
  }

  private KeyPoints moved(Move alongX, Move alongY, int newWidth, int newHeight) {
    float[] moved = new float[numbers.length];
    for (int at = 0; at < moved.length; at += NUMBERS) {
      moved[at] = alongX.to(numbers[at], numbers[at + 1]);
      moved[at + 1] = alongY.to(numbers[at], numbers[at + 1]);
    }
    return new KeyPoints(moved, perGroup, newWidth, newHeight);
  }

  KeyPoints crop(Region part) {
    return moved((x, y) -> x - part.x(), (x, y) -> y - part.y(), part.width(), part.height());
  }

  KeyPoints pad(Border border) {
    FloatRows.requireConstant("points", border);
    return moved(
        (x, y) -> x + border.left(),
        (x, y) -> y + border.top(),
        border.left() + width + border.right(),
        border.top() + height + border.bottom());
  }

  KeyPoints resize(int newWidth, int newHeight) {
    if (newWidth == width && newHeight == height) {
      return this;
    }
    float[] scaled = FloatRows.scaled(numbers, width, height, newWidth, newHeight);
    return new KeyPoints(scaled, perGroup, newWidth, newHeight);
  }

  KeyPoints flipHorizontal() {
    return moved((x, y) -> width - 1 - x, (x, y) -> y, width, height);
  }

  KeyPoints flipVertical() {
    return moved((x, y) -> x, (x, y) -> height - 1 - y, width, height);
  }

  KeyPoints rotate90(int quarters) {
    return switch (quarters) {
      case 1 -> moved((x, y) -> height - y, (x, y) -> x, height, width);
      case 2 -> moved((x, y) -> width - x, (x, y) -> height - y, width, height);
      default -> moved((x, y) -> y, (x, y) -> width - x, height, width);
    };
  }

  KeyPoints mapped(PointMap map, int newWidth, int newHeight) {
    return moved(map::x, map::y, newWidth, newHeight);
  }

  KeyPoints keepBoxes(BitSet kept, int boxes) {
    if (perGroup == 0 || boxes != count()) {
      return this;
    }
    return new KeyPoints(FloatRows.kept(numbers, perRow(), kept), perGroup, width, height);
  }

  /** Returns FLOAT32. */
  @Override
  public DType dtype() {
    return DType.FLOAT32;
  }

  @Override
  public void writeTo(ByteBuffer target) {
    target.asFloatBuffer().put(numbers);
  }

  /** Returns (n, 2) or (n, k, 2). */
  @Override
  public Shape shape() {
    return perGroup == 0 ? Shape.of(count(), NUMBERS) : Shape.of(count(), perGroup, NUMBERS);
  }

  /** Returns shape and canvas, for example {@code KeyPoints[(2, 17, 2) in 640 x 480]}. */
  @Override
  public String toString() {
    return "KeyPoints[%s in %d x %d]".formatted(shape(), width, height);
  }
}
