package io.feedline.spark;

import io.feedline.data.FormatException;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The positions of the columns of images and of names; {@code name} is -1 for none. */
record ImageRowColumns(int image, int name) {

  private static final List<String> IMAGES = List.of("content", "image", "bytes");
  private static final List<String> NAMES = List.of("key", "path");

  static ImageRowColumns of(StructType schema) throws FormatException {
    if (schema == null) {
      throw new FormatException(
          "rows without a schema have no columns by name; make the samples by RowReader.of");
    }
    List<String> fields = Arrays.asList(schema.fieldNames());
    List<String> binary =
        fields.stream()
            .filter(field -> schema.apply(field).dataType().equals(DataTypes.BinaryType))
            .toList();
    String image =
        IMAGES.stream()
            .filter(binary::contains)
            .findFirst()
            .orElseGet(() -> binary.size() == 1 ? binary.get(0) : null);
    if (image == null) {
      throw new FormatException(
          "no column has the images: those of bytes are %s, of the columns %s; call one of them content, image or bytes"
              .formatted(binary, fields));
    }
    int name =
        NAMES.stream()
            .filter(
                field ->
                    fields.contains(field)
                        && schema.apply(field).dataType().equals(DataTypes.StringType))
            .mapToInt(fields::indexOf)
            .findFirst()
            .orElse(-1);
    return new ImageRowColumns(fields.indexOf(image), name);
  }

  byte[] bytes(Row row) throws FormatException {
    byte[] bytes = row.getAs(image);
    if (bytes == null) {
      throw new FormatException(
          "%s: the column %s is null, and no image"
              .formatted(name(row), row.schema().fieldNames()[image]));
    }
    return bytes;
  }

  String name(Row row) {
    return name < 0 || row.isNullAt(name) ? "an image without a name" : row.getString(name);
  }
}
