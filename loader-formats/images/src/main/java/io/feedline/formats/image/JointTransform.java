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
 * io.feedline.batch.Collator#defaults} takes them, or an image alone. Its parts are found by their
 * types: {@link Image}, {@link Mask}, {@link InstanceMasks}, {@link BoundingBoxes}, {@link
 * KeyPoints} and {@link BoxLabels}; everything else stays as it is. The first image leads: the
 * transform is applied to it once, with its draws, and each operation is passed on to all other
 * parts, which carry it out by their kinds. So every transform that is made of the operations of
 * {@code Image} works on targets: compositions, {@code RandomApply}, {@code RandomChoice}, and your
 * own.
 *
 * <ul>
 *   <li>Further images take every operation. Further images have the size of the first, or a whole
 *       number of times its width and height: then crops and the rest are scaled, as a pair for
 *       super-resolution needs it. Changes of pixels are not scaled: a blur has the same radius in
 *       both, and {@code AugMix} moves both by the same number of pixels. Each image keeps its own
 *       {@link ImageMode}: a depth map of 16 bits beside a picture goes where that goes, but not
 *       through {@code ColorJitter} or a {@code Normalize} of three channels. Apply these to the
 *       picture alone.
 *   <li>Masks take geometric operations, with the nearest pixel. Boxes and points are moved. All of
 *       them must have the size of the first image.
 *   <li>{@link BoxLabels} lose those of boxes that are removed. An array, a list or a tensor that
 *       has as many elements as there were boxes is then an error: make it {@code BoxLabels}.
 * </ul>
 *
 * <p>The result is a sample of the same type; a record is made by its canonical constructor.
 * Nothing is decoded. A composition draws what it draws for images alone, so a pipeline gives the
 * same crops with targets and without.
 *
 * <p>An image that is made anew out of {@code pixels()} has lost its targets, which is an error;
 * {@link Image#map} changes pixels without that.
 */
public final class JointTransform {

  private JointTransform() {}

  /**
   * Returns the transform of samples that applies a random transform of images. Thread-safe if that
   * is. It throws {@link IllegalArgumentException}, which names the entry, for a sample without an
   * image, or with parts whose sizes do not go together.
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
   * Returns the transform that puts a sample and three others into one, around a point of a canvas:
   * YOLO's mosaic ("YOLOv4: Optimal Speed and Accuracy of Object Detection", Bochkovskiy et al.,
   * 2020), by the rules of MMDetection's {@code Mosaic}.
   *
   * <p>Each image is scaled to fit {@code size} x {@code size}, keeping its ratio. The canvas has
   * {@code 2 * size} columns and rows; the images meet at a point that lies at 0.5 to 1.5 of {@code
   * size} in both directions, the sample's own left above it, the others right above, left below
   * and right below. What lies beyond the canvas is cut off, and what stays empty is gray (114).
   * Follow it by a {@code RandomAffine}, or a {@code RandomCrop} to {@code size}, and by {@code
   * SanitizeBoundingBoxes}, since boxes that were cut away stay without an area.
   *
   * <p>A sample has one image of 8 bits, and any of boxes, labels, instance masks and points; the
   * result has the targets of all four samples. Only the visible parts are decoded. Thread-safe if
   * the dataset is; draws the three samples, then the point. Random transforms of {@code others}
   * draw from seeds that this transform draws. It throws {@link IllegalArgumentException} for
   * samples that do not have the same parts, or have a {@link Mask}.
   *
   * @param others from which the three are drawn: mostly the dataset that is mapped
   * @param size the sides that images are scaled to, 1 or more
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
   * samples of a batch, while this transform draws the other sample from a dataset.
   *
   * <p>From the other sample's n objects n are drawn, with replacement, and the drawn objects are
   * pasted, scaled to the sample's size with the image. With {@code blending} the pasted area is
   * two pixels wider on each side, as there. Masks lose their covered pixels, objects without a
   * remaining pixel are removed, and the other boxes are set anew around their masks, to the last
   * pixel; boxes without an area are removed, too. Masks are painted in this transform, pixels are
   * decoded later.
   *
   * <p>A sample has one image of 8 bits, one {@link BoundingBoxes} and one {@link InstanceMasks},
   * as many as boxes, and any {@link BoxLabels}. Thread-safe if the dataset is. Random transforms
   * of {@code others}, such as a {@code ScaleJitter}, draw from seeds that this one draws. It
   * throws {@link IllegalArgumentException} for samples with other parts.
   *
   * @param others from which the other sample is drawn: mostly the dataset that is mapped
   * @param blending true is the reference's default
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
   * <p>Both images lie in the upper left corner of a canvas that holds both; a pixel is {@code
   * share * own + (1 - share) * other} in float32, rounded down, black where an image does not
   * reach. The share is drawn from Beta(alpha, alpha), after the other sample; labels are not
   * weighed by it. Samples are as for {@link #mosaic}.
   *
   * @param others from which the other sample is drawn: mostly the dataset that is mapped
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

  @SuppressWarnings("unchecked") // A sample is made anew with the types that it had.
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
    // Targets that the image had before belong to an enclosing sample.
    Image detached = result.withTargets(LinkedTargets.of(changed.subList(0, others.size())));
    List<Object> own = changed.subList(others.size(), changed.size());
    List<Object> values = values(detached, first, own);
    requireNoRowsLeft(sample, parts, values, named);
    return (S) SampleParts.rebuilt(sample, values.iterator());
  }

  /** Checks that no other part of a sample has a row for each former box. */
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

  /** For an entry that would keep its rows while the number of boxes changes. */
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
