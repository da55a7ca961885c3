package io.feedline.formats.mds;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.FormatException;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class MdsWriterTest {

  @TempDir Path root;

  /** Values of every encoding that is written, in an order of columns of their own. */
  private static Map<String, String> columns() {
    Map<String, String> columns = new LinkedHashMap<>();
    String alike =
        "str json bytes int int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32"
            + " float64 str_int str_float str_decimal";
    for (String same : alike.split(" ", -1)) {
      columns.put(same, same);
    }
    columns.put("any", "ndarray");
    columns.put("typed", "ndarray:float32");
    columns.put("fixed", "ndarray:int64:2,2");
    return columns;
  }

  private static Map<String, Object> sample(int i) {
    Map<String, Object> sample = new LinkedHashMap<>();
    sample.put("str", "\u732b" + i);
    sample.put("json", "{\"a\": [" + i + "]}");
    sample.put("bytes", new byte[i]);
    for (String integer : new String[] {"int", "int8", "int16", "int32", "int64", "str_int"}) {
      sample.put(integer, (long) -i - 1);
    }
    for (String integer : new String[] {"uint8", "uint16", "uint32", "uint64"}) {
      sample.put(integer, 250L + i);
    }
    sample.put("float16", 0.25f * i);
    sample.put("float32", 0.1f * i);
    sample.put("float64", 0.1 * i);
    sample.put("str_float", i == 2 ? Double.NEGATIVE_INFINITY : 1.25 * i);
    sample.put("str_decimal", new BigDecimal("1.10").add(BigDecimal.valueOf(i)));
    sample.put("any", Tensor.of(new long[] {i, 2, 3, 4, 5, 6}, 1, 3, 2));
    sample.put("typed", Tensor.of(new float[300 + i]));
    sample.put("fixed", Tensor.of(new long[] {1, 2, 3, i}, 2, 2));
    return sample;
  }

  private void writeSamples(Path directory, String compression) throws IOException {
    try (StoreWriter<Map<String, Object>> writer =
        MdsDataset.writer(directory)
            .columns(columns())
            .compression(compression)
            .shardBytes(5000)
            .open()) {
      for (int i = 0; i < 5; i++) {
        writer.write(sample(i));
      }
      writer.commit();
    }
  }

  @Test
  void shouldKeepValuesOfEveryEncoding() throws Exception {
    Path data = root.resolve("data");
    writeSamples(data, null);

    try (MdsDataset dataset = MdsDataset.of(data)) {
      for (int i = 0; i < 5; i++) {
        Map<String, String> expected = new TreeMap<>();
        sample(i).forEach((name, value) -> expected.put(name, Fixtures.shown(value)));
        Map<String, String> found = new LinkedHashMap<>();
        dataset.get(i).forEach((name, value) -> found.put(name, Fixtures.shown(value)));
        assertThat(found).containsExactlyEntriesOf(expected);
      }
    }
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"gz", "zstd"})
  void shouldBeReadByPythonInStreamingsLayout(String compression) throws Exception {
    assumeThat(isOnPath("python3")).as("there is a python3 on the PATH").isTrue();
    assumeThat(!"zstd".equals(compression) || isOnPath("zstd")).as("there is a zstd").isTrue();
    for (String script : new String[] {"read_mds.py", "mds_format.py"}) {
      Files.write(root.resolve(script), Fixtures.bytes(script));
    }
    Path data = root.resolve("data");
    writeSamples(data, compression);

    Process process =
        new ProcessBuilder("python3", root.resolve("read_mds.py").toString(), data.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    assumeThat(output).as("NumPy is installed").doesNotContain("No module named 'numpy'");
    assertThat(status).as(output).isZero();

    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      for (Map.Entry<String, Object> value : new TreeMap<>(sample(i)).entrySet()) {
        if (!value.getKey().contains("float") && !value.getKey().equals("json")) {
          Object shown = value.getValue();
          expected.add(
              "%d\t%s\t%s"
                  .formatted(
                      i,
                      value.getKey(),
                      shown instanceof BigDecimal
                          ? FixtureFiles.crc(shown.toString().getBytes(UTF_8))
                          : Fixtures.shown(shown)));
        }
      }
    }
    assertThat(output.lines())
        .filteredOn(line -> !line.matches("[0-9]+\t(float|json|str_float).*"))
        .containsExactlyElementsOf(expected);
    assertThat(output).contains("2\tfloat64\t0.2\n", "3\tfloat16\t0.75\n", "1\tjson\t{'a': [1]}\n");
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  @Test
  void shouldGoOnWhereItWasClosedAndNotWithOtherOptions() throws Exception {
    Path whole = root.resolve("whole");
    writeSamples(whole, null);
    Path data = root.resolve("data");
    MdsDataset.WriterBuilder builder = MdsDataset.writer(data).columns(columns()).shardBytes(5000);
    try (StoreWriter<Map<String, Object>> writer = builder.open()) {
      for (int i = 0; i < 4; i++) {
        writer.write(sample(i));
      }
    }
    refused(IOException.class, () -> builder.shardBytes(999).open(), "size-limit was 5000, is 999");

    try (StoreWriter<Map<String, Object>> writer = builder.shardBytes(5000).open()) {
      assertThat(writer.written()).as("in whole shards").isBetween(1L, 3L);
      for (int i = (int) writer.written(); i < 5; i++) {
        writer.write(sample(i));
      }
      writer.commit();
    }
    for (MdsShard shard : MdsIndex.read(whole).shards()) {
      String name = shard.raw().basename();
      assertThat(data.resolve(name)).hasSameBinaryContentAs(whole.resolve(name));
    }
    assertThat(data.resolve("index.json")).hasSameBinaryContentAs(whole.resolve("index.json"));
  }

  @Test
  void shouldRefuseValuesThatAColumnCannotHold() throws Exception {
    Path data = root.resolve("data");
    try (StoreWriter<Map<String, Object>> writer =
        MdsDataset.writer(data).columns(columns()).open()) {
      Object[][] wrong = {
        {"uint8", 256L},
        {"int8", -129},
        {"uint64", -1L},
        {"str", 5},
        {"float32", "x"},
        {"fixed", Tensor.of(new long[] {1, 2})},
        {"any", Tensor.zeros(DType.BOOL, Shape.of(2))},
        {"typed", Tensor.zeros(DType.FLOAT32, Shape.of(0))}
      };
      for (Object[] value : wrong) {
        Map<String, Object> sample = sample(1);
        sample.put((String) value[0], value[1]);
        refused(
            FormatException.class, () -> writer.write(sample), "sample 0", "'" + value[0] + "'");
      }
      Map<String, Object> incomplete = sample(1);
      incomplete.remove("int");
      assertThatThrownBy(() -> writer.write(incomplete)).hasMessageContaining("expected");
      writer.write(sample(1));
      writer.commit();
      assertThatThrownBy(writer::commit).isInstanceOf(IllegalStateException.class);
    }
    try (MdsDataset dataset = MdsDataset.of(data)) {
      assertThat(dataset.size()).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseOptionsThatCannotBe() {
    MdsDataset.WriterBuilder builder = MdsDataset.writer(root.resolve("data"));

    assertThatThrownBy(builder::open).hasMessage("columns must name one column or more, were none");
    assertThatThrownBy(() -> builder.columns(Map.of("x", "pkl")).open())
        .hasMessageContaining("pickle");
    assertThatThrownBy(() -> builder.columns(columns()).shardBytes(0).open())
        .hasMessage(
            "shardBytes must be from 1 to 2147483583 bytes, since a shard is put together in"
                + " memory, was 0");
    assertThatThrownBy(() -> builder.shardBytes(Integer.MAX_VALUE).open())
        .hasMessageContaining("was 2147483647");
  }

  @Test
  void shouldWriteAnEmptyDatasetThatIsRefused() throws Exception {
    Path data = root.resolve("data");
    FixtureFiles.write(MdsDataset.writer(data).columns(columns()).open(), List.of());
    refused(FormatException.class, () -> MdsDataset.of(data), "no shards");
  }
}
