package io.feedline.formats.hdf5;

import static io.feedline.formats.hdf5.Fixtures.elements;
import static io.feedline.formats.hdf5.Fixtures.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.Strength;
import io.feedline.Together;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Hdf5DatasetTest {

  private static final int ROW = 5 * 6 * 3;

  private static final String[] ARRAYS = {"eights", "ones", "contiguous", "labels"};

  @TempDir private Path directory;

  private Hdf5Dataset open(String fixture, String... arrays) throws IOException {
    return Hdf5Dataset.of(Fixtures.copy(directory, fixture), arrays);
  }

  private static TensorSource field(Hdf5Dataset dataset, long index) throws IOException {
    return dataset.get(index).values().iterator().next();
  }

  private static List<Double> row(long row) {
    List<Double> expected = new ArrayList<>();
    for (long i = 0; i < ROW; i++) {
      expected.add((double) value(row * ROW + i));
    }
    return expected;
  }

  private static void requireRows(Hdf5Dataset dataset) throws Exception {
    assertThat(dataset.size()).isEqualTo(10);
    for (int row : new int[] {9, 0, 3, 4, 5, 1, 2, 8, 7, 6}) {
      TensorSource tensor = field(dataset, row);
      assertThat(tensor.shape()).isEqualTo(Shape.of(5, 6, 3));
      assertThat(elements(tensor)).as("row %d", row).isEqualTo(row(row));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "contiguous",
        "sample",
        "samples",
        "tiles",
        "blocks",
        "plain blocks",
        "wider",
        "gzip",
        "gzip samples",
        "shuffle",
        "shuffle samples",
        "only shuffle",
        "fletcher",
        "all",
        "lzf",
        "one chunk",
        "grown",
        "shrunk",
        "masked"
      })
  void shouldReadEveryLayoutAndFilterThatH5pyWrites(String array) throws Exception {
    for (String fixture : List.of("layouts.h5", "latest.h5")) {
      try (Hdf5Dataset dataset = open(fixture, array)) {
        boolean wide =
            List.of("shuffle", "shuffle samples", "only shuffle", "all", "lzf").contains(array);
        assertThat(field(dataset, 0).dtype()).isEqualTo(wide ? DType.FLOAT32 : DType.UINT8);
        requireRows(dataset);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "2x3", "2x1x3", "3x1x5", "2x2x2", "2x1x3x2"})
  void shouldReadElementsOfArrayType(String lengths) throws Exception {
    Shape shape =
        Shape.of(Arrays.stream(lengths.split("x", -1)).mapToLong(Long::parseLong).toArray());
    for (String fixture : List.of("arrays.h5", "arrays_v110.h5")) {
      for (String array : List.of(lengths, "chunked " + lengths)) {
        try (Hdf5Dataset dataset = open(fixture, array)) {
          assertThat(dataset.size()).isEqualTo(4);
          for (int row = 3; row >= 0; row--) {
            assertThat(field(dataset, row).shape()).isEqualTo(shape);
            double first = row * shape.elements();
            assertThat(elements(field(dataset, row)))
                .hasSize((int) shape.elements())
                .startsWith(first, first + 1)
                .endsWith(first + shape.elements() - 1);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"arrays.h5, group/link", "arrays.h5, ./group/./there", "hdf5_2.h5, plain"})
  void shouldFindArraysByLinksAndInFilesOfHdf5Two(String fixture, String array) throws Exception {
    try (Hdf5Dataset dataset = open(fixture, array)) {
      assertThat(dataset.size()).isEqualTo(3);
    }
  }

  @Test
  void shouldGiveWhatWasNotWrittenItsFillValue() throws Exception {
    for (String fixture : List.of("layouts.h5", "latest.h5")) {
      try (Hdf5Dataset dataset = open(fixture, "fill", "unwritten")) {
        assertThat(elements(dataset.get(0).get("fill"))).hasSize(ROW).containsOnly(-7.0);
        assertThat(elements(dataset.get(4).get("fill"))).isEqualTo(row(0));
        assertThat(elements(dataset.get(5).get("fill"))).containsOnly(-7.0);
        assertThat(elements(dataset.get(7).get("unwritten"))).hasSize(ROW).containsOnly(0.0);
      }
    }
  }

  @Test
  void shouldGiveSeveralFieldsByName() throws Exception {
    Path file = Fixtures.copy(directory, "layouts.h5");
    try (Hdf5Dataset dataset =
        Hdf5Dataset.builder(file)
            .field("image", "/gzip")
            .field("labels")
            .label("target", "chunked labels")
            .build()) {
      Map<String, TensorSource> sample = dataset.get(8);
      assertThat(sample.keySet()).containsExactly("image", "labels", "target");
      assertThat(sample.get("labels").dtype()).isEqualTo(DType.INT32);
      assertThat(sample.get("labels").shape()).isEqualTo(Shape.SCALAR);
      assertThat(sample.get("target").dtype()).isEqualTo(DType.INT64);
      assertThat(elements(sample.get("labels"))).containsExactly((double) value(8));
      assertThat(elements(sample.get("target"))).containsExactly((double) value(8));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "i1, INT8",
    "u1, UINT8",
    "i2, INT16",
    "u2, INT32",
    "i4, INT32",
    "u4, INT64",
    "i8, INT64",
    "u8, INT64",
    "f4, FLOAT32",
    "f8, FLOAT64"
  })
  void shouldReadEveryTypeInEitherByteOrder(String code, DType dtype) throws Exception {
    long added =
        code.equals("u2")
            ? 65_000
            : code.equals("u4") ? 4_294_960_000L : code.startsWith("i") ? -100 : 0;
    for (String order : List.of("<", ">")) {
      try (Hdf5Dataset dataset = open("types.h5", order + code)) {
        for (int row = 0; row < 4; row++) {
          TensorSource tensor = field(dataset, row);
          assertThat(tensor.dtype()).isEqualTo(dtype);
          List<Double> expected = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            long plain = value(row * 3 + i);
            long stored =
                switch (code) {
                  case "i1" -> (byte) ((byte) plain - 100);
                  case "u2" -> (plain + added) & 0xffff;
                  case "u4" -> (plain + added) & 0xffff_ffffL;
                  default -> plain + added;
                };
            expected.add((double) stored);
          }
          assertThat(elements(tensor)).isEqualTo(expected);
        }
      }
    }
  }

  /** Half precision is compared by its bits. */
  @ParameterizedTest
  @CsvSource({
    "'<f2', 0, FLOAT16, '3', 0x4200 0x4900 0x4c40",
    "'>f2', 0, FLOAT16, '3', 0x4200 0x4900 0x4c40",
    "bf16, 0, BFLOAT16, '2', 0x3fc0 0xc000",
    "bool, 1, BOOL, '3', 1 0 1",
    "enum, 1, UINT8, '3', 0 1 2",
    "array, 1, INT16, '2, 3', 45 52 59 66 73 80",
    "compact, 1, FLOAT32, '3', 24 31 38"
  })
  void shouldReadOtherTypesAndCompactData(
      String array, int row, DType dtype, String shape, String values) throws Exception {
    try (Hdf5Dataset dataset = open("types.h5", array)) {
      TensorSource tensor = dataset.get(row).get(array);
      assertThat(tensor.dtype()).isEqualTo(dtype);
      assertThat(tensor.shape()).hasToString("(" + shape + ")");
      assertThat(elements(tensor))
          .isEqualTo(
              Stream.of(values.split(" ", -1)).map(each -> (double) Long.decode(each)).toList());
    }
  }

  @Test
  void shouldRefuseANumberThatNoSignedIntegerCanBe() throws Exception {
    try (Hdf5Dataset dataset = open("types.h5", "u8 large")) {
      assertThat(elements(field(dataset, 0))).containsExactly(1.0);
      TensorSource large = field(dataset, 1);
      assertThatThrownBy(() -> elements(large))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("u8 large[1]", "9223372036854775808");
    }
  }

  @Test
  void shouldReadBehindAUserBlock() throws Exception {
    try (Hdf5Dataset dataset = open("block.h5", "contiguous", "gzip")) {
      for (String name : List.of("contiguous", "gzip")) {
        assertThat(elements(dataset.get(2).get(name))).containsExactly(59.0, 66.0, 73.0, 80.0);
      }
    }
  }

  @Test
  void shouldReadAGroupForEachSampleInTheOrderOfTheirNumbers() throws Exception {
    Path file = Fixtures.copy(directory, "groups.h5");
    for (String parent : List.of("data", "/data/", "linked")) {
      try (Hdf5Dataset dataset =
          Hdf5Dataset.builder(file)
              .field("x")
              .field("y")
              .label("label")
              .groupPerSample(parent)
              .build()) {
        assertThat(dataset.size()).isEqualTo(5);
        int[] numbers = {0, 1, 2, 9, 10};
        for (int i = 0; i < 5; i++) {
          Map<String, TensorSource> sample = dataset.get(i);
          assertThat(dataset.describe(i)).endsWith("group " + numbers[i]);
          assertThat(sample.get("x").dtype()).isEqualTo(DType.INT16);
          assertThat(sample.get("x").shape()).isEqualTo(Shape.of(2, 3));
          assertThat(elements(sample.get("x")).get(5)).isEqualTo(38.0 + numbers[i]);
          assertThat(sample.get("label").dtype()).isEqualTo(DType.INT64);
          assertThat(elements(sample.get("label"))).containsExactly((double) numbers[i]);
          List<Double> y = elements(sample.get("y"));
          for (int e = 0; e < 16; e++) {
            assertThat(y.get(e)).isEqualTo((double) (value(e) % 97 + numbers[i]));
          }
        }
      }
    }
  }

  @Test
  void shouldBecomeBatches() throws Exception {
    Path file = Fixtures.copy(directory, "layouts.h5");
    try (Hdf5Dataset dataset =
            Hdf5Dataset.builder(file).field("gzip samples").label("labels").build();
        DataLoader<Map<String, TensorSource>> loader =
            DataLoader.builder(dataset).batchSize(5).numWorkers(2).build()) {
      int row = 0;
      for (Batch batch : loader) {
        try (batch) {
          byte[] images = batch.tensor("gzip samples").toByteArray();
          for (int i = 0; i < 5 * ROW; i++) {
            assertThat(images[i] & 0xff).isEqualTo((int) value((long) row * ROW + i));
          }
          for (long label : batch.tensor("labels").toLongArray()) {
            assertThat(label).isEqualTo(value(row++));
          }
        }
      }
      assertThat(row).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 400, 1 << 20})
  void shouldKeepChunksOfSeveralSamplesUpToItsLimit(long limit) throws Exception {
    Path file = Fixtures.copy(directory, "layouts.h5");
    try (Hdf5Dataset dataset =
        Hdf5Dataset.builder(file).field("gzip samples").cacheBytes(limit).build()) {
      Together.inEightThreads(
          thread -> {
            for (int round = 0; round < 20; round++) {
              requireRows(dataset);
              // The one that was restored last is kept, whatever the limit.
              assertThat(dataset.cachedBytes()).isLessThanOrEqualTo(Math.max(limit, 4 * ROW));
            }
            return null;
          });
      assertThat(dataset.cachedBytes()).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "odd.h5, absent | there is no | ; beside it there are [",
        "odd.h5, four/x | there is no | : four is not a group",
        "odd.h5, circle | leads to more than 16 links | ''",
        "odd.h5, strings | elements of StringData | no tensor can have",
        "odd.h5, compound | elements of CompoundDataType | no tensor can have",
        "odd.h5, scalar | is a scalar | the first axis must be that of the samples",
        "odd.h5, null | null dataspace | ''",
        "odd.h5, scaleoffset | filter 6 (scaleoffset) | gzip, shuffle, fletcher32 and lzf are",
        "odd.h5, outside | is in another file | ''",
        "odd.h5, / | is not a dataset but a GROUP | ''",
        "virtual.h5, x | Virtual storage is not supported | ''",
        "external.h5, x | External Data Files | ''",
        "arrays.h5, odd bias | FloatingPoint | ''",
        "arrays.h5, negative | negative values | ''",
        "hdf5_2.h5, gzip | h5repack | ''",
        "hdf5_2.h5, bool | h5repack | ''",
      })
  void shouldNameWhatIsMissingOrNotSupported(String place, String problem, String more) {
    String[] fileAndArray = place.split(", ", -1);

    assertThatThrownBy(() -> open(fileAndArray[0], fileAndArray[1]))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(place, problem, more);
  }

  @Test
  void shouldRefuseFieldsThatDoNotGoTogether() throws IOException {
    assertThatThrownBy(() -> open("odd.h5", "four", "five"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("four has 4 samples", "five has 5");
    Path file = Fixtures.copy(directory, "odd.h5");
    assertThatThrownBy(() -> Hdf5Dataset.builder(file).label("floats").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("labels are integers");
    assertThatThrownBy(() -> Hdf5Dataset.of(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one field or more");
    assertThatThrownBy(() -> Hdf5Dataset.of(file, "four", "/four"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[four, four]");
    assertThatThrownBy(() -> Hdf5Dataset.builder(file).field("four").cacheBytes(-1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was -1");
  }

  @Test
  void shouldNameWhatASamplesGroupLacks() throws IOException {
    Path file = Fixtures.copy(directory, "groups.h5");
    try (Hdf5Dataset dataset =
        Hdf5Dataset.builder(file).field("z").groupPerSample("data").build()) {
      assertThatThrownBy(() -> dataset.get(3))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("9/z", "[label, x, y]");
    }
    assertThatThrownBy(() -> Hdf5Dataset.builder(file).field("x").groupPerSample("empty").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("empty has no groups in it");
    assertThatThrownBy(
            () -> Hdf5Dataset.builder(file).field("x").groupPerSample("data/note").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("is not a group");
  }

  @Test
  void shouldNameAFileThatIsMissingOrNoHdf5() throws IOException {
    Path absent = directory.resolve("absent.h5");
    assertThatThrownBy(() -> Hdf5Dataset.of(absent, "x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(absent + ": there is no such file");
    for (int length : new int[] {0, 7, 3000}) {
      Path other = Files.write(directory.resolve("other.h5"), new byte[length]);
      assertThatThrownBy(() -> Hdf5Dataset.of(other, "x"))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(other.toString());
    }
    String descriptors = "/proc/%d/fd".formatted(ProcessHandle.current().pid());
    Process listing = new ProcessBuilder("ls", "-l", descriptors).start();
    assertThat(listing.getInputStream()).asString(UTF_8).doesNotContain("/other.h5");
  }

  @Test
  void shouldSayWhichChunkIsDamaged() throws Exception {
    byte[] bytes = Fixtures.bytes("layouts.h5");
    Path file = directory.resolve("damaged.h5");
    SplittableRandom random = new SplittableRandom(1);
    int refused = 0;
    for (int round = 0; round < 60; round++) {
      byte[] damaged = bytes.clone();
      // Somewhere among the data; structure that breaks is refused when the file is opened.
      for (int i = 0; i < 200; i++) {
        damaged[random.nextInt(8000, damaged.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(file, damaged);
      for (String array : List.of("gzip", "all", "lzf", "fletcher", "gzip samples", "tiles")) {
        refused += readAll(file, array);
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void shouldRefuseFilesThatAreCutOff() throws Exception {
    byte[] bytes = Fixtures.bytes("layouts.h5");
    Path file = directory.resolve("cut.h5");
    int refused = 0;
    for (int length = 100; length < bytes.length; length += 4700) {
      Files.write(file, Arrays.copyOf(bytes, length));
      for (String array : List.of("contiguous", "gzip", "samples", "labels")) {
        refused += readAll(file, array);
      }
    }
    assertThat(refused).isGreaterThan(20);
  }

  /** Reads rows; each is right, or refused with an exception that names the file. */
  private static int readAll(Path file, String array) throws Exception {
    int refused = 0;
    try (Hdf5Dataset dataset = Hdf5Dataset.of(file, array)) {
      for (long i = 0; i < Math.min(20, dataset.size()); i++) {
        TensorSource tensor = field(dataset, i);
        if (tensor.shape().elements() * tensor.dtype().bytes() > 1 << 20) {
          continue;
        }
        try {
          elements(tensor);
        } catch (IOException damaged) {
          assertThat(damaged).hasMessageContaining(file.toString()).hasMessageContaining(array);
          refused++;
        }
      }
    } catch (IOException damaged) {
      assertThat(damaged).hasMessageContaining(file.toString());
      refused++;
    }
    return refused;
  }

  @Test
  void shouldRefuseToReadAfterItWasClosed() throws Exception {
    Hdf5Dataset dataset = open("layouts.h5", "gzip");
    TensorSource tensor = field(dataset, 0);
    dataset.close();
    dataset.close();

    assertThatThrownBy(() -> elements(tensor))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  // ---- a bit that turned in the structure, most of which has no checksum ----

  private static List<List<Double>> rows(Path file, String array) throws Exception {
    List<List<Double>> rows = new ArrayList<>();
    try (Hdf5Dataset dataset = Hdf5Dataset.of(file, array)) {
      for (long i = 0; i < dataset.size(); i++) {
        TensorSource row = dataset.get(i).get(array);
        rows.add(Fixtures.elements(row));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"opaque.h5", "opaque_latest.h5"})
  void shouldReadBesideWhatCannotBeRead(String fixture) throws Exception {
    Path file = Fixtures.copy(directory, fixture);

    assertThat(rows(file, "x")).hasSize(8).first().isEqualTo(List.of(3.0, 10.0, 17.0));
    try (Hdf5Dataset groups =
        Hdf5Dataset.builder(file).field("a").groupPerSample("samples").build()) {
      assertThat(groups.size()).isEqualTo(3);
      assertThat(Fixtures.elements(groups.get(2).get("a"))).containsExactly(3.0, 10.0, 17.0);
    }
    assertThatThrownBy(() -> Hdf5Dataset.of(file, "blob"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(fixture, "blob");
  }

  /** Returns the place of the first B-tree node of chunks. */
  private static int node(byte[] data) {
    int at = 0;
    while (data[at] != 'T' || data[at + 1] != 'R' || data[at + 2] != 'E' || data[at + 4] != 1) {
      at++;
    }
    return at;
  }

  /**
   * Two chunks of three; and the second key's first offset, 8, behind the first key and address.
   */
  @ParameterizedTest
  @CsvSource({"6, 2, lacks 1 chunk:", "72, 0, node at"})
  void shouldRefuseAnIndexThatHasLostAChunkOrItsPlace(int offset, byte value, String problem)
      throws Exception {
    byte[] data = Fixtures.bytes("chunks.h5");
    data[node(data) + offset] = value;
    Path file = Files.write(directory.resolve("x.h5"), data);

    assertThatThrownBy(() -> rows(file, "eights"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("x.h5, eights", problem);
  }

  @Test
  void shouldRefuseAShapeThatLeavesChunksOut() throws Exception {
    byte[] data = Fixtures.bytes("chunks.h5");
    ByteBuffer buffer = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    int changed = 0;
    for (int at = 0; at + 32 <= data.length; at += 8) {
      // A dataspace of (24, 6), and the most that it may become.
      if (buffer.getLong(at) == 24
          && buffer.getLong(at + 8) == 6
          && buffer.getLong(at + 16) == 24) {
        buffer.putLong(at, 16);
        changed++;
      }
    }
    Path file = Files.write(directory.resolve("x.h5"), data);

    assertThat(changed).isEqualTo(3);
    for (String array : List.of("eights", "ones")) {
      assertThatThrownBy(() -> rows(file, array))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("x.h5, " + array, "has a chunk at [16, 0]", "[16, 6]");
    }
    assertThatThrownBy(() -> rows(file, "contiguous"))
        .hasMessageContainingAll("x.h5, contiguous", "96 bytes", "144 are stored");
  }

  @Test
  void shouldNeverLoseRowsToABitThatTurned() throws Exception {
    byte[] whole = Fixtures.bytes("chunks.h5");
    Path file = directory.resolve("x.h5");
    Files.write(file, whole);
    List<List<List<Double>>> expected = new ArrayList<>();
    for (String array : ARRAYS) {
      expected.add(rows(file, array));
    }
    Random random = new Random(3);
    int refused = 0;
    for (int i = 0; i < Strength.of(1500); i++) {
      byte[] data = whole.clone();
      int at = random.nextInt(data.length);
      data[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, data);
      for (int a = 0; a < ARRAYS.length; a++) {
        try (Hdf5Dataset dataset = Hdf5Dataset.of(file, ARRAYS[a])) {
          assertThat(dataset.size()).as("byte %d, %s", at, ARRAYS[a]).isGreaterThanOrEqualTo(24);
          int other = 0;
          for (int row = 0; row < 24; row++) {
            List<Double> found = Fixtures.elements(dataset.get(row).get(ARRAYS[a]));
            other += found.equals(expected.get(a).get(row)) ? 0 : 1;
          }
          // A contiguous array has one address, without a checksum; a chunk has its own.
          int most = ARRAYS[a].equals("contiguous") || ARRAYS[a].equals("labels") ? 24 : 1;
          assertThat(other).as("byte %d, %s", at, ARRAYS[a]).isLessThanOrEqualTo(most);
        } catch (FormatException damaged) {
          refused++;
        }
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void shouldNeverLoseGroupsToABitThatTurned() throws Exception {
    byte[] whole = Fixtures.bytes("groups.h5");
    Path file = directory.resolve("x.h5");
    Random random = new Random(4);
    int refused = 0;
    for (int i = 0; i < Strength.of(3000); i++) {
      byte[] data = whole.clone();
      int at = random.nextInt(data.length);
      data[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, data);
      try (Hdf5Dataset dataset =
          Hdf5Dataset.builder(file).field("x").groupPerSample("data").build()) {
        assertThat(dataset.size()).as("byte %d of %02x", at, whole[at]).isEqualTo(5);
      } catch (FormatException damaged) {
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void shouldSampleTheWholeOfALargeFile() throws Exception {
    Path file = directory.resolve("large");
    byte[] data = new byte[3_000_001];
    Files.write(file, data);
    String expected = sample(file);
    int seen = 0;
    int tried = 0;
    for (int at = 0; at < data.length; at += 31_000) {
      byte[] changed = data.clone();
      Arrays.fill(changed, at, Math.min(data.length, at + 50_000), (byte) 1);
      Files.write(file, changed);
      seen += sample(file).equals(expected) ? 0 : 1;
      tried++;
    }
    assertThat(seen).isEqualTo(tried);
  }

  private static String sample(Path file) throws IOException {
    try (OpenFile open = OpenFile.of(file)) {
      return FileSample.of(open);
    }
  }

  @Nested
  class OfArrays extends DatasetContract<Map<String, TensorSource>> {
    @Override
    protected Dataset<Map<String, TensorSource>> dataset() throws IOException {
      return open("layouts.h5", "blocks", "shuffle samples", "chunked labels", "contiguous");
    }
  }

  @Nested
  class OfGroups extends DatasetContract<Map<String, TensorSource>> {
    @Override
    protected Dataset<Map<String, TensorSource>> dataset() throws IOException {
      return Hdf5Dataset.builder(Fixtures.copy(directory, "groups.h5"))
          .field("x")
          .field("y")
          .label("label")
          .groupPerSample("data")
          .build();
    }
  }
}
