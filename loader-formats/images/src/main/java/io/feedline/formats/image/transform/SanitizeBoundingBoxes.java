package io.feedline.formats.image.transform;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.util.BitSet;

/**
 * A transform that removes boxes which have become too small, or reach beyond the image:
 * torchvision's SanitizeBoundingBoxes. It works on the boxes of the sample, inside a {@link
 * io.feedline.formats.image.JointTransform}, and comes last there, after {@link RandomIoUCrop}.
 * Immutable and thread-safe.
 *
 * <p>A box that was cut off at an edge is within the image, also where its format is {@code XYWH}
 * or {@code CXCYWH}; torchvision removes such boxes where their rounding passes the edge.
 *
 * <p>With a box go its {@link io.feedline.formats.image.BoxLabels}, of which there may be several.
 * The box's instance mask and the points of its object are removed, too, if there is one for each
 * box; in torchvision points are removed when {@code labels_getter} names them. The image stays as
 * it is, and a sample may be left without boxes.
 */
public final class SanitizeBoundingBoxes extends Transforms.Value
    implements Transform<Image, Image> {
  private static final int ROUNDINGS = 4;

  private record Options(double minSize, double minArea) {
    Options {
      Sizes.checkRange("minSize", minSize, minSize, 1, Float.MAX_VALUE);
      Sizes.checkRange("minArea", minArea, minArea, 1, Float.MAX_VALUE);
    }
  }

  private final Options options;

  private SanitizeBoundingBoxes(Options options) {
    super(options);
    this.options = options;
  }

  /** Returns the transform that removes boxes below one pixel, in a side or in area. */
  public static SanitizeBoundingBoxes of() {
    return new SanitizeBoundingBoxes(new Options(1, 1));
  }

  /**
   * Returns the same transform with another shortest side, 1 or more, of a box that stays, in
   * pixels.
   */
  public SanitizeBoundingBoxes withMinSize(double minSize) {
    return with("minSize", minSize);
  }

  /**
   * Returns the same transform with another smallest area, 1 or more, of a box that stays, in
   * pixels.
   */
  public SanitizeBoundingBoxes withMinArea(double minArea) {
    return with("minArea", minArea);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the sample has no boxes, or another number of labels than
   *     of boxes
   */
  @Override
  public Image apply(Image image) {
    BoundingBoxes boxes = RequiredBoxes.of(image, this);
    float[] edges = boxes.convert(BoundingBoxes.Format.XYXY).toArray();
    BitSet kept = new BitSet();
    for (int i = 0; i < boxes.count(); i++) {
      kept.set(i, isValid(edges, 4 * i, image.width(), image.height()));
    }
    return image.keepBoxes(kept);
  }

  private boolean isValid(float[] edges, int at, int imageWidth, int imageHeight) {
    float left = edges[at];
    float top = edges[at + 1];
    float right = edges[at + 2];
    float bottom = edges[at + 3];
    float width = right - left;
    float height = bottom - top;
    boolean large =
        width >= (float) options.minSize
            && height >= (float) options.minSize
            && width * height >= (float) options.minArea;
    // A box that is large enough ends behind where it begins.
    return large && isWithin(left, right, imageWidth) && isWithin(top, bottom, imageHeight);
  }

  /** A box of middle and sides that was cut off at an edge may have passed it by its rounding. */
  private static boolean isWithin(float from, float to, int size) {
    float rounding = ROUNDINGS * Math.ulp((float) size);
    return from >= -rounding && to <= size + rounding;
  }
}
