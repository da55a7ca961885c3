package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

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

  static Map<String, Object> canonical(Map<String, Object> row) {
    Map<String, Object> all = new LinkedHashMap<>();
    row.forEach((name, value) -> all.put(name, canonical(value)));
    return all;
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

  /** Requires equal batches for any workers, and where a loader resumes at 20 random places. */
  static void requireEqualBatches(Supplier<DataLoaderBuilder<?>> loaders, String... tensors)
      throws IOException {
    LoaderState[] state = new LoaderState[1];
    List<String> expected = batches(loaders.get(), 0, null, Integer.MAX_VALUE, state, tensors);
    assertThat(expected).hasSizeGreaterThan(10);
    for (int workers : List.of(1, 2, 8)) {
      assertThat(batches(loaders.get(), workers, null, Integer.MAX_VALUE, state, tensors))
          .isEqualTo(expected);
    }
    Random random = new Random(3);
    for (int time = 0; time < 20; time++) {
      int stop = random.nextInt(expected.size());
      List<String> found = batches(loaders.get(), time % 3, null, stop, state, tensors);
      found.addAll(
          batches(loaders.get(), 2 - time % 3, state[0], Integer.MAX_VALUE, state, tensors));
      assertThat(found).isEqualTo(expected);
    }
  }

  private static List<String> batches(
      DataLoaderBuilder<?> builder,
      int workers,
      LoaderState from,
      int most,
      LoaderState[] state,
      String... tensors)
      throws IOException {
    List<String> batches = new ArrayList<>();
    try (DataLoader<?> loader = builder.seed(11).numWorkers(workers).build()) {
      if (from != null) {
        loader.resume(from);
      }
      BatchIterator iterator = loader.iterator();
      while (batches.size() < most && iterator.hasNext()) {
        try (Batch batch = iterator.next()) {
          StringBuilder bits = new StringBuilder();
          for (String name : tensors) {
            bits.append(HexFormat.of().formatHex(batch.tensor(name).toByteArray())).append(' ');
          }
          batches.add(bits.toString());
        }
      }
      state[0] = LoaderState.fromJson(loader.state().toJson());
    }
    return batches;
  }
}
