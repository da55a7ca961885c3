package io.feedline.formats.store.internal.samples;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.TableColumn.Kind;
import io.feedline.internal.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table that contain the images, their labels and their keys. A column is the one
 * that the user names, or else the one that Hugging Face's description in the metadata names, or
 * else a column with a usual name.
 *
 * @param label null if there are no labels
 * @param key null if keys are the samples' numbers
 */
public record ImageColumns<C extends TableColumn>(
    C image, @Nullable C label, @Nullable C key, List<String> classes) {

  private static final String DESCRIPTION = "huggingface";

  private static final Set<String> IMAGES = Set.of("image", "img", "jpg", "jpeg", "png", "bytes");
  private static final Set<String> LABELS = Set.of("label", "labels", "class", "cls", "y");

  private static final String LABEL_TYPES =
      "labels are whole numbers or texts, one for each row; label-field names another column, and an empty one opens images without labels";

  /** The columns that the user names; null if the user names none, an empty label for no labels. */
  public record Wanted(@Nullable String image, @Nullable String label, @Nullable String key) {}

  /** Finds the columns; throws an exception if several columns may contain the images or labels. */
  public static <C extends TableColumn> ImageColumns<C> of(TableSchema<C> schema, Wanted wanted)
      throws FormatException {
    Map<String, Object> features = features(schema);
    C image = image(schema, wanted.image(), features);
    C label = label(schema, wanted.label(), features);
    C key = null;
    if (wanted.key() != null) {
      key = named(schema, wanted.key(), "key-field");
      require(schema.file(), key, "keys are texts, one for each row", Kind.BYTES, Kind.TEXT);
    }
    return new ImageColumns<>(
        image, label, key, label == null ? List.of() : classes(schema, features, label));
  }

  /** Finds each file's columns; fails if columns, types or classes differ between the files. */
  public static <C extends TableColumn> List<ImageColumns<C>> ofAll(
      List<? extends TableSchema<C>> schemas, Wanted wanted) throws FormatException {
    ImageColumns<C> first = of(schemas.get(0), wanted);
    List<ImageColumns<C>> columns = new ArrayList<>(List.of(first));
    for (TableSchema<C> schema : schemas.subList(1, schemas.size())) {
      ImageColumns<C> other = first.in(schema);
      if (!other.described().equals(first.described())) {
        throw FormatException.in(
            schema.file(),
            "its columns are %s, but those of %s are %s: write both with one schema"
                .formatted(other.described(), schemas.get(0).file(), first.described()));
      }
      if (!other.classes.equals(first.classes)) {
        throw FormatException.in(
            schema.file(),
            "its classes are %s, but those of %s are %s: labels would mean different things"
                .formatted(other.classes, schemas.get(0).file(), first.classes));
      }
      columns.add(other);
    }
    return columns;
  }

  private List<String> described() {
    return Stream.of(image, label, key)
        .filter(Objects::nonNull)
        .map(TableColumn::described)
        .toList();
  }

  private static List<String> described(Collection<? extends TableColumn> columns) {
    return columns.stream().map(TableColumn::described).toList();
  }

  private ImageColumns<C> in(TableSchema<C> schema) throws FormatException {
    return of(
        schema,
        new Wanted(
            image.name(), label == null ? "" : label.name(), key == null ? null : key.name()));
  }

  private static <C extends TableColumn> C image(
      TableSchema<C> schema, String wanted, Map<String, Object> features) throws FormatException {
    C found;
    if (wanted != null) {
      String bytes = wanted + ".bytes";
      found = named(schema, schema.leaves().containsKey(bytes) ? bytes : wanted, "image-field");
    } else {
      List<C> described = new ArrayList<>();
      List<C> structures = new ArrayList<>();
      List<C> usual = new ArrayList<>();
      for (C leaf : schema.leaves().values()) {
        boolean bytes = leaf.kind() == Kind.BYTES && !leaf.isRepeated();
        if (bytes && leaf.path().size() == 2 && leaf.path().get(1).equals("bytes")) {
          structures.add(leaf);
          if (isOfType(features, leaf.path().get(0), "Image")) {
            described.add(leaf);
          }
        } else if (bytes && leaf.path().size() == 1 && IMAGES.contains(leaf.name())) {
          usual.add(leaf);
        }
      }
      found =
          one(
              schema,
              described.isEmpty() ? structures.isEmpty() ? usual : structures : described,
              "the images",
              "image-field");
      if (found == null) {
        throw FormatException.in(
            schema.file(),
            "there is no column of images: a structure with 'bytes', or bytes called one of %s; image-field names another of %s"
                .formatted(IMAGES.stream().sorted().toList(), described(schema.leaves().values())));
      }
    }
    require(schema.file(), found, "encoded images are bytes, one for each row", Kind.BYTES);
    return found;
  }

  private static <C extends TableColumn> C label(
      TableSchema<C> schema, String wanted, Map<String, Object> features) throws FormatException {
    if (wanted != null && wanted.isEmpty()) {
      return null;
    }
    C found;
    if (wanted != null) {
      found = named(schema, wanted, "label-field");
    } else {
      List<C> described = new ArrayList<>();
      List<C> usual = new ArrayList<>();
      for (C leaf : schema.leaves().values()) {
        if (leaf.path().size() == 1 && isOfType(features, leaf.name(), "ClassLabel")) {
          described.add(leaf);
        }
        if (LABELS.contains(leaf.path().get(0)) && leaf.kind() != Kind.NOTHING) {
          usual.add(leaf);
        }
      }
      found =
          described.isEmpty()
              ? usualLabel(schema, usual)
              : one(schema, described, "the labels", "label-field");
    }
    if (found != null) {
      if (!found.isText() || found.isRepeated()) {
        require(schema.file(), found, LABEL_TYPES, Kind.INTEGER);
      }
    }
    return found;
  }

  private static <C extends TableColumn> C usualLabel(TableSchema<C> schema, List<C> usual)
      throws FormatException {
    Optional<C> label = usual.stream().filter(leaf -> leaf.name().equals("label")).findFirst();
    return label.isPresent() ? label.get() : one(schema, usual, "the labels", "label-field");
  }

  /** Returns the label's column if it contains integers, otherwise null. */
  public @Nullable C wholeLabel() {
    return label == null || label.kind() != Kind.INTEGER ? null : label;
  }

  /** Returns the label's column if it contains texts, otherwise null. */
  public @Nullable C textLabel() {
    return label == null || label.kind() == Kind.INTEGER ? null : label;
  }

  private static <C extends TableColumn> C one(
      TableSchema<C> schema, List<C> found, String what, String option) throws FormatException {
    if (found.size() > 1) {
      throw FormatException.in(
          schema.file(),
          "%s may be any of %s; %s names one".formatted(what, described(found), option));
    }
    return found.isEmpty() ? null : found.get(0);
  }

  private static <C extends TableColumn> C named(TableSchema<C> schema, String name, String option)
      throws FormatException {
    C leaf = schema.leaves().get(name);
    TableSchema.requireOne(schema.file(), schema.repeated(), name);
    if (leaf == null) {
      throw FormatException.in(
          schema.file(),
          "there is no column '%s', as %s says; there are %s"
              .formatted(name, option, described(schema.leaves().values())));
    }
    return leaf;
  }

  private static void require(Path file, TableColumn leaf, String expected, Kind... kinds)
      throws FormatException {
    if (!List.of(kinds).contains(leaf.kind()) || leaf.isRepeated()) {
      throw FormatException.in(file, "column %s: %s".formatted(leaf.described(), expected));
    }
  }

  private static Map<String, Object> features(TableSchema<?> schema) throws FormatException {
    String description = schema.text(DESCRIPTION);
    if (description == null) {
      return Map.of();
    }
    Object info;
    try {
      info = Json.read(description).get("info");
    } catch (IllegalArgumentException damaged) {
      throw FormatException.in(
          schema.file(),
          "the text '%s' of the metadata is not JSON: %s"
              .formatted(DESCRIPTION, damaged.getMessage()),
          damaged);
    }
    Object features = info instanceof Map<?, ?> map ? map.get("features") : null;
    return features instanceof Map<?, ?> map ? asNames(map) : Map.of();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> asNames(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }

  private static boolean isOfType(Map<String, Object> features, String column, String type) {
    return features.get(column) instanceof Map<?, ?> feature && type.equals(feature.get("_type"));
  }

  private static <C extends TableColumn> List<String> classes(
      TableSchema<C> schema, Map<String, Object> features, C label) throws FormatException {
    if (!isOfType(features, label.name(), "ClassLabel")
        || !(features.get(label.name()) instanceof Map<?, ?> feature)
        || !(feature.get("names") instanceof Collection<?> names)) {
      return List.of();
    }
    List<String> classes = new ArrayList<>();
    for (Object name : names) {
      if (!(name instanceof String text)) {
        throw FormatException.in(
            schema.file(),
            "the names of the classes of '%s' are texts, found %s".formatted(label.name(), name));
      }
      classes.add(text);
    }
    return classes;
  }
}
