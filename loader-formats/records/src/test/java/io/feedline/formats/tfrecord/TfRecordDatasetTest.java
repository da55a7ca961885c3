package io.feedline.formats.tfrecord;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TfRecordDatasetTest extends DatasetContract<byte[]> {

  @TempDir private Path directory;

  @Override
  protected Dataset<byte[]> dataset() throws IOException {
    Path folder = Files.createTempDirectory(directory, "contract");
    Fixtures.write(folder.resolve("a-00000-of-00004"), List.of());
    Fixtures.write(folder.resolve("a-00001-of-00004"), Fixtures.raw());
    Fixtures.write(folder.resolve("a-00002-of-00004"), List.of());
    Fixtures.write(folder.resolve("a-00003-of-00004"), List.of(new byte[] {9}, new byte[70_000]));
    return TfRecordDataset.of(folder.resolve("a-*"));
  }

  /** Records that carry their number, of all lengths around the scan's window. */
  private static List<byte[]> numbered(int from, int count) {
    List<byte[]> records = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      byte[] record = new byte[i % 50 == 49 ? (1 << 18) + i : 4 + i % 97];
      Arrays.fill(record, (byte) i);
      records.add(record);
    }
    return records;
  }

  private List<byte[]> shards() throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<byte[]> records = numbered(all.size(), i == 1 ? 0 : 120);
      Fixtures.write(directory.resolve("n-0000%d-of-00003".formatted(i)), records);
      all.addAll(records);
    }
    return all;
  }

  private static void requireAll(TfRecordDataset dataset, List<byte[]> expected)
      throws IOException {
    assertThat(dataset.size()).isEqualTo(expected.size());
    for (int i = expected.size() - 1; i >= 0; i--) {
      assertThat(dataset.get(i)).isEqualTo(expected.get(i));
    }
  }

  private Path index(int shard) {
    return directory.resolve(".n-0000%d-of-00003.tfindex".formatted(shard));
  }

  @Test
  void shouldReadInAnyOrderWhatTensorFlowWrote() throws IOException {
    Path file = Fixtures.copy(directory, List.of("raw.tfrecord"));
    try (TfRecordDataset dataset = TfRecordDataset.of(file)) {
      requireAll(dataset, Fixtures.raw());
    }
  }

  @Test
  void shouldReadTheSameWithAnIndexThatWasMadeAndOneThatWasKept() throws IOException {
    List<byte[]> expected = shards();
    for (int round = 0; round < 2; round++) {
      try (TfRecordDataset dataset = TfRecordDataset.of(directory.resolve("n-*"))) {
        requireAll(dataset, expected);
        assertThat(dataset.shardSizes()).containsExactly(120, 0, 120);
        assertThat(dataset.path(121)).isEqualTo(dataset.files().get(2));
        assertThat(dataset.describe(121))
            .isEqualTo(directory.resolve("n-00002-of-00003") + ", record 1 at offset 43");
      }
      assertThat(index(0)).isRegularFile().hasSize(48 + 8 * 121);
    }
  }

  @Test
  void shouldKeepIndexesInMemoryWhereTheyAreNotWantedOrCannotBeWritten() throws IOException {
    List<byte[]> expected = shards();
    Path pattern = directory.resolve("n-*");
    for (TfRecordDataset.Builder files :
        List.of(
            TfRecordDataset.builder(pattern).keepIndex(false).openFiles(1),
            TfRecordDataset.builder(pattern).indexDirectory(directory.resolve("absent")))) {
      try (TfRecordDataset dataset = files.build()) {
        requireAll(dataset, expected);
      }
      assertThat(index(0)).doesNotExist();
    }
  }

  @Test
  void shouldNameShardsThatAreMissing() throws IOException {
    List<byte[]> expected = shards();
    Files.delete(directory.resolve("n-00001-of-00003"));

    assertThatThrownBy(() -> TfRecordDataset.of(directory.resolve("n-*")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("n-*: 1 of 3 shards are missing: [1]");
    TfRecordDataset.Builder rest =
        TfRecordDataset.builder(directory.resolve("n-*")).allowMissingShards(true);
    try (TfRecordDataset dataset = rest.build()) {
      requireAll(dataset, expected);
    }
  }

  @Test
  void shouldNameSomeOfManyMissingShards() throws IOException {
    Path file = Fixtures.write(directory.resolve("m-00002-of-99999"), List.of());

    assertThatThrownBy(() -> TfRecordDataset.of(file))
        .hasMessageContaining("99998 of 99999 shards are missing: [0, 1, 3, 4, 5] and more");
  }

  @Test
  void shouldRefuseSetsThatAreMixedOrImpossible() throws IOException {
    Fixtures.write(directory.resolve("m-00000-of-00002"), List.of());
    Fixtures.write(directory.resolve("m-00001-of-00003"), List.of());
    assertThatThrownBy(() -> TfRecordDataset.of(directory.resolve("m-*")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a set of 3 shards is mixed with one of 2");

    Path beyond = Fixtures.write(directory.resolve("k-00002-of-00002"), List.of());
    assertThatThrownBy(() -> TfRecordDataset.of(beyond))
        .hasMessageContaining("there is no shard 2 of 2");
    Path twice = Fixtures.write(directory.resolve("x"), List.of());
    assertThatThrownBy(() -> TfRecordDataset.builder(List.of(twice, twice)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("given twice");
    assertThatThrownBy(() -> TfRecordDataset.builder(List.of()).build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldNameWhatIsNotThere() throws IOException {
    assertThatThrownBy(() -> TfRecordDataset.of(directory.resolve("no-*")))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContainingAll("no-*", directory.toString());
    assertThatThrownBy(() -> TfRecordDataset.of(directory.resolve("nowhere/no-*")))
        .isInstanceOf(FileNotFoundException.class);
    refused(IOException.class, () -> TfRecordDataset.of(directory), "is a directory");
    TfRecordDataset.Builder absent = TfRecordDataset.builder(List.of(directory.resolve("absent")));
    refused(IOException.class, () -> absent.build(), "no such file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"raw.gz.tfrecord", "raw.zlib.tfrecord"})
  void shouldRefuseCompressedFilesAndSayHowTheyAreRead(String fixture) throws IOException {
    Path file = Fixtures.copy(directory, List.of(fixture));

    assertThatThrownBy(() -> TfRecordDataset.of(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(
            fixture + ", record 0",
            "compressed",
            "unpack it",
            "TfRecordDataset.images(...).stream()");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 12, 22, 40, 3000, 3109})
  void shouldSayWhereAShardIsCutOff(int length) throws IOException {
    Path file = directory.resolve("x");
    Files.write(file, Arrays.copyOf(Fixtures.bytes("raw.tfrecord"), length));

    refused(
        FormatException.class, () -> TfRecordDataset.of(file), file + ", record ", "the file ends");
    assertThat(directory.resolve(".x.tfindex")).doesNotExist();
  }

  @Test
  void shouldNameTheDamagedShardAmongMany() throws IOException {
    shards();
    Path damaged = directory.resolve("n-00002-of-00003");
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[8] ^= 1;
    Files.write(damaged, bytes);

    assertThatThrownBy(() -> TfRecordDataset.of(directory.resolve("n-*")))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(damaged + ", record 0 at offset 0: the checksum of the length");
  }

  @Test
  void shouldVerifyDataUnlessToldNotTo() throws IOException {
    byte[] bytes = Fixtures.bytes("raw.tfrecord");
    bytes[RecordLayout.HEADER_BYTES] = 'F';
    Path file = Files.write(directory.resolve("x"), bytes);

    try (TfRecordDataset dataset = TfRecordDataset.of(file)) {
      assertThatThrownBy(() -> dataset.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(file + ", record 0 at offset 0: the checksum of the data");
      assertThat(dataset.get(1)).isEmpty();
    }
    TfRecordDataset.Builder trusting = TfRecordDataset.builder(file).verifyChecksums(false);
    try (TfRecordDataset dataset = trusting.build()) {
      assertThat(dataset.get(0)[0]).isEqualTo((byte) 'F');
    }
  }

  @Test
  void shouldNoticeAShardThatChangesWhileItIsOpen() throws IOException {
    Path file = Fixtures.write(directory.resolve("x"), Fixtures.raw());
    try (TfRecordDataset dataset = TfRecordDataset.of(file)) {
      Fixtures.write(file, List.of(new byte[] {1, 2}));
      refused(IOException.class, () -> dataset.get(0), file.toString());
      refused(IOException.class, () -> dataset.get(4), "record 4");
    }
  }

  @Test
  void shouldRefuseARecordThatIsLongerThanAllowed() throws IOException {
    Path file = Fixtures.write(directory.resolve("x"), Fixtures.raw());
    TfRecordDataset.Builder files = TfRecordDataset.builder(file).maxSampleBytes(2999);
    try (TfRecordDataset dataset = files.build()) {
      assertThat(dataset.get(0)).hasSize(5);
      assertThatThrownBy(() -> dataset.get(2))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("record 2", "3000 bytes", "maxSampleBytes = 2999");
    }
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    TfRecordDataset.Builder builder = TfRecordDataset.builder(directory);
    refused(IllegalArgumentException.class, () -> builder.maxSampleBytes(0).build(), "was 0");
    builder.maxSampleBytes(1);
    refused(IllegalArgumentException.class, () -> builder.openFiles(-1).build(), "was -1");
    builder.openFiles(1);
    assertThatThrownBy(() -> builder.keepIndex(false).indexDirectory(directory).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keepIndex(false)");
  }

  @Test
  void shouldMatchPatternsInAnotherFileSystemAndKeepIndexesOnTheDisk() throws Exception {
    List<byte[]> all = shards();
    Path indexes = Files.createDirectories(directory.resolve("indexes"));
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path elsewhere = Files.createDirectories(files.getPath("/data"));
      for (int i = 0; i < 3; i++) {
        Path shard = directory.resolve("n-0000%d-of-00003".formatted(i));
        Files.copy(shard, elsewhere.resolve(shard.getFileName().toString()));
      }
      Path pattern = elsewhere.resolve("n-*");
      try (TfRecordDataset dataset = TfRecordDataset.of(pattern)) {
        requireAll(dataset, all);
      }
      try (var left = Files.list(elsewhere)) {
        assertThat(left).as("no index is kept there").hasSize(3);
      }

      TfRecordDataset.Builder kept = TfRecordDataset.builder(pattern).indexDirectory(indexes);
      try (TfRecordDataset dataset = kept.build()) {
        requireAll(dataset, all);
      }
      try (var made = Files.list(indexes)) {
        assertThat(made).hasSize(3);
      }

      try (SampleStream<byte[]> stream = TfRecordDataset.builder(pattern).stream().open(2, 0)) {
        assertThat(stream.next().get(new SampleContext(0, 0, 0))).isEqualTo(all.get(120));
      }
    }
  }

  @Test
  void shouldNotTakeShardsOfOneNameInTwoFileSystemsForOneSet() throws Exception {
    Path first = directory.resolve("s-00000-of-00001");
    Fixtures.write(first, numbered(0, 2));
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path second = files.getPath(directory.resolve("s-00000-of-00002").toString());
      Files.createDirectories(second.getParent());
      Fixtures.write(second, numbered(2, 3));

      assertThatThrownBy(() -> TfRecordDataset.builder(List.of(first, second)).build())
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("1 of 2 shards are missing");
      TfRecordDataset.Builder both =
          TfRecordDataset.builder(List.of(first, second)).allowMissingShards(true);
      try (TfRecordDataset dataset = both.build()) {
        requireAll(dataset, numbered(0, 5));
      }
    }
  }
}
