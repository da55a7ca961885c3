package io.feedline.spark;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.PackingJob.FieldType;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The columns with the image, key, label and fields of each row to be written. If the rows come
 * from Spark's source {@code binaryFile}, key and label are parts of the column {@code path}.
 * Immutable.
 */
@SuppressWarnings("serial") // lists of List.copyOf are serializable
final class SampleColumns implements Serializable {

  private static final long serialVersionUID = 1;

  static final String KEY_COLUMN = "keyColumn";

  static final String BYTES_COLUMN = "bytesColumn";
  static final String LABEL_COLUMN = "labelColumn";

  /** The columns of {@code binaryFile} that are not stored. */
  private static final Set<String> OF_FILES = Set.of("modificationTime", "length");

  private final List<String> classes;
  private final ImageRoot root;
  private final Column key;
  private final Column bytes;
  private final Column label;
  private final List<Column> fields;

  private record Column(String name, int at, Kind kind) implements Serializable {}

  /** The types that columns may have, and how to read their values. */
  private enum Kind {
    STRING(StringType.class, FieldType.TEXT),
    BINARY(BinaryType.class, FieldType.BYTES),
    LONG(LongType.class, FieldType.INTEGER),
    INT(IntegerType.class, FieldType.INTEGER),
    SHORT(ShortType.class, FieldType.INTEGER),
    BYTE(ByteType.class, FieldType.INTEGER),
    BOOLEAN(BooleanType.class, FieldType.INTEGER),
    FLOAT(FloatType.class, FieldType.REAL),
    DOUBLE(DoubleType.class, FieldType.REAL);

    private final Class<? extends DataType> type;
    private final FieldType field;

    Kind(Class<? extends DataType> type, FieldType field) {
      this.type = type;
      this.field = field;
    }

    /** Reads the value at an index of a row; it must not be null. */
    Object value(InternalRow row, int at) {
      return switch (this) {
        case STRING -> row.getUTF8String(at).toString();
        case BINARY -> row.getBinary(at);
        case LONG -> row.getLong(at);
        case INT -> (long) row.getInt(at);
        case SHORT -> (long) row.getShort(at);
        case BYTE -> (long) row.getByte(at);
        case BOOLEAN -> row.getBoolean(at) ? 1L : 0L;
        case FLOAT -> (double) row.getFloat(at);
        case DOUBLE -> row.getDouble(at);
      };
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isWhole() {
      return field == FieldType.INTEGER && this != BOOLEAN;
    }

    static Optional<Kind> of(DataType type) {
      return Arrays.stream(values()).filter(kind -> kind.type.isInstance(type)).findFirst();
    }
  }

  private SampleColumns(
      List<String> classes,
      ImageRoot root,
      Column key,
      Column bytes,
      Column label,
      List<Column> fields) {
    this.classes = List.copyOf(classes);
    this.root = root;
    this.key = key;
    this.bytes = bytes;
    this.label = label;
    this.fields = List.copyOf(fields);
  }

  /** Returns whether rows come from {@code binaryFile}, so that their keys are parts of paths. */
  static boolean areFiles(StructType schema, SourceOptions options) {
    return options.text(KEY_COLUMN).isEmpty()
        && !has(schema, "key")
        && has(schema, "path")
        && has(schema, "content");
  }

  /**
   * @param classes the names of the classes by label; empty if they are unnamed
   * @param root the directory of the files whose paths the rows contain; null if the rows contain
   *     keys
   * @throws IllegalArgumentException if a column is missing or has a type that cannot be written
   */
  static SampleColumns of(
      StructType schema, SourceOptions options, List<String> classes, @Nullable ImageRoot root) {
    Set<String> taken = new HashSet<>();
    boolean files = root != null;
    Column key = required(schema, options, KEY_COLUMN, files ? "path" : "key", Kind.STRING, taken);
    Column bytes =
        required(
            schema,
            options,
            BYTES_COLUMN,
            has(schema, "bytes") || !has(schema, "content") ? "bytes" : "content",
            Kind.BINARY,
            taken);
    Column label = label(schema, options, classes, taken);
    List<Column> fields = new ArrayList<>();
    for (StructField field : schema.fields()) {
      if (!taken.contains(field.name()) && !(files && OF_FILES.contains(field.name()))) {
        fields.add(column(schema, field.name()));
      }
    }
    return new SampleColumns(classes, root, key, bytes, label, fields);
  }

  private static Column required(
      StructType schema,
      SourceOptions options,
      String option,
      String usual,
      Kind kind,
      Set<String> taken) {
    String name = options.text(option).orElse(usual);
    if (!has(schema, name)) {
      throw new IllegalArgumentException(
          "there is no column '%s' among %s: name the %s column by option %s"
              .formatted(name, Arrays.toString(schema.fieldNames()), kind.text(), option));
    }
    Column column = column(schema, name);
    if (column.kind() != kind) {
      throw new IllegalArgumentException(
          "column '%s' must be %s, but is %s"
              .formatted(name, kind.text(), type(schema, name).simpleString()));
    }
    taken.add(name);
    return column;
  }

  private static Column label(
      StructType schema, SourceOptions options, List<String> classes, Set<String> taken) {
    Optional<String> named = options.text(LABEL_COLUMN);
    String name = named.orElse("label");
    if (!has(schema, name)) {
      if (named.isPresent()) {
        throw new IllegalArgumentException(
            "there is no column '%s' among %s, which option %s names"
                .formatted(name, Arrays.toString(schema.fieldNames()), LABEL_COLUMN));
      }
      return null;
    }
    Column column = column(schema, name);
    if (column.kind() == Kind.STRING && classes.isEmpty()) {
      throw new IllegalArgumentException(
          "column '%s' has names of classes: give all of them, in the order of their labels, by option %s"
              .formatted(name, PackPlan.CLASSES));
    }
    if (column.kind() != Kind.STRING && !column.kind().isWhole()) {
      throw new IllegalArgumentException(
          "column '%s' must be int, bigint, smallint, tinyint or string to be the label, but is %s"
              .formatted(name, type(schema, name).simpleString()));
    }
    taken.add(name);
    return column;
  }

  private static Column column(StructType schema, String name) {
    Kind kind =
        Kind.of(type(schema, name))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "column '%s' is %s, which no format holds; leave it out, or cast it to a"
                                .formatted(name, type(schema, name).simpleString())
                            + " string, number, boolean or binary"));
    return new Column(name, schema.fieldIndex(name), kind);
  }

  private static boolean has(StructType schema, String name) {
    return Arrays.asList(schema.fieldNames()).contains(name);
  }

  private static DataType type(StructType schema, String name) {
    return schema.fields()[schema.fieldIndex(name)].dataType();
  }

  /** Returns the types of the fields other than image, key and label, in the columns' order. */
  Map<String, FieldType> fieldTypes() {
    Map<String, FieldType> types = new LinkedHashMap<>();
    fields.forEach(field -> types.put(field.name(), field.kind().field));
    return types;
  }

  /**
   * @param number the number of the row in its partition, from 0, for errors
   * @throws IOException if the row has no key or no bytes, or its label is not among the classes
   */
  EncodedImage image(InternalRow row, int partition, long number) throws IOException {
    if (row.isNullAt(key.at())) {
      throw new FormatException(
          "row %d (from 0) of partition %d has null in column '%s', and a sample needs a key"
              .formatted(number, partition, key.name()));
    }
    String name = (String) key.kind().value(row, key.at());
    if (row.isNullAt(bytes.at())) {
      throw new FormatException(
          "the row of '%s' has null in column '%s', and a sample needs its bytes"
              .formatted(name, bytes.name()));
    }
    byte[] encoded = (byte[]) bytes.kind().value(row, bytes.at());
    if (root == null) {
      return new EncodedImage(name, encoded, label(row, name));
    }
    String file = root.below(name);
    return EncodedImage.ofFile(
        file, encoded, label == null ? root.label(file, classes) : label(row, name));
  }

  private int label(InternalRow row, String name) throws FormatException {
    if (label == null || row.isNullAt(label.at())) {
      return EncodedImage.NO_LABEL;
    }
    Object value = label.kind().value(row, label.at());
    if (value instanceof String className) {
      int index = classes.indexOf(className);
      if (index < 0) {
        throw new FormatException(
            "the row of '%s' is of class '%s', which is none of the classes %s"
                .formatted(name, className, classes));
      }
      return index;
    }
    long number = (Long) value;
    long end = classes.isEmpty() ? 1L << 31 : classes.size();
    if (number < EncodedImage.NO_LABEL || number >= end) {
      throw new FormatException(
          "the row of '%s' has label %d, but labels go from 0 to %d; -1 or null stands for no label"
              .formatted(name, number, end - 1));
    }
    return (int) number;
  }

  /** Returns the values of a row's fields by name, without null values. */
  Map<String, Object> fields(InternalRow row) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Column field : fields) {
      if (!row.isNullAt(field.at())) {
        values.put(field.name(), field.kind().value(row, field.at()));
      }
    }
    return values;
  }
}
