package io.feedline.formats.image.transform;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.internal.Sizes;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.util.BitSet;

/**
 * A transform that removes boxes that are too small, or reach beyond the image: torchvision's
 * SanitizeBoundingBoxes. Use it as the last transform inside a {@link
 * io.feedline.formats.image.JointTransform}, after {@link RandomIoUCrop}. Immutable and
 * thread-safe.
 *
 * <p>A box that was cut off at an edge counts as within the image, also in the formats {@code XYWH}
 * and {@code CXCYWH}; torchvision removes such a box if rounding moves it beyond the edge.
 *
 * <p>The {@link io.feedline.formats.image.BoxLabels} of a removed box are removed, in all sets of
 * labels. The box's instance mask and the points of its object are removed, too, if the sample has
 * as many masks, or objects with points, as boxes; torchvision removes points if {@code
 * labels_getter} names them. The image stays unchanged. A sample may lose all of its boxes.
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

  /** Returns the transform that removes boxes with a side or an area below one pixel. */
  public static SanitizeBoundingBoxes of() {
    return new SanitizeBoundingBoxes(new Options(1, 1));
  }

  /**
   * Returns the same transform with another smallest side of a box to keep, in pixels, 1 or more.
   */
  public SanitizeBoundingBoxes withMinSize(double minSize) {
    return with("minSize", minSize);
  }

  /**
   * Returns the same transform with another smallest area of a box to keep, in pixels, 1 or more.
   */
  public SanitizeBoundingBoxes withMinArea(double minArea) {
    return with("minArea", minArea);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the sample has no boxes, or the numbers of labels and boxes
   *     differ
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
    // In a large box left < right and top < bottom, so one comparison for each edge is enough.
    return large && isWithin(left, right, imageWidth) && isWithin(top, bottom, imageHeight);
  }

  /**
   * Returns whether a box is within the image along an axis, with a tolerance: rounding may move
   * the edges of a clamped box in the format {@code CXCYWH} beyond the image's.
   */
  private static boolean isWithin(float from, float to, int size) {
    float rounding = ROUNDINGS * Math.ulp((float) size);
    return from >= -rounding && to <= size + rounding;
  }
}
