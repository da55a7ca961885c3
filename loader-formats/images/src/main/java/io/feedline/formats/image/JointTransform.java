package io.feedline.formats.image;

import io.feedline.data.Dataset;
import io.feedline.formats.image.SampleParts.Part;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.internal.ClassNames;
import io.feedline.internal.ReadMeter;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * Transforms of images, applied to whole samples: the image and its targets are changed together,
 * as torchvision's v2 changes them.
 *
 * <pre>{@code
 * Dataset<Detected> augmented =
 *     samples.map(
 *         JointTransform.of(
 *             RandomIoUCrop.of()
 *                 .andThen(RandomHorizontalFlip.of())
 *                 .andThen(RandomPhotometricDistort.of())
 *                 .andThen(Resize.of(48, 64))
 *                 .andThen(SanitizeBoundingBoxes.of())));
 * }</pre>
 *
 * <p>A sample is a record, a map, a list or an array, nested as {@link
 * io.feedline.batch.Collator#defaults} accepts, or an image alone. Its parts are found by their
 * types: {@link Image}, {@link Mask}, {@link InstanceMasks}, {@link BoundingBoxes}, {@link
 * KeyPoints} and {@link BoxLabels}; everything else stays as it is. The transform is applied once,
 * to the first image, and draws its random numbers once. Each operation on the first image is
 * passed on to all other parts, and each part applies the operation as its kind requires. So every
 * transform that is made of the operations of {@code Image} works on targets: compositions, {@code
 * RandomApply}, {@code RandomChoice}, and your own.
 *
 * <ul>
 *   <li>Every operation is applied to further images. A further image has the size of the first
 *       image, or a whole number of times its width and height: then crops and other geometric
 *       operations are scaled, as needed for pairs in super-resolution. Changes of pixels are not
 *       scaled: a blur has the same radius in both images, and {@code AugMix} moves both by the
 *       same number of pixels. Each image keeps its own {@link ImageMode}: a depth map of 16 bits
 *       is moved with its picture, but {@code ColorJitter} and a {@code Normalize} of three
 *       channels refuse it. Apply these to the picture alone.
 *   <li>Geometric operations are applied to masks, by the nearest pixel, and move boxes and points.
 *       All of these must have the size of the first image.
 *   <li>When boxes are removed, their {@link BoxLabels} are removed. If another array, list or
 *       tensor has as many elements as there were boxes, that is an error: make it {@code
 *       BoxLabels}.
 * </ul>
 *
 * <p>The result is a sample of the same type; a record is made by its canonical constructor.
 * Nothing is decoded. A composition draws the same numbers as for images alone, so a pipeline makes
 * the same crops with and without targets.
 *
 * <p>A transform that makes a new image from {@code pixels()} loses the targets, which is an error;
 * {@link Image#map} changes pixels and keeps the targets.
 */
public final class JointTransform {

  private JointTransform() {}

  /**
   * Returns the transform of samples that applies a random transform of images. Thread-safe if the
   * transform of images is. Applying it throws {@link IllegalArgumentException} for a sample
   * without an image, or with parts whose sizes do not fit each other; the message names the entry.
   *
   * @param <S> a sample
   */
  public static <S> RandomTransform<S, S> of(RandomTransform<Image, Image> transform) {
    return new JointRandom<>(transform);
  }

  /**
   * Returns the transform of samples that applies a transform of images; see {@link
   * #of(RandomTransform)}.
   */
  public static <S> Transform<S, S> of(Transform<Image, Image> transform) {
    return new JointPure<>(transform);
  }

  /**
   * Returns the transform that joins a sample and three others to one, around a point of a canvas:
   * YOLO's mosaic ("YOLOv4: Optimal Speed and Accuracy of Object Detection", Bochkovskiy et al.,
   * 2020), by the rules of MMDetection's {@code Mosaic}.
   *
   * <p>Each image is scaled to fit {@code size} x {@code size}, keeping its ratio. The canvas has
   * {@code 2 * size} columns and rows; the images meet at a point at 0.5 to 1.5 of {@code size} in
   * both directions. The sample's own image is at the upper left of the point, the others are at
   * the upper right, lower left and lower right. Parts of images beyond the canvas are cut off, and
   * empty places are gray (114). Add a {@code RandomAffine}, or a {@code RandomCrop} to {@code
   * size}, after this transform, and then {@code SanitizeBoundingBoxes}, since boxes that were cut
   * away stay with an area of 0.
   *
   * <p>A sample has one image of 8 bits, and any of boxes, labels, instance masks and points; the
   * result has the targets of all four samples. Only the visible parts are decoded. Thread-safe if
   * the dataset is. Draws the three samples, then the point. Random transforms of {@code others}
   * draw from seeds that this transform draws. Applying the transform throws {@link
   * IllegalArgumentException} for samples that do not have the same parts, or have a {@link Mask}.
   *
   * @param others the dataset from which the three samples are drawn, usually the dataset to map
   * @param size the side of the square that each image is scaled to, 1 or more
   * @param <S> a sample
   * @throws IllegalArgumentException if the size is out of range
   */
  public static <S> RandomTransform<S, S> mosaic(Dataset<S> others, int size) {
    return new Mosaic<>(others, size);
  }

  /**
   * Returns the transform that pastes objects of another sample over a sample, by the rules of
   * {@code SimpleCopyPaste} of torchvision's references/detection ("Simple Copy-Paste is a Strong
   * Data Augmentation Method for Instance Segmentation", Ghiasi et al., 2021), which pairs the
   * samples of a batch; this transform draws the other sample from a dataset.
   *
   * <p>Of the other sample's n objects, n are drawn with replacement. The drawn objects are scaled
   * with their image to the sample's size, and pasted. With {@code blending} the pasted area is two
   * pixels wider on each side, as in the reference. Masks of the sample lose their covered pixels.
   * Objects without a remaining pixel are removed; the other objects' boxes become the boxes around
   * their masks, up to the last pixel. Boxes without an area are removed, too. Masks are painted in
   * this transform, pixels are decoded later.
   *
   * <p>A sample has one image of 8 bits, one {@link BoundingBoxes}, one {@link InstanceMasks} with
   * a mask for each box, and any {@link BoxLabels}. Thread-safe if the dataset is. Random
   * transforms of {@code others}, such as a {@code ScaleJitter}, draw from seeds that this
   * transform draws. Applying the transform throws {@link IllegalArgumentException} for samples
   * with other parts.
   *
   * @param others the dataset from which the other sample is drawn, usually the dataset to map
   * @param blending whether the pasted area is wider; true in the reference by default
   * @param <S> a sample
   */
  public static <S> RandomTransform<S, S> copyPaste(Dataset<S> others, boolean blending) {
    return new CopyPaste<>(others, blending);
  }

  /**
   * Returns the transform that mixes the pixels of a sample and another sample, with the targets of
   * both: mixup for detection ("Bag of Freebies for Training Object Detection Neural Networks",
   * Zhang et al., 2019), as GluonCV does it.
   *
   * <p>Both images lie in the upper left corner of a canvas that is large enough for both. A pixel
   * is {@code share * own + (1 - share) * other} in float32, rounded down; pixels outside an image
   * count as black. The share is drawn from Beta(alpha, alpha), after the other sample; labels are
   * not weighted by the share. Samples have the parts that {@link #mosaic} requires.
   *
   * @param others the dataset from which the other sample is drawn, usually the dataset to map
   * @param alpha above 0; 1.5 in the paper
   * @param <S> a sample
   * @throws IllegalArgumentException if alpha is not above 0 and finite
   */
  public static <S> RandomTransform<S, S> mixUp(Dataset<S> others, double alpha) {
    return new BoxMixUp<>(others, alpha);
  }

  private record JointRandom<S>(RandomTransform<Image, Image> transform)
      implements RandomTransform<S, S> {
    JointRandom {
      Objects.requireNonNull(transform, "transform");
    }

    @Override
    public S apply(S sample, RandomGenerator random) throws Exception {
      return transformed(sample, image -> transform.apply(image, random), transform);
    }

    @Override
    public String toString() {
      return "JointTransform(%s)".formatted(transform);
    }
  }

  private record JointPure<S>(Transform<Image, Image> transform) implements Transform<S, S> {
    JointPure {
      Objects.requireNonNull(transform, "transform");
    }

    @Override
    public S apply(S sample) throws Exception {
      return transformed(sample, transform, transform);
    }

    @Override
    public String toString() {
      return "JointTransform(%s)".formatted(transform);
    }
  }

  @SuppressWarnings("unchecked") // The new sample has the types of the old sample.
  private static <S> S transformed(S sample, Transform<Image, Image> transform, Object named)
      throws Exception {
    List<Part> parts = SampleParts.of(sample);
    int first = indexOfFirstImage(parts, sample);
    Image leading = (Image) parts.get(first).value();
    if (parts.size() == 1) {
      List<Image> alone = List.of(applied(transform, leading, named));
      return (S) SampleParts.rebuilt(sample, alone.iterator());
    }
    LinkedTargets targets = linkedTargets(parts, first);
    List<Object> others = leading.linkedTargets().all();
    Image joined = leading.withTargets(leading.linkedTargets().and(targets));
    Image result = applied(transform, joined, named);
    if (result == joined) {
      return sample;
    }
    List<Object> changed = result.linkedTargets().all();
    if (changed.size() != others.size() + targets.all().size()) {
      throw new IllegalStateException(
          "%s was given %s with %d targets or further images and returned an image without them: it made a new one. Build it out of the operations of Image, which pass them on"
              .formatted(named, parts.get(first).named(), targets.all().size()));
    }
    // Targets that the image had before this transform are those of an enclosing sample.
    Image detached = result.withTargets(LinkedTargets.of(changed.subList(0, others.size())));
    List<Object> own = changed.subList(others.size(), changed.size());
    List<Object> values = values(detached, first, own);
    requireNoRowsLeft(sample, parts, values, named);
    return (S) SampleParts.rebuilt(sample, values.iterator());
  }

  /** Throws an error if the number of boxes changed and another entry has a row per former box. */
  private static void requireNoRowsLeft(
      Object sample, List<Part> parts, List<Object> values, Object named) {
    for (int i = 0; i < values.size(); i++) {
      if (parts.get(i).value() instanceof BoundingBoxes before
          && values.get(i) instanceof BoundingBoxes after
          && before.count() != after.count()) {
        SampleParts.lengths(sample)
            .forEach(
                (path, length) -> {
                  if (length == before.count()) {
                    throw rowsLeft(named, path, before.count());
                  }
                });
      }
    }
  }

  /**
   * Returns the exception for an entry that would keep its rows while the number of boxes changes.
   */
  static IllegalArgumentException rowsLeft(Object named, String path, int boxes) {
    return new IllegalArgumentException(
        "%s changes the number of boxes, and entry '%s' would keep its length of %d, that of the boxes before: make it BoxLabels.of(...), of names their numbers; or put it into a record of its own if it is not about the boxes"
            .formatted(named, path, boxes));
  }

  private static Image applied(Transform<Image, Image> transform, Image image, Object named)
      throws Exception {
    int before = ReadMeter.transform(named);
    Image result = transform.apply(image);
    ReadMeter.transformed(before);
    return result;
  }

  private static int indexOfFirstImage(List<Part> parts, Object sample) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).value() instanceof Image) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "a joint transform needs an image in the sample, found %s in %s"
            .formatted(
                parts.isEmpty()
                    ? "neither that nor targets"
                    : parts.stream().map(Part::named).toList(),
                ClassNames.ofType(sample)));
  }

  private static LinkedTargets linkedTargets(List<Part> parts, int first) {
    Image leading = (Image) parts.get(first).value();
    List<Object> others = new ArrayList<>(parts.size() - 1);
    for (int i = 0; i < parts.size(); i++) {
      if (i == first) {
        continue;
      }
      Part part = parts.get(i);
      Object target =
          part.value() instanceof Image image ? ScaledImage.of(image, leading) : part.value();
      LinkedTargets.requireSize(
          "%s does not go with %s".formatted(part.named(), parts.get(first).named()),
          target,
          leading);
      others.add(target);
    }
    return LinkedTargets.of(others);
  }

  private static List<Object> values(Image result, int first, List<Object> changed) {
    List<Object> values = new ArrayList<>(changed.size() + 1);
    Iterator<Object> others = changed.iterator();
    for (int i = 0; i <= changed.size(); i++) {
      if (i == first) {
        values.add(result);
      } else {
        Object target = others.next();
        values.add(target instanceof ScaledImage scaled ? scaled.image() : target);
      }
    }
    return values;
  }
}
