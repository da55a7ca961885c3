package io.feedline.formats.tfrecord;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.internal.Counts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@code tf.train.Example}: features by name, as TensorFlow keeps samples in TFRecord files.
 *
 * <pre>{@code
 * Example example = Example.parse(record);
 * byte[] jpeg = example.bytes("image/encoded");
 * long label = example.int64("image/class/label");
 * }</pre>
 *
 * <p>Parsing finds where the features are; their values are read when they are asked for, so an
 * image among twenty features costs no more than an image alone. Immutable and thread-safe.
 *
 * <h2>Layout</h2>
 *
 * <p>tensorflow/core/example/example.proto and feature.proto, in protocol buffers:
 *
 * <pre>
 *   Example   { Features features = 1; }
 *   Features  { map&lt;string, Feature&gt; feature = 1; }     an entry is { key = 1; value = 2; }
 *   Feature   { BytesList = 1 | FloatList = 2 | Int64List = 3 }
 *   a list    { repeated value = 1, packed or not }
 * </pre>
 *
 * <p>Other fields are ignored. If a name occurs twice, the last feature is read, as in protocol
 * buffers.
 */
public final class Example {

  private static final int FEATURES = 1;
  private static final int ENTRY = 1;
  private static final int KEY = 1;
  private static final int VALUE = 2;
  private static final int BYTES_LIST = 1;
  private static final int FLOAT_LIST = 2;
  private static final int INT64_LIST = 3;
  private static final int LIST_VALUE = 1;

  record Extent(int from, int to) {}

  private final byte[] array;
  private final @Nullable PartialRecord record;

  private final Map<String, Extent> features;
  private final int from;

  private Example(
      byte[] array, @Nullable PartialRecord record, int from, Map<String, Extent> features) {
    this.array = array;
    this.record = record;
    this.from = from;
    this.features = features;
  }

  /**
   * Parses a serialised example.
   *
   * @param record the whole example; not copied, so the array must not be changed afterwards
   * @throws FormatException if it is not an example
   */
  public static Example parse(byte[] record) throws FormatException {
    return parse(record, 0, record.length);
  }

  static Example parse(byte[] array, int from, int to) throws FormatException {
    return parse(array, null, from, to);
  }

  static Example parse(PartialRecord record) throws FormatException {
    return parse(record.array(), record, record.from(), record.to());
  }

  private static Example parse(byte[] array, @Nullable PartialRecord record, int from, int to)
      throws FormatException {
    Map<String, Extent> features = new LinkedHashMap<>();
    ProtoReader example = new ProtoReader(array, record, from, to);
    while (example.nextField()) {
      if (!example.is(FEATURES, ProtoReader.BYTES)) {
        example.skip();
        continue;
      }
      ProtoReader list = example.message();
      while (list.nextField()) {
        if (list.is(ENTRY, ProtoReader.BYTES)) {
          readEntry(list.message(), features);
        } else {
          list.skip();
        }
      }
    }
    return new Example(array, record, from, features);
  }

  private static void readEntry(ProtoReader entry, Map<String, Extent> features)
      throws FormatException {
    String key = "";
    Extent value = new Extent(0, 0);
    while (entry.nextField()) {
      if (entry.is(KEY, ProtoReader.BYTES)) {
        key = new String(entry.message().rest(), UTF_8);
      } else if (entry.is(VALUE, ProtoReader.BYTES)) {
        ProtoReader message = entry.message();
        value = new Extent(message.position(), message.end());
      } else {
        entry.skip();
      }
    }
    features.put(key, value);
  }

  /** Returns a builder of an example without features. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the names of the features, in the order of the record. */
  public Set<String> names() {
    return Collections.unmodifiableSet(features.keySet());
  }

  /** Returns whether there is a feature of this name, even without values. */
  public boolean has(String name) {
    return features.containsKey(name);
  }

  /**
   * Returns a feature.
   *
   * @return the feature; an empty {@link Feature.Bytes} if the record does not state the feature's
   *     kind
   * @throws FormatException if no feature has this name, or its values are broken
   */
  public Feature feature(String name) throws FormatException {
    Extent extent = features.get(name);
    if (extent == null) {
      throw new FormatException(
          "there is no feature %s; there are %s".formatted(name, features.keySet()));
    }
    Feature feature = new Feature.Bytes(List.of());
    ProtoReader message = new ProtoReader(array, record, extent.from(), extent.to());
    try {
      while (message.nextField()) {
        if (message.is(BYTES_LIST, ProtoReader.BYTES)) {
          feature = bytesList(message.message());
        } else if (message.is(FLOAT_LIST, ProtoReader.BYTES)) {
          feature = floatList(message.message());
        } else if (message.is(INT64_LIST, ProtoReader.BYTES)) {
          feature = int64List(message.message());
        } else {
          message.skip();
        }
      }
      return feature;
    } catch (FormatException broken) {
      throw new FormatException(
          "feature %s, which begins at byte %d: %s"
              .formatted(name, extent.from() - from, broken.getMessage()),
          broken);
    }
  }

  private static Feature bytesList(ProtoReader list) throws FormatException {
    List<byte[]> values = new ArrayList<>(1);
    while (list.nextField()) {
      if (list.is(LIST_VALUE, ProtoReader.BYTES)) {
        values.add(list.message().rest());
      } else {
        list.skip();
      }
    }
    return new Feature.Bytes(values);
  }

  /**
   * Returns the place of the only value of a feature of bytes; null if there is no such feature, or
   * it is of another kind or size.
   */
  @Nullable Extent place(String name) throws FormatException {
    Extent extent = features.getOrDefault(name, new Extent(0, 0));
    ProtoReader message = new ProtoReader(array, record, extent.from(), extent.to());
    Extent place = null;
    int found = 0;
    while (message.nextField()) {
      if (!message.is(BYTES_LIST, ProtoReader.BYTES)) {
        return null;
      }
      ProtoReader list = message.message();
      while (list.nextField()) {
        if (list.is(LIST_VALUE, ProtoReader.BYTES)) {
          ProtoReader value = list.message();
          place = new Extent(value.position(), value.end());
          found++;
        } else {
          list.skip();
        }
      }
    }
    return found == 1 ? place : null;
  }

  private static Feature floatList(ProtoReader list) throws FormatException {
    float[] values = new float[1];
    int size = 0;
    while (list.nextField()) {
      if (list.is(LIST_VALUE, ProtoReader.BYTES)) {
        ProtoReader packed = list.message();
        int bytes = packed.end() - packed.position();
        if (bytes % Float.BYTES != 0) {
          throw packed.broken("a list of floats has %d bytes".formatted(bytes));
        }
        values = Arrays.copyOf(values, Math.max(1, size + bytes / Float.BYTES));
        while (!packed.atEnd()) {
          values[size++] = packed.float32();
        }
      } else if (list.is(LIST_VALUE, ProtoReader.FIXED32)) {
        values = size < values.length ? values : Arrays.copyOf(values, 2 * size);
        values[size++] = list.float32();
      } else {
        list.skip();
      }
    }
    return new Feature.Floats(Arrays.copyOf(values, size));
  }

  private static Feature int64List(ProtoReader list) throws FormatException {
    long[] values = new long[1];
    int size = 0;
    while (list.nextField()) {
      if (list.is(LIST_VALUE, ProtoReader.BYTES)) {
        ProtoReader packed = list.message();
        while (!packed.atEnd()) {
          values = size < values.length ? values : Arrays.copyOf(values, 2 * size);
          values[size++] = packed.varint();
        }
      } else if (list.is(LIST_VALUE, ProtoReader.VARINT)) {
        values = size < values.length ? values : Arrays.copyOf(values, 2 * size);
        values[size++] = list.varint();
      } else {
        list.skip();
      }
    }
    return new Feature.Int64s(Arrays.copyOf(values, size));
  }

  /**
   * Returns the only value of a feature of bytes.
   *
   * @return an array of the caller's own
   * @throws FormatException if there is no such feature, or it is of another kind or size
   */
  public byte[] bytes(String name) throws FormatException {
    return single(name, Feature.Bytes.class, "bytes").get(0);
  }

  /**
   * Returns the only value of a feature of bytes, as UTF-8.
   *
   * @throws FormatException if there is no such feature, or it is of another kind or size
   */
  public String text(String name) throws FormatException {
    return new String(bytes(name), UTF_8);
  }

  /**
   * Returns the only value of a feature of integers.
   *
   * @throws FormatException if there is no such feature, or it is of another kind or size
   */
  public long int64(String name) throws FormatException {
    return single(name, Feature.Int64s.class, "integers").get(0);
  }

  /**
   * Returns the only value of a feature of floats.
   *
   * @throws FormatException if there is no such feature, or it is of another kind or size
   */
  public float float32(String name) throws FormatException {
    return single(name, Feature.Floats.class, "floats").get(0);
  }

  private <F extends Feature> F single(String name, Class<F> kind, String words)
      throws FormatException {
    Feature feature = feature(name);
    if (!kind.isInstance(feature) || feature.size() != 1) {
      throw new FormatException(
          "feature %s has %s of %s; one of %s is expected"
              .formatted(
                  name,
                  Counts.of(feature.size(), "value"),
                  feature.getClass().getSimpleName(),
                  words));
    }
    return kind.cast(feature);
  }

  /**
   * Returns the values of all features by name: {@code byte[]} or {@code List<byte[]>}, {@code
   * float[]}, {@code long[]}. A feature with a single value of bytes becomes that value; numbers
   * always become arrays.
   *
   * @throws FormatException if a feature's values are broken
   */
  public Map<String, Object> toMap() throws FormatException {
    Map<String, Object> map = new LinkedHashMap<>();
    for (String name : features.keySet()) {
      map.put(name, value(feature(name)));
    }
    return map;
  }

  private static Object value(Feature feature) {
    if (feature instanceof Feature.Floats floats) {
      return floats.toArray();
    }
    if (feature instanceof Feature.Int64s integers) {
      return integers.toArray();
    }
    Feature.Bytes bytes = (Feature.Bytes) feature;
    if (bytes.size() == 1) {
      return bytes.get(0);
    }
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < bytes.size(); i++) {
      values.add(bytes.get(i));
    }
    return values;
  }

  @Override
  public String toString() {
    return "Example" + features.keySet();
  }

  /** A builder of an example. Not thread-safe. */
  public static final class Builder {
    private final Map<String, Feature> features = new LinkedHashMap<>();

    private Builder() {}

    /** Sets a feature of bytes; the arrays must not be changed before the example is serialised. */
    public Builder bytes(String name, byte[]... values) {
      return put(name, new Feature.Bytes(List.of(values)));
    }

    /** Sets a feature of bytes, texts in UTF-8. */
    public Builder text(String name, String... values) {
      return put(
          name,
          new Feature.Bytes(Arrays.stream(values).map(value -> value.getBytes(UTF_8)).toList()));
    }

    /** Sets a feature of floats. */
    public Builder floats(String name, float... values) {
      return put(name, new Feature.Floats(values.clone()));
    }

    /** Sets a feature of integers. */
    public Builder int64s(String name, long... values) {
      return put(name, new Feature.Int64s(values.clone()));
    }

    private Builder put(String name, Feature feature) {
      features.put(Objects.requireNonNull(name, "name"), feature);
      return this;
    }

    /**
     * Returns the serialised example, in a new array, with numbers packed, as TensorFlow writes it.
     *
     * @throws IllegalArgumentException if it would be larger than an array can be
     */
    public byte[] toBytes() {
      List<byte[]> pieces = toPieces();
      ByteBuffer bytes = ByteBuffer.allocate(pieces.stream().mapToInt(piece -> piece.length).sum());
      pieces.forEach(bytes::put);
      return bytes.array();
    }

    List<byte[]> toPieces() {
      Map<String, Integer> sizes = new LinkedHashMap<>();
      long entries = 0;
      for (Map.Entry<String, Feature> each : features.entrySet()) {
        long size = ProtoWriter.sizeOf(each.getValue());
        sizes.put(each.getKey(), ProtoWriter.checked(size));
        long key = ProtoWriter.field(each.getKey().getBytes(UTF_8).length);
        entries += ProtoWriter.field(key + ProtoWriter.field(size));
      }
      int unused = ProtoWriter.checked(ProtoWriter.field(entries));
      ProtoWriter out = new ProtoWriter();
      out.startField(FEATURES, (int) entries);
      for (Map.Entry<String, Feature> each : features.entrySet()) {
        byte[] key = each.getKey().getBytes(UTF_8);
        int size = sizes.get(each.getKey());
        out.startField(
            ENTRY, ProtoWriter.checked(ProtoWriter.field(key.length) + ProtoWriter.field(size)));
        out.bytes(KEY, key);
        out.startField(VALUE, size);
        out.feature(each.getValue());
      }
      return out.pieces();
    }
  }

  /**
   * A {@code tf.train.Feature}: a list of byte strings, of floats or of integers. Immutable;
   * returned arrays of numbers belong to the caller, returned arrays of bytes to the feature.
   */
  public sealed interface Feature permits Feature.Bytes, Feature.Floats, Feature.Int64s {

    /** Returns how many values it has, 0 or more. */
    int size();

    /** A list of byte strings: encoded images, texts in UTF-8, serialised tensors. */
    final class Bytes implements Feature {
      private final List<byte[]> values;

      /** Takes the arrays, which must not be changed afterwards. */
      Bytes(List<byte[]> values) {
        this.values = List.copyOf(values);
      }

      @Override
      public int size() {
        return values.size();
      }

      /** Returns value {@code i}, an array that belongs to the feature and must not be changed. */
      public byte[] get(int i) {
        return values.get(i);
      }

      @Override
      public boolean equals(Object other) {
        return other instanceof Bytes bytes
            && Arrays.deepEquals(values.toArray(), bytes.values.toArray());
      }

      @Override
      public int hashCode() {
        return Arrays.deepHashCode(values.toArray());
      }

      /** Returns the lengths of the values, for example {@code bytes[3, 814]}. */
      @Override
      public String toString() {
        return "bytes" + values.stream().map(value -> value.length).toList();
      }
    }

    /** A list of single-precision numbers. */
    final class Floats implements Feature {
      private final float[] values;

      Floats(float[] values) {
        this.values = values;
      }

      @Override
      public int size() {
        return values.length;
      }

      /** Returns value {@code i}, from 0 to {@code size() - 1}. */
      public float get(int i) {
        return values[i];
      }

      /** Returns all values, in a new array. */
      public float[] toArray() {
        return values.clone();
      }

      @Override
      public boolean equals(Object other) {
        return other instanceof Floats floats && Arrays.equals(values, floats.values);
      }

      @Override
      public int hashCode() {
        return Arrays.hashCode(values);
      }

      @Override
      public String toString() {
        return "floats" + Arrays.toString(values);
      }
    }

    /** A list of integers of 64 bits. */
    final class Int64s implements Feature {
      private final long[] values;

      Int64s(long[] values) {
        this.values = values;
      }

      @Override
      public int size() {
        return values.length;
      }

      /** Returns value {@code i}, from 0 to {@code size() - 1}. */
      public long get(int i) {
        return values[i];
      }

      /** Returns all values, in a new array. */
      public long[] toArray() {
        return values.clone();
      }

      @Override
      public boolean equals(Object other) {
        return other instanceof Int64s int64s && Arrays.equals(values, int64s.values);
      }

      @Override
      public int hashCode() {
        return Arrays.hashCode(values);
      }

      @Override
      public String toString() {
        return "int64s" + Arrays.toString(values);
      }
    }
  }
}
