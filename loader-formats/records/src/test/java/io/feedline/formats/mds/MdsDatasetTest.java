package io.feedline.formats.mds;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MdsDatasetTest extends DatasetContract<Map<String, Object>> {

  @TempDir Path root;

  private Path plain;

  @Override
  protected Dataset<Map<String, Object>> dataset() throws IOException {
    plain = Fixtures.copy("plain", root);
    return MdsDataset.builder(plain).columns("int", "any", "bytes", "str").build();
  }

  @Test
  void shouldGiveTheValuesThatPythonWrote() throws Exception {
    List<String> values = new ArrayList<>();
    try (MdsDataset dataset = MdsDataset.builder(plain).verifyChecksums(true).build()) {
      for (long i = 0; i < dataset.size(); i++) {
        for (Map.Entry<String, Object> value : dataset.get(i).entrySet()) {
          values.add("%d\t%s\t%s".formatted(i, value.getKey(), Fixtures.shown(value.getValue())));
        }
      }
      assertThat(dataset.shardSizes()).containsExactly(5, 5, 2);
      assertThat(dataset.columns()).containsEntry("jpeg", "jpeg:90");
      assertThat(dataset.describe(6)).isEqualTo(plain.resolve("shard.00001.mds") + ", sample 1");
    }

    assertThat(values).isEqualTo(Fixtures.lines("values.txt"));
  }

  @Test
  void shouldGiveImagesThatAreNotDecodedYet() throws Exception {
    try (MdsDataset dataset = MdsDataset.builder(plain).columns("pil", "png").build()) {
      Image raw = (Image) dataset.get(1).get("pil");
      assertThat(raw.pixels().rgb()).containsExactly(0x10, 0x10, 0x10, 0x20, 0x20, 0x20);
      assertThat(((Image) dataset.get(0).get("pil")).pixels().rgb()).containsExactly('a', 'b', 'c');
      assertThat(dataset.get(0)).containsOnlyKeys("pil", "png");
    }
  }

  @Test
  void shouldRefuseAColumnOfPicklesAndReadTheOthers() throws Exception {
    Path directory = Fixtures.copy("pkl", root);

    assertThatThrownBy(() -> MdsDataset.of(directory))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("index.json", "shard 0", "'meta'", "pickle", "columns(...)");
    try (MdsDataset dataset = MdsDataset.builder(directory).columns("x").build()) {
      assertThat(dataset.get(0)).containsOnlyKeys("x");
    }
  }

  @Test
  void shouldNameAColumnThatIsNotThere() {
    assertThatThrownBy(() -> MdsDataset.builder(plain).columns("nothing").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("nothing", "str_int");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\": 2, \"zip | \"version\": 3, \"zip | version 3",
        "\"mds\" | \"json\" | format 'json'",
        "shard.00001.mds | ../00001.mds | path of a file below",
        "\"samples\": 2 | \"samples\": -2 | 'samples'",
        "\"samples\": 2 | \"samples\": null | 'samples'",
        "\"bytes\": 7 | \"bytes\": 99999999997 | 'bytes'",
        "\"uint8\", \"uint8\" | \"uint8\" | column",
        "\"float16\" | \"float128\" | unknown encoding",
        "\"float16\" | \"uint8:3\" | no parameters",
        "ndarray:float32:2,3 | ndarray:float32:2,4 | do not have 24 bytes",
        "ndarray:float32:2,3 | ndarray:float32:65535,65535 | shape",
        "ndarray:float32:2,3 | ndarray:object | dtype",
        "\"shards\" | \"parts\" | list of shards",
        "{ | [ | position",
        "\"hashes\": { | \"hashe5\": { | is missing",
        "\"png\", \"str\" | \"pnf\", \"str\" | unknown encoding 'pnf'",
        "\"png\", \"str\" | null, \"str\" | must be a string, was null",
        "jpeg:90 | jpeg:\u00ff | it should be JSON in UTF-8",
      })
  void shouldRefuseAnIndexThatSaysSomethingElse(String found, String instead, String reason)
      throws Exception {
    Path index = plain.resolve("index.json");
    String text = Files.readString(index);
    assertThat(text).contains(found.equals("\"uint8\", \"uint8\"") ? "\"uint8\"" : found);
    String changed =
        found.equals("\"uint8\", \"uint8\"")
            ? text.replaceFirst("\"uint8\"", "\"uint8\", \"uint8\"")
            : text.replace(found, instead);
    Files.write(index, changed.getBytes(ISO_8859_1));

    refused(FormatException.class, () -> MdsDataset.of(plain), "index.json", reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x1p3", "1f", "\0.5"})
  void shouldRefuseFloatsOfJavaAlone(String text) {
    MdsEncoding encoding = MdsEncoding.of("str_float");
    assertThatThrownBy(() -> encoding.decode(UTF_8.encode(text), "a place"))
        .hasMessage("it should be a number, found '%s'", text);
  }

  @Test
  void shouldNameAnIndexOrAShardThatIsMissing() throws Exception {
    Files.delete(plain.resolve("shard.00001.mds"));
    try (MdsDataset dataset = MdsDataset.of(plain)) {
      assertThat(dataset.get(4)).isNotEmpty();
      refused(FileNotFoundException.class, () -> dataset.get(5), "shard.00001.mds");
      assertThat(dataset.get(10)).isNotEmpty();
    }
    Files.delete(plain.resolve("index.json"));
    refused(FileNotFoundException.class, () -> MdsDataset.of(plain), "not a finished MDS dataset");
  }

  @Test
  void shouldNoticeAShardOfAnotherLengthOrChecksum() throws Exception {
    Path shard = plain.resolve("shard.00000.mds");
    byte[] bytes = Files.readAllBytes(shard);
    Files.write(shard, Arrays.copyOf(bytes, bytes.length - 1));
    try (MdsDataset dataset = MdsDataset.of(plain)) {
      assertThatThrownBy(() -> dataset.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("shard.00000.mds", bytes.length - 1 + " bytes", "truncated");
      assertThat(dataset.get(5)).isNotEmpty();
    }
    bytes[bytes.length - 1] ^= 1;
    Files.write(shard, bytes);
    try (MdsDataset dataset = MdsDataset.builder(plain).verifyChecksums(true).build()) {
      refused(FormatException.class, () -> dataset.get(0), "shard.00000.mds", "md5", "index says");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zstd"})
  void shouldNotInflateADamagedShardAgainUntilItChanges(String compression) throws Exception {
    Path dataset = Fixtures.copy(compression, root);
    Path zip = dataset.resolve(MdsIndex.read(dataset).shards().get(0).zip().basename());
    byte[] whole = Files.readAllBytes(zip);
    byte[] damaged = whole.clone();
    damaged[whole.length / 2] ^= 0x55;
    damaged[whole.length - 5] ^= 0x55;
    Files.write(zip, damaged);
    FileTime modified = Files.getLastModifiedTime(zip);
    try (MdsDataset samples = MdsDataset.of(dataset)) {
      Throwable first = catchThrowable(() -> samples.get(0));
      assertThat(first).isInstanceOf(FormatException.class).hasMessageContaining(zip.toString());
      // Of the same size and time, so not seen to have changed; inflating it would fail otherwise.
      Files.write(zip, new byte[whole.length]);
      Files.setLastModifiedTime(zip, modified);

      assertThatThrownBy(() -> samples.get(1))
          .isInstanceOf(FormatException.class)
          .hasMessage(first.getMessage());

      Files.write(zip, whole);
      Files.setLastModifiedTime(zip, FileTime.fromMillis(1));
      assertThat(samples.get(1)).isNotEmpty();
    }
  }

  @Test
  void shouldSayThatAChecksumCannotBeVerified() throws Exception {
    Path index = plain.resolve("index.json");
    Files.writeString(
        index,
        Files.readString(index)
            .replace("\"md5\":", "\"xxh64\":")
            .replace("\"sha1\":", "\"xxh3_64\":"));
    try (MdsDataset dataset = MdsDataset.builder(plain).verifyChecksums(true).build()) {
      assertThatThrownBy(() -> dataset.get(0))
          .hasMessageContainingAll("xxh64", "the JDK knows none");
    }
  }

  /** Each word of the header changed: noticed where it matters, and nothing else is thrown. */
  @Test
  void shouldNoticeDamagedOffsets() throws Exception {
    Path shard = plain.resolve("shard.00000.mds");
    byte[] bytes = Files.readAllBytes(shard);
    int[] wrong = {0, 1, 27, -1, Integer.MAX_VALUE, bytes.length + 1};
    for (int word = 0; word < 7; word++) {
      for (int value : wrong) {
        byte[] damaged = bytes.clone();
        ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN).putInt(4 * word, value);
        Files.write(shard, damaged);
        int sample = Math.max(0, Math.min(word - 1, 4));
        try (MdsDataset dataset = MdsDataset.of(plain)) {
          assertThatThrownBy(() -> dataset.get(sample))
              .as("word %d, value %d", word, value)
              .isInstanceOf(FormatException.class)
              .hasMessageContaining("shard.00000.mds");
        }
      }
    }
  }

  /** Any byte of a sample changed gives a sample or a clear error. */
  @Test
  void shouldGiveASampleOrAClearErrorForDamageAnywhere() throws Exception {
    Path shard = plain.resolve("shard.00002.mds");
    byte[] bytes = Files.readAllBytes(shard);
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int failures = 0;
    for (int at = words.getInt(4); at < words.getInt(8); at += 5) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) 0xA5;
      Files.write(shard, damaged);
      try (MdsDataset dataset = MdsDataset.of(plain)) {
        assertThat(dataset.get(10)).isNotEmpty();
      } catch (IOException expected) {
        failures++;
        assertThat(expected).hasMessageContainingAll("shard.00002.mds", "sample 0");
      }
    }
    assertThat(failures).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zstd"})
  void shouldInflateShardsOfAnotherFileSystemIntoALocalDirectory(String compression)
      throws Exception {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path there = Fixtures.copy(compression, files.getPath("/work"));
      Path here = Fixtures.copy(compression, root);
      Path cache = root.resolve("cache");
      List<Path> before;
      try (var listed = Files.list(there)) {
        before = listed.toList();
      }
      try (MdsDataset local = MdsDataset.of(here);
          MdsDataset temporary = MdsDataset.builder(there).verifyChecksums(true).build();
          MdsDataset cached = MdsDataset.builder(there).cache(cache).build()) {
        assertThat(temporary.fingerprint()).isEqualTo(local.fingerprint());
        for (long i = 0; i < local.size(); i++) {
          Map<String, String> expected = shown(local.get(i));
          assertThat(shown(temporary.get(i))).isEqualTo(expected);
          assertThat(shown(cached.get(i))).isEqualTo(expected);
        }
      }
      assertThat(cache).isNotEmptyDirectory();
      try (var listed = Files.list(there)) {
        assertThat(listed).containsExactlyElementsOf(before);
      }
      assertThatThrownBy(() -> MdsDataset.builder(here).cache(there).build())
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(there.toUri().toString(), "Write to a local path");
    }
  }

  private static Map<String, String> shown(Map<String, Object> sample) {
    Map<String, String> shown = new TreeMap<>();
    sample.forEach((name, value) -> shown.put(name, Fixtures.shown(value)));
    return shown;
  }
}
