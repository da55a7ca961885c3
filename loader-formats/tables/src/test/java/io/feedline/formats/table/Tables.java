package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.TensorSource;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.internal.Json;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The tables that {@code make_fixtures.py} makes, and what pyarrow reads from them. */
final class Tables {

  private Tables() {}

  static Path copy(Path directory, String name) throws IOException {
    return Files.write(directory.resolve(name), FixtureFiles.bytes(Tables.class, name));
  }

  /** The rows as pyarrow has them. */
  static List<Map<String, Object>> expected() {
    String text =
        new String(FixtureFiles.bytes(Tables.class, "values.jsonl"), StandardCharsets.UTF_8);
    List<Map<String, Object>> rows = new ArrayList<>();
    text.lines().forEach(line -> rows.add(Json.read(line)));
    return rows;
  }

  /** A value as the script writes it. */
  static Object canonical(Object value) {
    if (value instanceof Float || value instanceof Double) {
      return "%016x".formatted(Double.doubleToLongBits(((Number) value).doubleValue()));
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    List<Object> list = new ArrayList<>();
    if (value instanceof List<?> given) {
      given.forEach(each -> list.add(canonical(each)));
      return list;
    }
    if (value.getClass().isArray()) {
      for (int i = 0; i < Array.getLength(value); i++) {
        list.add(canonical(Array.get(value, i)));
      }
      return list;
    }
    return value;
  }

  static float[] floats(Object source) throws Exception {
    TensorSource tensor = (TensorSource) source;
    float[] values = new float[(int) tensor.shape().elements()];
    ByteBuffer target =
        ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.nativeOrder());
    tensor.writeTo(target);
    assertThat(target.remaining()).isZero();
    target.flip().asFloatBuffer().get(values);
    return values;
  }
}
