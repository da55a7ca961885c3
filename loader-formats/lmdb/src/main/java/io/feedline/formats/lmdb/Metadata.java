package io.feedline.formats.lmdb;

import io.feedline.batch.DType;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The description of a database in Feedline's layout, under the key {@code __feedline__}, as JSON
 * in UTF-8:
 *
 * <pre>{@code
 * {"format":"feedline","version":1,"kind":"images","count":2,"classes":["cat","dog"]}
 * {"format":"feedline","version":1,"kind":"tensors","count":2,"fields":[
 *    {"name":"image","dtype":"uint8","shape":[3,-1,-1]},{"name":"label","dtype":"int64","shape":[]}]}
 * }</pre>
 *
 * <p>A length of -1 varies from sample to sample. Unknown entries are ignored; an entry that older
 * readers must not ignore needs another version.
 *
 * @param classes the names of the classes, for images; may be empty
 * @param fields the fields of a sample, for tensors; empty for images
 */
record Metadata(Kind kind, long count, List<String> classes, List<TensorField> fields) {

  enum Kind {
    IMAGES,
    TENSORS;

    static Kind of(String text) {
      for (Kind kind : values()) {
        if (kind.toString().equals(text)) {
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

  /** The key of the metadata, which sorts behind all keys that are numbers. */
  private static final byte[] KEY = "__feedline__".getBytes(StandardCharsets.US_ASCII);

  private static final String FORMAT = "feedline";
  private static final long VERSION = 1;

  Metadata {
    classes = List.copyOf(classes);
    fields = List.copyOf(fields);
  }

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
    object.put("kind", kind.toString());
    object.put("count", count);
    if (kind == Kind.IMAGES) {
      object.put("classes", classes);
    } else {
      object.put("fields", fieldsAsJson(fields));
    }
    return Json.write(object).getBytes(StandardCharsets.UTF_8);
  }

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

  static Metadata parse(byte[] json) throws IOException {
    String text = new String(json, StandardCharsets.UTF_8);
    try {
      JsonMembers object = JsonMembers.read("its JSON", text);
      Object version = object.members().get("version");
      Object format = object.members().get("format");
      if (!FORMAT.equals(format) || !Long.valueOf(VERSION).equals(version)) {
        throw new IllegalArgumentException(
            "format %s, version %s; this reads format %s, version %d"
                .formatted(format, version, FORMAT, VERSION));
      }
      Kind kind = Kind.of(object.string("kind"));
      long count = object.whole("count", 0, Long.MAX_VALUE);
      return kind == Kind.IMAGES
          ? new Metadata(kind, count, object.strings("classes"), List.of())
          : new Metadata(kind, count, List.of(), fieldsOf(object));
    } catch (IllegalArgumentException e) {
      throw new IOException("the metadata cannot be read: " + e.getMessage(), e);
    }
  }

  /** Reads the member {@code fields}, which {@link #fieldsAsJson} makes; it must exist. */
  static List<TensorField> fieldsOf(JsonMembers object) {
    return object.objects("fields", Metadata::field);
  }

  private static TensorField field(JsonMembers object) {
    DType dtype = DType.valueOf(object.string("dtype").toUpperCase(Locale.ROOT));
    return new TensorField(object.string("name"), dtype, object.wholes("shape"));
  }
}
