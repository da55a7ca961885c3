package io.feedline.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The columns that a store has in Spark. */
enum SampleColumn {
  KEY("key", DataTypes.StringType, false),
  BYTES("bytes", DataTypes.BinaryType, false),
  LABEL("label", DataTypes.IntegerType, true),
  CLASS("class", DataTypes.StringType, true),
  WIDTH("width", DataTypes.IntegerType, true),
  HEIGHT("height", DataTypes.IntegerType, true),
  FORMAT("format", DataTypes.StringType, true);

  private final String column;

  // Spark's types are immutable, but are not annotated so.
  @SuppressWarnings("ImmutableEnumChecker")
  private final DataType type;

  private final boolean nullable;

  SampleColumn(String column, DataType type, boolean nullable) {
    this.column = column;
    this.type = type;
    this.nullable = nullable;
  }

  static Optional<SampleColumn> named(String name) {
    return Arrays.stream(values()).filter(each -> each.column.equals(name)).findFirst();
  }

  boolean isOfHeader() {
    return this == WIDTH || this == HEIGHT || this == FORMAT;
  }

  static StructType all() {
    return schema(List.of(values()));
  }

  static StructType schema(List<SampleColumn> columns) {
    return new StructType(
        columns.stream()
            .map(each -> DataTypes.createStructField(each.column, each.type, each.nullable))
            .toArray(StructField[]::new));
  }

  /** Returns a schema's columns in order; fails if a column has another name or type. */
  static List<SampleColumn> of(StructType schema) {
    List<SampleColumn> columns = new ArrayList<>();
    for (StructField field : schema.fields()) {
      Optional<SampleColumn> column =
          Arrays.stream(values())
              .filter(
                  each -> each.column.equals(field.name()) && each.type.equals(field.dataType()))
              .findFirst();
      columns.add(
          column.orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "feedline reads no column '%s' that is %s; it has %s"
                          .formatted(field.name(), field.dataType().simpleString(), words()))));
    }
    return columns;
  }

  private static String words() {
    return Arrays.stream(values())
        .map(each -> each.column + " " + each.type.simpleString())
        .collect(Collectors.joining(", "));
  }
}
