package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.IterableDatasetContract;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.table.Windows.Span;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows against what Keras, pandas and scikit-learn make of the tables of make_windows.py. */
@Timeout(120)
class WindowsTest {

  private static final Map<String, Object> EXPECTED =
      Json.read(
          new String(
              FixtureFiles.bytes(WindowsTest.class, "windows.json"), StandardCharsets.UTF_8));

  @TempDir private Path directory;

  private Path file(String name) throws IOException {
    return Tables.copy(directory, name);
  }

  private Windows.Builder hourly(String name) throws IOException {
    return Windows.over(file(name))
        .key("sensor")
        .time("ts")
        .every(Duration.ofHours(1))
        .past("load", "temperature")
        .length(8);
  }

  /** The columns of the three series as arrays, the keys as whole numbers. */
  private Map<String, Tensor> arrays() throws IOException {
    List<String> lines = Files.readAllLines(file("series.csv"));
    int rows = lines.size() - 1;
    long[] keys = new long[rows];
    long[] hours = new long[rows];
    float[] values = new float[2 * rows];
    for (int row = 0; row < rows; row++) {
      String[] fields = lines.get(row + 1).split(",", -1);
      keys[row] = fields[0].charAt(0);
      hours[row] =
          Instant.parse(fields[1].replace(' ', 'T').replace("+00:00", "Z")).getEpochSecond() / 3600;
      values[2 * row] = Float.parseFloat(fields[2]);
      values[2 * row + 1] = Float.parseFloat(fields[3]);
    }
    return Map.of(
        "sensor", Tensor.of(keys), "ts", Tensor.of(hours), "x", Tensor.of(values, rows, 2));
  }

  private static List<Float> list(Object source) throws Exception {
    List<Float> list = new ArrayList<>();
    for (float each : Tables.floats(source)) {
      list.add(each);
    }
    return list;
  }

  private static List<List<Float>> all(Dataset<Map<String, Object>> windows, String name)
      throws Exception {
    List<List<Float>> all = new ArrayList<>();
    for (long i = 0; i < windows.size(); i++) {
      all.add(list(windows.get(i).get(name)));
    }
    return all;
  }

  private static List<List<Float>> all(IterableDataset<Map<String, Object>> windows, String name)
      throws Exception {
    List<List<Float>> all = new ArrayList<>();
    try (SampleStream<Map<String, Object>> stream = windows.open(0, 0)) {
      for (PendingSample<Map<String, Object>> each = stream.next();
          each != null;
          each = stream.next()) {
        all.add(list(each.get(new SampleContext(0, 0, 0)).get(name)));
      }
    }
    return all;
  }

  /** The numbers of nested lists. */
  private static void flatten(Object list, List<Float> into) {
    if (list instanceof List<?> nested) {
      nested.forEach(each -> flatten(each, into));
    } else {
      into.add(((Number) list).floatValue());
    }
  }

  private static List<List<Float>> expected(Object windows) {
    List<List<Float>> all = new ArrayList<>();
    for (Object window : (List<?>) windows) {
      List<Float> numbers = new ArrayList<>();
      flatten(window, numbers);
      all.add(numbers);
    }
    return all;
  }

  // ---- the same windows as others make ------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"series.parquet", "series.arrow", "series.csv", "arrays"})
  void shouldHaveTheWindowsOfKeras(String name) throws Exception {
    for (Object each : (List<?>) EXPECTED.get("keras")) {
      Map<?, ?> of = (Map<?, ?>) each;
      int horizon = ((Long) of.get("horizon")).intValue();
      boolean arrays = name.equals("arrays");
      Windows.Builder builder = arrays ? Windows.over(arrays()) : Windows.over(file(name));
      builder
          .key("sensor")
          .time("ts")
          .past(arrays ? new String[] {"x"} : new String[] {"load", "temperature"})
          .length(((Long) of.get("length")).intValue())
          .horizon(horizon)
          .stride(((Long) of.get("stride")).intValue())
          .samplingRate(((Long) of.get("rate")).intValue());
      if (horizon > 0) {
        builder.target(arrays ? "x.0" : "load");
      }
      try (Windows windows = builder.build()) {
        assertThat(all(windows, "past")).isEqualTo(expected(of.get("past")));
        assertThat(all(builder.stream(), "past")).isEqualTo(expected(of.get("past")));
        if (horizon > 0) {
          assertThat(all(windows, "target")).isEqualTo(expected(of.get("target")));
          assertThat(all(builder.stream(), "target")).isEqualTo(expected(of.get("target")));
        }
      }
    }
  }

  @Test
  void shouldSkipRepeatAndFillGapsAsPandasDoes() throws Exception {
    for (String way : List.of("skipped", "repeated", "filled")) {
      Windows.Builder builder = hourly("gaps.csv");
      switch (way) {
        case "skipped" -> builder.skipGaps();
        case "repeated" -> builder.repeatInGaps();
        default -> builder.fillGaps(-1);
      }
      try (Windows windows = builder.build()) {
        assertThat(all(windows, "past")).as(way).isEqualTo(expected(EXPECTED.get(way)));
        assertThat(all(builder.stream(), "past")).as(way).isEqualTo(expected(EXPECTED.get(way)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"series.parquet", "series.arrow", "series.csv"})
  void shouldSplitByTheTimesOfForecastsAsPandasDoes(String name) throws Exception {
    List<?> cuts = (List<?>) EXPECTED.get("cuts");
    Instant[] times =
        cuts.stream()
            .map(each -> Instant.parse(each.toString().replace("Z", ":00Z")))
            .toArray(Instant[]::new);
    try (Windows windows = hourly(name).length(6).horizon(2).target("load").build()) {
      List<Windows> parts = windows.splitAt(times);
      List<?> expected = (List<?>) EXPECTED.get("split");
      assertThat(parts).hasSameSizeAs(expected);
      for (int part = 0; part < parts.size(); part++) {
        Windows of = parts.get(part);
        List<List<String>> found = new ArrayList<>();
        for (long i = 0; i < of.size(); i++) {
          Instant first = Instant.EPOCH.plusNanos(1000 * of.time(i, 0));
          found.add(List.of(of.key(i), first.toString().replace("Z", "+00:00")));
        }
        assertThat(found).as("part " + part).isEqualTo(expected.get(part));
      }
    }
  }

  @Test
  void shouldForecastNoRowThatAnEarlierPartHas() throws Exception {
    for (int stride : List.of(1, 3)) {
      try (Windows windows =
          hourly("series.parquet").length(3).horizon(2).stride(stride).target("load").build()) {
        List<Windows> parts = windows.splitByTime(0.5, 0.25, 0.25);
        Set<String> seen = new HashSet<>();
        long size = 0;
        for (Windows part : parts) {
          assertThat(part.size()).isPositive();
          Set<String> rows = new HashSet<>();
          for (long i = 0; i < part.size(); i++) {
            for (int row = 0; row < 5; row++) {
              String place = part.key(i) + " " + part.time(i, row);
              if (row >= 3) {
                assertThat(seen).doesNotContain(place);
              }
              rows.add(place);
            }
          }
          seen.addAll(rows);
          size += part.size();
        }
        assertThat(size).isLessThan(windows.size());
        assertThat(Set.copyOf(parts.stream().map(Windows::fingerprint).toList())).hasSize(3);
        // A part of a part has the windows that both have.
        assertThat(parts.get(0).splitAt(Long.MIN_VALUE + 1).get(1).size())
            .isEqualTo(parts.get(0).size());
        assertThat(parts.get(0).splitAt(Long.MIN_VALUE + 1).get(0).size()).isZero();
      }
    }
  }

  @Test
  void shouldFitAndSaveTheScalingOfTheTrainingPart() throws Exception {
    try (Windows windows = hourly("series.parquet").length(6).horizon(2).target("load").build()) {
      Windows train = windows.splitAt(Instant.parse("2024-01-01T20:00:00Z")).get(0);
      for (String way : List.of("standard", "minMax")) {
        Scaling fitted =
            way.equals("standard")
                ? Scaling.standard(train, "load", "temperature")
                : Scaling.minMax(train, "load", "temperature");
        List<?> numbers = (List<?>) EXPECTED.get(way);
        int column = 0;
        for (String name : List.of("load", "temperature")) {
          double center = ((Number) ((List<?>) numbers.get(0)).get(column)).doubleValue();
          double scale = ((Number) ((List<?>) numbers.get(1)).get(column++)).doubleValue();
          assertThat(fitted.column(name).center()).isCloseTo(center, within(1e-12 * scale));
          assertThat(fitted.column(name).scale()).isCloseTo(scale, within(1e-12 * scale));
        }
        Path saved = directory.resolve("scaling.json");
        fitted.save(saved);
        assertThat(Scaling.load(saved).columns()).isEqualTo(fitted.columns());
        float[] plain = Tables.floats(windows.get(5).get("past"));
        float[] scaled = Tables.floats(windows.scaled(fitted).get(5).get("past"));
        for (int i = 0; i < plain.length; i++) {
          Scaling.Column of = fitted.column(i % 2 == 0 ? "load" : "temperature");
          assertThat(scaled[i]).isEqualTo((float) of.scaled(plain[i]));
          assertThat(of.restored(scaled[i])).isCloseTo(plain[i], within(1e-4));
        }
        assertThat(windows.scaled(fitted).fingerprint()).isNotEqualTo(windows.fingerprint());
        // The same in a stream, by the options of the table.
        assertThat(
                all(
                    Windows.over(TableDataset.builder(file("series.parquet")).scaling(fitted))
                        .key("sensor")
                        .past("load", "temperature")
                        .length(6)
                        .horizon(2)
                        .stream(),
                    "past"))
            .isEqualTo(all(windows.scaled(fitted), "past"));
      }
      assertThatThrownBy(() -> Scaling.standard(train, "sensor")).hasMessageContaining("'sensor'");
      assertThatThrownBy(() -> Scaling.standard(train, "lod"))
          .hasMessageContainingAll("series.parquet", "'lod'", "temperature");
    }
    Path broken = Files.writeString(directory.resolve("broken.json"), "{\"columns\": {\"a\": 1}}");
    assertThatThrownBy(() -> Scaling.load(broken))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("broken.json", "scaling");
    assertThatThrownBy(() -> new Scaling.Column(1, 0)).hasMessageContaining("scale not 0");
  }

  // ---- what a window has --------------------------------------------------------------------

  @Test
  void shouldHavePastFutureAndStaticColumnsInOneBatch() throws Exception {
    Vocabulary sensors = Vocabulary.of(List.of("a", "b", "c"));
    Windows.Builder builder =
        Windows.over(TableDataset.builder(file("series.parquet")).categories("sensor", sensors))
            .key("sensor")
            .time("ts")
            .past("load", "temperature")
            .future("holiday")
            .target("load")
            .statics("area")
            .tensor("id", Span.STATIC, DType.INT64, "sensor")
            .tensor("all", Span.ALL, DType.FLOAT64, "load")
            .length(6)
            .horizon(2);
    try (Windows windows = builder.build();
        DataLoader<Map<String, Object>> loader =
            DataLoader.builder(windows).batchSize((int) windows.size()).numWorkers(2).build();
        Batch batch = loader.iterator().next()) {
      int size = (int) windows.size();
      assertThat(size).isEqualTo(33 + 18);
      assertThat(batch.tensor("past").shape()).isEqualTo(Shape.of(size, 6, 2));
      assertThat(batch.tensor("future").shape()).isEqualTo(Shape.of(size, 2, 1));
      assertThat(batch.tensor("target").shape()).isEqualTo(Shape.of(size, 2, 1));
      assertThat(batch.tensor("static").shape()).isEqualTo(Shape.of(size, 1));
      assertThat(batch.tensor("all").dtype()).isEqualTo(DType.FLOAT64);
      List<String> lines = Files.readAllLines(file("series.csv"));
      for (int i = 0; i < size; i++) {
        boolean ofA = i < 33;
        int row = ofA ? i : 40 + i - 33;
        assertThat(windows.key(i)).isEqualTo(ofA ? "a" : "b");
        assertThat(batch.tensor("id").get(i, 0)).isEqualTo(ofA ? 0L : 1L);
        assertThat(batch.tensor("static").get(i, 0)).isEqualTo(ofA ? 1.5f : 2.5f);
        for (int at = 0; at < 8; at++) {
          String[] fields = lines.get(1 + row + at).split(",", -1);
          assertThat(batch.tensor("all").get(i, at, 0)).isEqualTo(Double.parseDouble(fields[2]));
          if (at >= 6) {
            assertThat(batch.tensor("future").get(i, at - 6, 0))
                .isEqualTo(Float.parseFloat(fields[4]));
          } else {
            assertThat(batch.tensor("past").get(i, at, 1)).isEqualTo(Float.parseFloat(fields[3]));
          }
        }
      }
      assertThat(windows.describe(34))
          .contains("series.parquet", "row", "key 'b'", "8 rows", "2024-01-01T13:00:00Z");
      assertThat(windows)
          .asString()
          .contains("51 windows of 8 rows in 2 series", "1 series shorter than a window");
    }
  }

  private Path inParts(String header, List<String> rows, int most) throws IOException {
    Path parts = Files.createDirectory(directory.resolve("parts"));
    for (int row = 0; row < rows.size(); row += most) {
      String part = String.join("\n", rows.subList(row, Math.min(rows.size(), row + most)));
      Files.writeString(
          parts.resolve("part-" + (char) ('a' + row / most) + ".csv"), header + "\n" + part);
    }
    return parts;
  }

  @Test
  void shouldFindTheRowsOfAKeyWhereverTheyAre() throws Exception {
    List<String> lines = Files.readAllLines(file("series.csv"));
    List<String> rows = new ArrayList<>(lines.subList(1, lines.size()));
    rows.sort(
        java.util.Comparator.comparing((String row) -> row.split(",", -1)[1])
            .thenComparing(row -> row.charAt(0)));
    Path parts = inParts(lines.get(0), rows, 24);
    Windows.Builder sorted = hourly("series.csv").length(5);
    Windows.Builder mixed =
        Windows.over(parts).key("sensor").time("ts").past("load", "temperature").length(5);
    try (Windows one = sorted.build();
        Windows other = mixed.build()) {
      assertThat(all(other, "past")).isEqualTo(all(one, "past"));
      assertThat(other.time(3, 4)).isEqualTo(one.time(3, 4));
    }
    assertThatThrownBy(() -> all(mixed.stream(), "past"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("key 'a' comes again", "sort the table by 'sensor'", "build()");
  }

  @Test
  void shouldGoOnInTheNextFile() throws Exception {
    List<String> lines = Files.readAllLines(file("series.csv"));
    Path parts = inParts(lines.get(0), lines.subList(1, lines.size()), 18);
    Windows.Builder whole = hourly("series.csv");
    Windows.Builder inParts =
        Windows.over(parts).key("sensor").past("load", "temperature").length(8);
    try (Windows one = whole.build();
        Windows other = inParts.build()) {
      assertThat(all(other, "past")).isEqualTo(all(one, "past"));
      assertThat(all(inParts.stream(), "past")).isEqualTo(all(one, "past"));
    }
  }

  @Test
  void shouldKeepIrregularTimes() throws Exception {
    Path csv =
        Files.writeString(directory.resolve("t.csv"), "t,x\n1,1\n2,2\n4,3\n8,4\n9,5\n10,6\n");
    try (Windows windows =
        Windows.over(csv).time("t").past("x").target("x").length(2).horizon(1).build()) {
      List<Long> times = new ArrayList<>();
      for (long i = 0; i < windows.size(); i++) {
        times.add(windows.time(i, 2));
      }
      assertThat(times).containsExactly(4L, 8L, 9L, 10L);
      List<Windows> parts = windows.splitAt(8, 10);
      assertThat(parts.stream().map(Windows::size)).containsExactly(1L, 2L, 1L);
      assertThat(list(parts.get(1).get(0).get("past"))).containsExactly(2f, 3f);
      assertThatThrownBy(() -> windows.splitAt(8, 8)).hasMessageContaining("[8, 8]");
      assertThatThrownBy(() -> windows.splitAt(Instant.EPOCH))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("'t'", "without a unit", "long");
      assertThatThrownBy(() -> windows.splitByTime(0.5, 0.6)).hasMessageContaining("[0.5, 0.6]");
    }
  }

  @Test
  void shouldFillAWindowThatBeginsInAGap() throws Exception {
    Path csv = Files.writeString(directory.resolve("t.csv"), "t,x,s\n0,1,7\n5,2,7\n6,3,7\n7,4,7\n");
    Windows.Builder builder =
        Windows.over(csv)
            .time("t")
            .every(1)
            .fillGaps(-1)
            .past("x")
            .statics("s")
            .length(2)
            .stride(2);
    List<List<Float>> past =
        List.of(List.of(1f, -1f), List.of(-1f, -1f), List.of(-1f, 2f), List.of(3f, 4f));
    try (Windows windows = builder.build()) {
      assertThat(all(windows, "past")).isEqualTo(past);
      assertThat(all(windows, "static")).isEqualTo(Collections.nCopies(4, List.of(7f)));
    }
    IterableDataset<Map<String, Object>> stream = builder.stream();
    assertThat(all(stream, "past")).isEqualTo(past);
    for (int read = 0; read <= 4; read++) {
      try (SampleStream<Map<String, Object>> first = stream.open(0, 0);
          SampleStream<Map<String, Object>> second = stream.open(0, 0)) {
        first.skip(read);
        second.goTo(read, first.mark());
        List<List<Float>> rest = new ArrayList<>();
        for (PendingSample<Map<String, Object>> each = second.next();
            each != null;
            each = second.next()) {
          rest.add(list(each.get(new SampleContext(0, 0, 0)).get("past")));
        }
        assertThat(rest).isEqualTo(past.subList(read, 4));
      }
    }
  }

  // ---- through loaders ----------------------------------------------------------------------

  @Nested
  class RandomAccessTest extends DatasetContract<List<Float>> {
    @Override
    protected Dataset<List<Float>> dataset() throws Exception {
      return hourly("series.parquet").build().map(window -> list(window.get("past")));
    }
  }

  @Nested
  class StreamTest extends IterableDatasetContract<List<Float>> {
    @Override
    protected IterableDataset<List<Float>> dataset() throws Exception {
      return hourly("series.parquet").stream().map(window -> list(window.get("past")));
    }
  }

  @Nested
  class StreamWithGapsTest extends IterableDatasetContract<List<Float>> {
    @Override
    protected IterableDataset<List<Float>> dataset() throws Exception {
      return hourly("gaps.csv").repeatInGaps().stride(2).stream()
          .map(window -> list(window.get("past")));
    }
  }

  @Test
  void shouldKeepNoMoreBlocksThanTheCacheMay() throws Exception {
    List<List<Float>> expected;
    try (Windows windows = hourly("series.parquet").build()) {
      expected = all(windows, "past");
    }
    try (Windows windows =
        Windows.over(TableDataset.builder(file("series.parquet")).cacheBytes(200))
            .key("sensor")
            .past("load", "temperature")
            .length(8)
            .build()) {
      List<Integer> order = new ArrayList<>();
      for (int i = 0; i < windows.size(); i++) {
        order.add(i);
      }
      Collections.shuffle(order, new Random(1));
      for (int i : order) {
        assertThat(list(windows.get(i).get("past"))).isEqualTo(expected.get(i));
        assertThat(windows.cachedBytes()).isLessThanOrEqualTo(200);
      }
    }
  }

  // ---- mistakes -----------------------------------------------------------------------------

  private AbstractThrowableAssert<?, ?> refused(String csv, boolean stream, Windows.Builder... of)
      throws IOException {
    Path file = directory.resolve("t.csv");
    Files.writeString(file, csv);
    Windows.Builder builder =
        of.length > 0 ? of[0] : Windows.over(file).key("k").time("t").past("x").length(2);
    return assertThatThrownBy(
            () -> {
              if (stream) {
                all(builder.stream(), "past");
              } else {
                try (Windows windows = builder.build()) {
                  all(windows, "past");
                }
              }
            })
        .isInstanceOfAny(IOException.class, IllegalArgumentException.class);
  }

  private Windows.Builder table() {
    return Windows.over(directory.resolve("t.csv")).key("k").time("t").past("x").length(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldNameWhatIsWrongWithTheTable(boolean stream) throws Exception {
    refused("k,t,x\na,5,1\na,3,1\n", stream)
        .hasMessageContainingAll(
            "t.csv: line 3: key 'a': the time 3 lies before 5", "sort the table by 'k' and 't'");
    refused("k,t,x\na,5,1\na,5,1\n", stream)
        .hasMessageContainingAll("t.csv: line 3: key 'a': the time 5 comes twice");
    refused("k,t,x\na,2024-10-27 02:00:00,1\na,2024-10-27 02:00:00,1\n", stream)
        .hasMessageContainingAll("2024-10-27T02:00:00Z comes twice", "summer time", "UTC");
    refused("k,t,x\na,2024-10-27 02:00:00,1\na,2024-10-27 03:00:00+01:00,1\n", stream)
        .hasMessageContainingAll("t.csv: line 3: column 't'", "has a time zone", "none", "UTC");
    refused("k,t,x\na,noon,1\n", stream)
        .hasMessageContainingAll("t.csv: line 2: column 't': 'noon' is not a time", "2024-05-01");
    refused("k,t,x\na,,1\n", stream).hasMessageContainingAll("line 2: column 't'", "time");
    refused("k,t,x\n,1,1\n", stream).hasMessageContainingAll("t.csv: line 2: column 'k'");
    refused("k,t,x\na,1\n", stream).hasMessageContainingAll("t.csv: line 2: 2 fields");
    refused("k,time,x\na,1,1\n", stream)
        .hasMessageContainingAll("t.csv: there is no column 't'", "[k, time, x]");
    refused("k,t,x\na,1,1\na,2,\n", stream)
        .hasMessageContainingAll("t.csv: line 3: column 'x'", "null", "missing(value, \"x\")");
    refused("k,t,x\na,1,1\na,2,NaN\n", stream)
        .hasMessageContainingAll("t.csv: line 3: column 'x'", "NaN", "missing(value, \"x\")");
    refused("k,t,x\na,1,1\na,2,one\n", stream)
        .hasMessageContainingAll("t.csv: line 3: column 'x': 'one' is not a number");
    refused("k,t,x\na,1,1\na,2,1\na,4,1\na,5,1\n", stream, table().every(1))
        .hasMessageContainingAll(
            "t.csv: line 4: key 'a': 1 row is missing between 2 and 4, where a row is expected every 1",
            "skipGaps()",
            "fillGaps(value)");
    refused("k,t,x\na,1,1\na,3,1\na,6,1\n", stream, table().every(2).repeatInGaps())
        .hasMessageContainingAll("t.csv: line 4", "the distance is 3", "every 2", "skipGaps()");
    refused("k,t,x\na,1,1\na,9000000000,1\n", stream, table().every(1).repeatInGaps())
        .hasMessageContainingAll("t.csv: line 3", "8999999998 rows would fill the gap", "wrong");
    refused("k,t,x\na,1,1\na,2,1\n", stream, table().every(Duration.ofHours(1)))
        .hasMessageContainingAll("'t'", "without a unit", "long");
    refused("k,t,x\na,1,1\na,2,2\n", stream, table().statics("x"))
        .hasMessageContainingAll("t.csv: line 3: key 'a': column 'x' is static");
  }

  @Test
  void shouldRefuseOptionsThatDoNotFit() throws Exception {
    refused("k,t,x\na,1,1\nb,1,1\nb,2,1\n", false, table().length(3))
        .hasMessageContainingAll("t.csv: a window has 3 rows", "the longest, 'b', has 2 rows");
    refused("k,t,x\n", false).hasMessageContaining("t.csv: the table has no rows");
    refused("k,t,x\na,1,1\n", false, table().target("x")).hasMessageContainingAll("horizon(24)");
    refused("k,t,x\na,1,1\n", false, table().skipGaps()).hasMessageContainingAll("every(");
    refused("x\n1\n", false, Windows.over(directory.resolve("t.csv")).past("x"))
        .hasMessageContaining("length(96)");
    refused("x\n1\n", false, Windows.over(directory.resolve("t.csv")).length(1))
        .hasMessageContaining("past(\"load\")");
    refused("x\n1\n", false, Windows.over(directory.resolve("t.csv")).past("x").length(1).every(2))
        .hasMessageContaining("time(\"ts\")");
    refused(
            "k,t,x\na,1,1\n",
            false,
            Windows.over(TableDataset.builder(directory.resolve("t.csv")).features("x"))
                .past("x")
                .length(1))
        .hasMessageContainingAll("[features]", "past");
    refused("k,t,x\na,1,1\n", false, table().length(1 << 30).horizon(1 << 30).samplingRate(3))
        .hasMessageContaining("longer than a series");
    assertThatThrownBy(() -> table().skipGaps().fillGaps(0)).hasMessageContaining("choose one");
    assertThatThrownBy(() -> table().length(0)).hasMessageContaining("length must be 1 or more");
    assertThatThrownBy(() -> table().stride(0)).hasMessageContaining("stride must be 1");
    assertThatThrownBy(() -> table().every(Duration.ZERO)).hasMessageContaining("PT0S");
    assertThatThrownBy(() -> table().past()).hasMessageContaining("'past' needs one column");
    assertThatThrownBy(
            () -> Windows.over(Map.of("a", Tensor.of(new long[3]), "b", Tensor.of(new long[2]))))
        .hasMessageContaining("(n) or (n, k)");
    assertThatThrownBy(
            () ->
                Windows.over(
                        TableDataset.builder(file("series.csv"))
                            .scaling(Scaling.of(Map.of("load", new Scaling.Column(0, 2)))))
                    .tensor("load", Span.PAST, DType.INT64, "load")
                    .length(2)
                    .build())
        .hasMessageContainingAll("'load' is scaled", "INT64");
    Windows closed = hourly("series.csv").build();
    closed.close();
    closed.close();
    assertThatThrownBy(() -> closed.get(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldFailOnlyInWindowsWithABrokenRow() throws Exception {
    StringBuilder csv = new StringBuilder("t,x\n");
    for (int row = 0; row < 20; row++) {
      csv.append(row).append(',').append(row == 10 ? "NaN" : row).append('\n');
    }
    Path file = Files.writeString(directory.resolve("t.csv"), csv);
    try (Windows windows = Windows.over(file).time("t").past("x").length(3).build();
        Windows filled =
            Windows.over(TableDataset.builder(file).missing(-1, "x"))
                .time("t")
                .past("x")
                .length(3)
                .build()) {
      for (int i = 0; i < windows.size(); i++) {
        int begin = i;
        if (begin >= 8 && begin <= 10) {
          assertThatThrownBy(() -> windows.get(begin))
              .isInstanceOf(FormatException.class)
              .hasMessageContaining("t.csv: line 12");
        } else {
          assertThat(list(windows.get(i).get("past"))).containsExactly((float) i, i + 1f, i + 2f);
        }
      }
      assertThat(list(filled.get(9).get("past"))).containsExactly(9f, -1f, 11f);
    }
  }

  @Test
  void shouldReadAnInterruptedStreamFromTheSameRow() throws Exception {
    Windows.Builder builder = hourly("series.parquet");
    List<List<Float>> expected = all(builder.stream(), "past");
    List<List<Float>> found = new ArrayList<>();
    try (SampleStream<Map<String, Object>> stream = builder.stream().open(0, 0)) {
      boolean ended = false;
      for (int call = 0; !ended; call++) {
        if (call % 3 == 0) {
          Thread.currentThread().interrupt();
        }
        try {
          PendingSample<Map<String, Object>> window = stream.next();
          Thread.interrupted();
          ended = window == null;
          if (!ended) {
            found.add(list(window.get(new SampleContext(0, 0, 0)).get("past")));
          }
        } catch (InterruptedException | IOException stopped) {
          assertThat(stopped.toString()).contains("nterrupt");
          Thread.interrupted();
        }
      }
    }
    assertThat(found).isEqualTo(expected);
    assertThat(Arrays.asList(found.get(0), found.get(1))).doesNotHaveDuplicates();
  }
}
