package io.feedline.formats.image;

import io.feedline.data.Dataset;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.SampleParts.Part;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.internal.ClassNames;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A random transform that mixes a sample with other samples of a dataset. */
abstract class SampleMixture<S> implements RandomTransform<S, S> {

  private final Dataset<S> others;

  SampleMixture(Dataset<S> others) {
    this.others = Objects.requireNonNull(others, "others");
  }

  /** Returns a random sample; draws a seed for the dataset's own random transforms, too. */
  final S another(RandomGenerator random) throws Exception {
    if (others.size() < 1) {
      throw new IllegalStateException(
          "%s has no other samples: %s is empty".formatted(this, others));
    }
    long index = random.nextLong(others.size());
    return others.get(index, new SampleContext(random.nextLong(), 0, index));
  }

  final String inWords() {
    return ClassNames.of(others) + ", size=" + others.size();
  }

  final Image image(S sample) {
    return one(sample, Image.class);
  }

  final <P> P one(S sample, Class<P> type) {
    List<P> found = SampleParts.ofType(type, sample);
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "%s needs one %s in a sample, found %d in %s"
              .formatted(this, type.getSimpleName(), found.size(), ClassNames.ofType(sample)));
    }
    return found.get(0);
  }

  final S moved(S sample, Transform<Image, Image> operations) throws Exception {
    return JointTransform.<S>of(operations).apply(sample);
  }

  @SuppressWarnings("unchecked") // The new sample has the types of the old sample.
  final <P> S with(S sample, Class<P> type, P part) {
    List<Object> values =
        SampleParts.of(sample).stream()
            .map(Part::value)
            .map(value -> type.isInstance(value) ? part : value)
            .toList();
    return (S) SampleParts.rebuilt(sample, values.iterator());
  }

  /** Returns the first sample with other pixels and with the targets of all samples, in order. */
  @SuppressWarnings("unchecked") // The new sample has the types of the old sample.
  final S joined(List<S> samples, ImageSource pixels) {
    List<List<Part>> all = new ArrayList<>();
    samples.forEach(sample -> all.add(SampleParts.of(sample)));
    requireNoRows(samples);
    List<Part> first = all.get(0);
    List<Object> values = new ArrayList<>();
    for (int part = 0; part < first.size(); part++) {
      List<Object> column = new ArrayList<>();
      for (List<Part> parts : all) {
        column.add(parts.size() == first.size() ? parts.get(part).value() : null);
      }
      values.add(joined(first.get(part), column, pixels));
    }
    return (S) SampleParts.rebuilt(samples.get(0), values.iterator());
  }

  /** Throws an error if an entry other than a target has a row per box, which cannot be joined. */
  final void requireNoRows(List<S> samples) {
    Set<String> rows = new LinkedHashSet<>(SampleParts.lengths(samples.get(0)).keySet());
    for (S sample : samples) {
      Map<String, Long> lengths = SampleParts.lengths(sample);
      Set<Long> counts = counts(sample);
      rows.removeIf(path -> !counts.contains(lengths.get(path)));
    }
    if (!rows.isEmpty()) {
      String path = rows.iterator().next();
      throw JointTransform.rowsLeft(
          this, path, SampleParts.lengths(samples.get(0)).get(path).intValue());
    }
  }

  private static Set<Long> counts(Object sample) {
    Set<Long> counts = new HashSet<>();
    for (Part part : SampleParts.of(sample)) {
      if (part.value() instanceof BoundingBoxes boxes) {
        counts.add((long) boxes.count());
      } else if (part.value() instanceof InstanceMasks masks) {
        counts.add((long) masks.count());
      }
    }
    return counts;
  }

  private Object joined(Part part, List<Object> column, ImageSource pixels) {
    if (part.value() instanceof Image image) {
      return image.withPixels(pixels);
    }
    if (part.value() instanceof BoundingBoxes) {
      return BoundingBoxes.joined(all(BoundingBoxes.class, part, column));
    }
    if (part.value() instanceof BoxLabels) {
      return BoxLabels.joined(all(BoxLabels.class, part, column));
    }
    if (part.value() instanceof InstanceMasks) {
      return InstanceMasks.joined(all(InstanceMasks.class, part, column));
    }
    if (part.value() instanceof KeyPoints) {
      return KeyPoints.joined(all(KeyPoints.class, part, column));
    }
    throw new IllegalArgumentException(
        "%s joins an image, boxes, labels, points and instance masks; leave out %s"
            .formatted(this, part.named()));
  }

  private <P> List<P> all(Class<P> type, Part part, List<Object> column) {
    for (Object value : column) {
      if (!type.isInstance(value)) {
        throw new IllegalArgumentException(
            "%s found a sample without a counterpart of %s; all samples have the same parts"
                .formatted(this, part.named()));
      }
    }
    return column.stream().map(type::cast).toList();
  }

  /** Returns an image's pixels in the mode of the mixture, without its normalization. */
  final ImageSource pixels(S sample, ImageMode mode) {
    Image image = image(sample);
    if (!image.erased().isEmpty()) {
      throw new IllegalStateException(
          "%s mixes pixels, and RandomErasing comes last: put it behind, for %s"
              .formatted(this, image));
    }
    return image.bare().convert(mode).source();
  }

  final ImageMode mode(S sample) {
    Image image = image(sample);
    if (image.mode().bits() != 8) {
      throw new IllegalArgumentException(
          "%s mixes samples of 8 bits; put ConvertDtype.of(DType.UINT8) before it, for %s"
              .formatted(this, image));
    }
    return image.mode();
  }
}
