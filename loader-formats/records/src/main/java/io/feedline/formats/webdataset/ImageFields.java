package io.feedline.formats.webdataset;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import io.feedline.internal.Json;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A choice of the fields of a sample that are an image and its class. Immutable.
 *
 * <p>An example with a stream:
 *
 * <pre>{@code
 * ImageFields fields = ImageFields.DEFAULT;
 * IterableDataset<LabeledImage> images =
 *     WebDataset.builder(pattern).fields(fields::contains).stream().map(fields::labeledImage);
 * }</pre>
 */
public final class ImageFields {

  /** The default suffixes of images; an earlier suffix is preferred. */
  public static final List<String> SUFFIXES =
      List.of(
          "jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "ppm", "pgm", "pbm", "flc", "flr");

  /** Images with one of {@link #SUFFIXES}, and their class in {@code cls}. */
  public static final ImageFields DEFAULT =
      new ImageFields(SUFFIXES, "cls", List.of(), ClassList.NONE);

  private final List<String> suffixes;
  private final @Nullable String labelField;

  /** The keys that lead to the class in a JSON document; empty if the field is the class itself. */
  private final List<String> labelPath;

  private final ClassList classes;

  private ImageFields(
      List<String> suffixes, String labelField, List<String> labelPath, ClassList classes) {
    this.suffixes = suffixes;
    this.labelField = labelField;
    this.labelPath = labelPath;
    this.classes = classes;
  }

  /**
   * Returns these fields with other suffixes of images.
   *
   * @param suffixes the suffixes, without a leading dot, for example {@code left.png}; the first
   *     suffix for which a sample has a field is its image
   * @throws IllegalArgumentException if no suffix is given
   */
  public ImageFields withSuffixes(String... suffixes) {
    if (suffixes.length == 0) {
      throw new IllegalArgumentException("there must be at least one suffix");
    }
    List<String> lowerCase =
        List.of(suffixes).stream().map(suffix -> suffix.toLowerCase(Locale.ROOT)).toList();
    return new ImageFields(lowerCase, labelField, labelPath, classes);
  }

  /** Returns these fields with the class in a field of a decimal number, such as {@code cls}. */
  public ImageFields withLabel(String suffix) {
    return new ImageFields(suffixes, Objects.requireNonNull(suffix, "suffix"), List.of(), classes);
  }

  /**
   * Returns these fields with the class in a JSON document: a number, or one of the names of {@link
   * #withClasses}.
   *
   * @param suffix the suffix of the document, such as {@code json}
   * @param path the keys in objects, and the positions in arrays from 0, that lead to the class; at
   *     least one
   * @throws IllegalArgumentException if the path is empty
   */
  public ImageFields withLabelFromJson(String suffix, String... path) {
    if (path.length == 0) {
      throw new IllegalArgumentException("the path to the label in the JSON document is empty");
    }
    return new ImageFields(
        suffixes, Objects.requireNonNull(suffix, "suffix"), List.of(path), classes);
  }

  /** Returns these fields without the class: every label is {@link EncodedImage#NO_LABEL}. */
  public ImageFields withoutLabels() {
    return new ImageFields(suffixes, null, List.of(), classes);
  }

  /** Returns these fields with the names of the classes, by index. */
  public ImageFields withClasses(List<String> classes) {
    return withClasses(new ClassList(classes, 0));
  }

  /** Returns these fields with a list of classes, whose first label may differ from 0. */
  ImageFields withClasses(ClassList list) {
    return new ImageFields(suffixes, labelField, labelPath, list);
  }

  /** Returns the names of the classes, by index; empty if they are not known. */
  public List<String> classes() {
    return classes.names();
  }

  /**
   * Returns whether a field is the image or its class; other fields of a sample need not be read.
   */
  public boolean contains(String suffix) {
    return isLabel(suffix) || suffixes.contains(suffix);
  }

  boolean isLabel(String suffix) {
    return suffix.equals(labelField);
  }

  /**
   * Returns the image of a sample and its class.
   *
   * @throws FormatException if a field is missing, or the class is not a number or a known name
   */
  public EncodedImage image(WebSample sample) throws FormatException {
    return image(sample, sample.fields().keySet());
  }

  /** Returns the image; an error names the fields that are present, even fields not read. */
  EncodedImage image(WebSample sample, Set<String> present) throws FormatException {
    String suffix =
        imageIn(sample.fields().keySet())
            .orElseThrow(
                () ->
                    missing(sample, present, "none of the fields %s is there".formatted(suffixes)));
    return new EncodedImage(sample.key(), sample.bytes(suffix), label(sample, present));
  }

  Optional<String> imageIn(Set<String> present) {
    return suffixes.stream().filter(present::contains).findFirst();
  }

  /**
   * Returns the image of a sample, not decoded, and its class. For other options of decoding, make
   * an {@link Image#ofEncoded(byte[], String, DecodeOptions) Image} of {@link #image}.
   *
   * @throws IOException if a field is missing or broken
   */
  public LabeledImage labeledImage(WebSample sample) throws IOException {
    EncodedImage image = image(sample);
    String description = "%s, sample '%s'".formatted(sample.shard(), Names.shown(sample.key()));
    return new LabeledImage(Image.ofEncoded(image.bytes(), description), image.label());
  }

  int label(WebSample sample, Set<String> present) throws FormatException {
    if (labelField == null) {
      return EncodedImage.NO_LABEL;
    }
    if (!sample.has(labelField)) {
      throw missing(
          sample,
          present,
          "no field '%s' for its class; withoutLabels() does without".formatted(labelField));
    }
    return labelPath.isEmpty() ? index(sample, sample.integer(labelField)) : labelFromJson(sample);
  }

  private int index(WebSample sample, long stored) throws FormatException {
    try {
      return classes.index(stored);
    } catch (FormatException noClass) {
      throw noClass.at(place(sample));
    }
  }

  private int labelFromJson(WebSample sample) throws FormatException {
    Object value;
    try {
      value = Json.readValue(sample.text(labelField));
    } catch (IllegalArgumentException e) {
      throw new FormatException(
          "%s: the field '%s' is not JSON: %s".formatted(place(sample), labelField, e.getMessage()),
          e);
    }
    for (String step : labelPath) {
      value = member(value, step);
    }
    if (value instanceof Long number) {
      return index(sample, number);
    }
    if (value instanceof String name && classes.names().contains(name)) {
      return classes.names().indexOf(name);
    }
    throw new FormatException(
        "%s: %s in the field '%s' should be a number%s, found %s"
            .formatted(
                place(sample),
                String.join(".", labelPath),
                labelField,
                classes.names().isEmpty() ? "" : " or the name of a class",
                Names.shown(String.valueOf(value))));
  }

  private static Object member(Object value, String step) {
    if (value instanceof Map<?, ?> map) {
      return map.get(step);
    }
    if (value instanceof List<?> list && step.matches("[0-9]{1,9}")) {
      int position = Integer.parseInt(step);
      return position < list.size() ? list.get(position) : null;
    }
    return null;
  }

  private static FormatException missing(WebSample sample, Set<String> present, String reason) {
    return new FormatException(
        "%s with fields %s: %s".formatted(place(sample), new TreeSet<>(present), reason));
  }

  private static String place(WebSample sample) {
    return "%s: sample '%s'".formatted(sample.shard(), Names.shown(sample.key()));
  }
}
