package io.feedline.formats.lmdb;

import io.feedline.batch.DType;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The description that a database of ours has of itself, under the key {@code __feedline__}, as
 * JSON in UTF-8:
 *
 * <pre>{@code
 * {"format":"feedline","version":1,"kind":"pictures","count":2,"classes":["cat","dog"]}
 * {"format":"feedline","version":1,"kind":"tensors","count":2,"fields":[
 *    {"name":"image","dtype":"uint8","shape":[3,-1,-1]},{"name":"label","dtype":"int64","shape":[]}]}
 * }</pre>
 *
 * <p>A length of -1 varies from sample to sample. Unknown entries are ignored; an entry that an
 * older reader must not ignore gets another version.
 *
 * @param kind what the samples are
 * @param count how many there are
 * @param classes the names of the classes, for images; may be empty
 * @param fields the tensors of a sample, for tensors
 */
record Metadata(Kind kind, long count, List<String> classes, List<TensorField> fields) {

  /** The form of samples. */
  enum Kind {
    /** Called pictures in databases, as in the first version. */
    IMAGES("pictures"),
    TENSORS("tensors");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    static Kind of(String text) {
      for (Kind kind : values()) {
        if (kind.text.equals(text)) {
          return kind;
        }
      }
      throw new IllegalArgumentException("there is no kind '" + text + "'");
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Sorts behind all keys that are numbers. */
  private static final byte[] KEY = "__feedline__".getBytes(StandardCharsets.US_ASCII);

  private static final String FORMAT = "feedline";
  private static final long VERSION = 1;

  Metadata {
    classes = List.copyOf(classes);
    fields = List.copyOf(fields);
  }

  /** The key, newly made. */
  static byte[] key() {
    return KEY.clone();
  }

  Metadata withCount(long newCount) {
    return new Metadata(kind, newCount, classes, fields);
  }

  byte[] toJson() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("format", FORMAT);
    object.put("version", VERSION);
    object.put("kind", kind.text);
    object.put("count", count);
    if (kind == Kind.IMAGES) {
      object.put("classes", classes);
    } else {
      object.put("fields", fieldsAsJson(fields));
    }
    return Json.write(object).getBytes(StandardCharsets.UTF_8);
  }

  /** The tensors of a sample as values of JSON. */
  static List<Object> fieldsAsJson(List<TensorField> fields) {
    List<Object> list = new ArrayList<>();
    for (TensorField field : fields) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("name", field.name());
      each.put("dtype", field.dtype().name().toLowerCase(Locale.ROOT));
      each.put("shape", field.shape());
      list.add(each);
    }
    return list;
  }

  /**
   * Reads the JSON.
   *
   * @throws IOException if it is not such metadata, of another version, or lacks something
   */
  static Metadata parse(byte[] json) throws IOException {
    String text = new String(json, StandardCharsets.UTF_8);
    try {
      Map<String, Object> object = Json.read(text);
      Object version = object.get("version");
      if (!FORMAT.equals(object.get("format")) || !Long.valueOf(VERSION).equals(version)) {
        throw new IllegalArgumentException(
            "format %s, version %s; this reads format %s, version %d"
                .formatted(object.get("format"), version, FORMAT, VERSION));
      }
      Kind kind = Kind.of(get(object, "kind", String.class));
      long count = get(object, "count", Long.class);
      if (count < 0) {
        throw new IllegalArgumentException("count is " + count);
      }
      List<String> classes = new ArrayList<>();
      List<TensorField> fields = List.of();
      if (kind == Kind.IMAGES) {
        for (Object each : get(object, "classes", List.class)) {
          classes.add((String) each);
        }
      } else {
        fields = fieldsOf(object);
      }
      return new Metadata(kind, count, classes, fields);
    } catch (IllegalArgumentException | ClassCastException | NullPointerException e) {
      throw new IOException("the metadata cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads {@link #fieldsAsJson} of the entry {@code fields}.
   *
   * @throws IllegalArgumentException if there is no such list
   * @throws ClassCastException if it is of something else
   */
  static List<TensorField> fieldsOf(Map<?, ?> object) {
    List<TensorField> fields = new ArrayList<>();
    for (Object each : get(object, "fields", List.class)) {
      fields.add(field((Map<?, ?>) each));
    }
    return fields;
  }

  private static TensorField field(Map<?, ?> object) {
    List<Long> shape = new ArrayList<>();
    for (Object length : get(object, "shape", List.class)) {
      shape.add((Long) length);
    }
    DType dtype = DType.valueOf(get(object, "dtype", String.class).toUpperCase(Locale.ROOT));
    return new TensorField(get(object, "name", String.class), dtype, shape);
  }

  private static <T> T get(Map<?, ?> object, String key, Class<T> type) {
    Object value = object.get(key);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "'%s' should be a %s, was %s".formatted(key, type.getSimpleName(), value));
    }
    return type.cast(value);
  }
}
