package io.feedline.formats.image;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.formats.image.pixel.Region;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Boxes around the objects of an image, with the image's size: torchvision's {@code
 * tv_tensors.BoundingBoxes}. A FLOAT32 tensor of shape (n, 4), in pixels from the upper left corner
 * of the image; n may be 0.
 *
 * <pre>{@code
 * BoundingBoxes.of(boxes, BoundingBoxes.Format.XYWH, WIDTH, HEIGHT)
 *     .convert(BoundingBoxes.Format.XYXY)
 * }</pre>
 *
 * <p>A {@link JointTransform} moves the boxes with the image, by the rules of torchvision's v2. A
 * box that is turned or sheared becomes the box around its corners. Boxes are cut off at the
 * image's edges when the image is cropped, padded, turned or warped, unless {@link #withClamping}
 * is false. A box that is cut away entirely stays with an area of 0, so that there is a box for
 * each label; {@code SanitizeBoundingBoxes} removes the box. A border that repeats the image
 * ({@code edge}, {@code reflect}, {@code symmetric}) is an error, as in torchvision.
 *
 * <p>Immutable and thread-safe.
 */
public final class BoundingBoxes implements TensorSource {

  private static final int NUMBERS = 4;

  /** The four numbers of each box, box after box; never changed. */
  private final float[] numbers;

  private final int width;
  private final int height;
  private final Format format;
  private final boolean clamping;

  private BoundingBoxes(float[] boxes, Format format, int width, int height, boolean clamping) {
    this.numbers = boxes;
    this.width = width;
    this.height = height;
    this.format = format;
    this.clamping = clamping;
  }

  /**
   * Returns the boxes of an image.
   *
   * @param boxes four numbers for each, in pixels; copied. Boxes may reach beyond the image
   * @param width columns of the image
   * @param height rows of the image
   * @throws IllegalArgumentException if the count of numbers is not a multiple of four, a number is
   *     not finite, or the image has no pixel
   */
  public static BoundingBoxes of(float[] boxes, Format format, int width, int height) {
    Objects.requireNonNull(format, "format");
    if (boxes.length % NUMBERS != 0) {
      throw new IllegalArgumentException(
          "boxes have four numbers each, found %d numbers".formatted(boxes.length));
    }
    FloatRows.requireFinite("box", boxes, NUMBERS);
    FloatRows.requireCanvas("boxes", width, height);
    return new BoundingBoxes(boxes.clone(), format, width, height, true);
  }

  /** Returns the boxes of several images of one size, in the format of the first image's boxes. */
  static BoundingBoxes joined(List<BoundingBoxes> all) {
    BoundingBoxes first = all.get(0);
    List<float[]> numbers = all.stream().map(boxes -> boxes.convert(first.format).numbers).toList();
    return new BoundingBoxes(
        FloatRows.chained(numbers), first.format, first.width, first.height, first.clamping);
  }

  /** Returns the numbers of all boxes, box after box, in a new array. */
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

  /** Returns how many boxes there are. */
  public int count() {
    return numbers.length / NUMBERS;
  }

  /** Returns the four numbers of the box with an index, in a new array. */
  public float[] box(int index) {
    Objects.checkIndex(index, count());
    return Arrays.copyOfRange(numbers, NUMBERS * index, NUMBERS * (index + 1));
  }

  /** Returns the format, which says what the four numbers mean. */
  public Format format() {
    return format;
  }

  /** Returns whether operations cut boxes off at the image's edges. */
  public boolean clamping() {
    return clamping;
  }

  /**
   * Returns these boxes with the choice whether operations cut boxes off at the image's edges. The
   * default, true, equals torchvision's clamping modes "soft" and "hard", which do the same for
   * boxes that are not rotated; false equals the mode {@code None}.
   */
  public BoundingBoxes withClamping(boolean clamping) {
    return new BoundingBoxes(numbers, format, width, height, clamping);
  }

  /** Returns the same boxes in another format: torchvision's ConvertBoundingBoxFormat. */
  public BoundingBoxes convert(Format to) {
    Objects.requireNonNull(to, "to");
    if (to == format) {
      return this;
    }
    float[] converted = numbers.clone();
    for (int at = 0; at < converted.length; at += NUMBERS) {
      if (format == Format.XYWH && to == Format.CXCYWH) {
        converted[at] += converted[at + 2] / 2;
        converted[at + 1] += converted[at + 3] / 2;
      } else if (format == Format.CXCYWH && to == Format.XYWH) {
        converted[at] -= converted[at + 2] / 2;
        converted[at + 1] -= converted[at + 3] / 2;
      } else {
        format.toXyxy(converted, at);
        to.fromXyxy(converted, at);
      }
    }
    return new BoundingBoxes(converted, to, width, height, clamping);
  }

  /** Returns the boxes cut off at the image's edges: torchvision's ClampBoundingBoxes. */
  public BoundingBoxes clamp() {
    return clamped(numbers.clone(), width, height);
  }

  private BoundingBoxes clamped(float[] changed, int newWidth, int newHeight) {
    for (int at = 0; at < changed.length; at += NUMBERS) {
      format.toXyxy(changed, at);
      changed[at] = clamp(changed[at], newWidth);
      changed[at + 1] = clamp(changed[at + 1], newHeight);
      changed[at + 2] = clamp(changed[at + 2], newWidth);
      changed[at + 3] = clamp(changed[at + 3], newHeight);
      format.fromXyxy(changed, at);
    }
    return new BoundingBoxes(changed, format, newWidth, newHeight, clamping);
  }

  private static float clamp(float position, int size) {
    return Math.max(0, Math.min(size, position));
  }

  /** Returns boxes with other numbers, clamped if {@link #clamping} is true. */
  private BoundingBoxes changed(float[] changed, int newWidth, int newHeight) {
    return clamping
        ? clamped(changed, newWidth, newHeight)
        : new BoundingBoxes(changed, format, newWidth, newHeight, false);
  }

  BoundingBoxes crop(Region part) {
    return moved(-part.x(), -part.y(), part.width(), part.height());
  }

  private BoundingBoxes moved(int right, int down, int newWidth, int newHeight) {
    float[] moved = numbers.clone();
    for (int at = 0; at < moved.length; at += NUMBERS) {
      moved[at] += right;
      moved[at + 1] += down;
      if (format == Format.XYXY) {
        moved[at + 2] += right;
        moved[at + 3] += down;
      }
    }
    return changed(moved, newWidth, newHeight);
  }

  BoundingBoxes pad(Border border) {
    FloatRows.requireConstant("boxes", border);
    return moved(
        border.left(),
        border.top(),
        border.left() + width + border.right(),
        border.top() + height + border.bottom());
  }

  BoundingBoxes resize(int newWidth, int newHeight) {
    if (newWidth == width && newHeight == height) {
      return this;
    }
    return new BoundingBoxes(
        FloatRows.scaled(numbers, width, height, newWidth, newHeight),
        format,
        newWidth,
        newHeight,
        clamping);
  }

  BoundingBoxes flipHorizontal() {
    return new BoundingBoxes(flipped(0, width), format, width, height, clamping);
  }

  BoundingBoxes flipVertical() {
    return new BoundingBoxes(flipped(1, height), format, width, height, clamping);
  }

  private float[] flipped(int axis, int size) {
    float[] flipped = numbers.clone();
    for (int at = axis; at < flipped.length; at += NUMBERS) {
      float first = flipped[at];
      float second = flipped[at + 2];
      switch (format) {
        case XYXY -> {
          flipped[at] = size - second;
          flipped[at + 2] = size - first;
        }
        case XYWH -> flipped[at] = size - (first + second);
        case CXCYWH -> flipped[at] = size - first;
      }
    }
    return flipped;
  }

  BoundingBoxes rotate90(int quarters) {
    BoundingBoxes edges = convert(Format.XYXY);
    float[] turned = new float[numbers.length];
    for (int at = 0; at < turned.length; at += NUMBERS) {
      float left = edges.numbers[at];
      float top = edges.numbers[at + 1];
      float right = edges.numbers[at + 2];
      float bottom = edges.numbers[at + 3];
      switch (quarters) {
        case 1 -> put(turned, at, height - bottom, left, height - top, right);
        case 2 -> put(turned, at, width - right, height - bottom, width - left, height - top);
        default -> put(turned, at, top, width - right, bottom, width - left);
      }
      format.fromXyxy(turned, at);
    }
    return quarters == 2 ? changed(turned, width, height) : changed(turned, height, width);
  }

  private static void put(float[] boxes, int at, float x1, float y1, float x2, float y2) {
    boxes[at] = x1;
    boxes[at + 1] = y1;
    boxes[at + 2] = x2;
    boxes[at + 3] = y2;
  }

  /** Returns the boxes around the mapped corners of these boxes. */
  BoundingBoxes mapped(PointMap map, int newWidth, int newHeight) {
    float[] mapped = numbers.clone();
    for (int at = 0; at < mapped.length; at += NUMBERS) {
      format.toXyxy(mapped, at);
      float left = Float.POSITIVE_INFINITY;
      float top = Float.POSITIVE_INFINITY;
      float right = Float.NEGATIVE_INFINITY;
      float bottom = Float.NEGATIVE_INFINITY;
      for (int corner = 0; corner < 4; corner++) {
        float cornerX = mapped[at + ((corner & 1) == 0 ? 0 : 2)];
        float cornerY = mapped[at + ((corner & 2) == 0 ? 1 : 3)];
        float x = map.x(cornerX, cornerY);
        float y = map.y(cornerX, cornerY);
        left = Math.min(left, x);
        top = Math.min(top, y);
        right = Math.max(right, x);
        bottom = Math.max(bottom, y);
      }
      put(mapped, at, left, top, right, bottom);
      format.fromXyxy(mapped, at);
    }
    return changed(mapped, newWidth, newHeight);
  }

  BoundingBoxes keepBoxes(BitSet kept, int count) {
    if (count != count()) {
      return this;
    }
    return new BoundingBoxes(
        FloatRows.kept(numbers, NUMBERS, kept), format, width, height, clamping);
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

  /** Returns (n, 4). */
  @Override
  public Shape shape() {
    return Shape.of(count(), NUMBERS);
  }

  /** Returns count, format and canvas, for example {@code BoundingBoxes[3 xyxy in 640 x 480]}. */
  @Override
  public String toString() {
    return "BoundingBoxes[%d %s in %d x %d]"
        .formatted(count(), format.name().toLowerCase(Locale.ROOT), width, height);
  }

  /** The meaning of the four numbers of a box, with torchvision's names. */
  public enum Format {
    /** Left, upper, right and lower edge. */
    XYXY,
    /** Left and upper edge, width and height, as in COCO. */
    XYWH,
    /** Column and row of the center, width and height, as in YOLO but in pixels. */
    CXCYWH;

    /** Converts a box to {@link #XYXY} in place, in torchvision's order of operations. */
    void toXyxy(float[] box, int at) {
      if (this == CXCYWH) {
        box[at] -= box[at + 2] / 2;
        box[at + 1] -= box[at + 3] / 2;
      }
      if (this != XYXY) {
        box[at + 2] += box[at];
        box[at + 3] += box[at + 1];
      }
    }

    /** Converts a box from {@link #XYXY} in place, in torchvision's order of operations. */
    void fromXyxy(float[] box, int at) {
      if (this != XYXY) {
        box[at + 2] -= box[at];
        box[at + 3] -= box[at + 1];
      }
      if (this == CXCYWH) {
        box[at] = (box[at] * 2 + box[at + 2]) / 2;
        box[at + 1] = (box[at + 1] * 2 + box[at + 3]) / 2;
      }
    }
  }
}
