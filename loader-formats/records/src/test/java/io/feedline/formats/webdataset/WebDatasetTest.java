package io.feedline.formats.webdataset;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.CapturedLog;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebDatasetTest extends DatasetContract<WebSample> {

  @TempDir Path root;

  @Override
  protected Dataset<WebSample> dataset() throws IOException {
    for (int shard = 0; shard < 3; shard++) {
      Fixtures.copy("pictures-00000%d.tar".formatted(shard), root);
    }
    return WebDataset.of(root + "/pictures-{000000..000002}.tar");
  }

  private Path write(String name, byte[] tar) throws IOException {
    return Files.write(root.resolve(name), tar);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ustar.tar", "gnu.tar", "pax.tar"})
  void shouldGroupWhatTarfileWroteAsWebdatasetDoes(String shard) throws Exception {
    try (WebDataset dataset = WebDataset.of(Fixtures.copy(shard, root).toString())) {
      List<String> lines = new ArrayList<>();
      for (long i = 0; i < dataset.size(); i++) {
        lines.addAll(Fixtures.listing(shard, dataset.get(i)));
      }
      assertThat(lines).isEqualTo(Fixtures.listing(shard));
    }
  }

  @Test
  void shouldNeverFollowANameOrALink() throws Exception {
    Path below = Files.createDirectories(root.resolve("deep/er"));
    try (WebDataset dataset = WebDataset.of(Fixtures.copy("gnu.tar", below).toString())) {
      List<String> keys = new ArrayList<>();
      for (long i = 0; i < dataset.size(); i++) {
        WebSample sample = dataset.get(i);
        keys.add(sample.key());
        assertThat(sample.fields()).doesNotContainKeys("lnk", "hard", "dev", "fifo");
      }
      assertThat(keys).contains("../../etc/c", "/etc/d");
    }
    try (var files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile).map(Path::getFileName).map(Path::toString))
          .filteredOn(name -> !name.contains("pictures"))
          .containsExactlyInAnyOrder("gnu.tar", ".gnu.tar.feedline-index");
    }
  }

  @Test
  void shouldFindSamplesBehindAnEmptyShard() throws Exception {
    try (WebDataset dataset = WebDataset.of(root + "/pictures-{000000..000002}.tar")) {
      assertThat(dataset.shardSizes()).containsExactly(3, 0, 2);
      assertThat(dataset.get(3).key()).isEqualTo("000003");
      assertThat(dataset.describe(3)).endsWith("pictures-000002.tar, sample 0 at offset 0");
    }
  }

  @Test
  void shouldReadOnlyTheFieldsThatAreWanted() throws Exception {
    try (WebDataset dataset =
        WebDataset.builder(root + "/pictures-000000.tar").fields("cls"::equals).build()) {
      assertThat(dataset.get(1).fields()).containsOnlyKeys("cls");
      assertThat(dataset.get(1).cls()).isEqualTo(1);
    }
  }

  @Test
  void shouldReadAnEntryWhoseSizeIsInBase256() throws Exception {
    byte[] size = {(byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5};
    Path shard =
        write(
            "base256.tar",
            Fixtures.patched(Fixtures.tar("a.txt", "12345"), 0, TarLayout.SIZE, size));
    try (WebDataset dataset = WebDataset.of(shard.toString())) {
      assertThat(dataset.get(0).text("txt")).isEqualTo("12345");
    }
  }

  @Test
  void shouldTakeThePaxSizeForTheSize() throws Exception {
    byte[] tar = Fixtures.entries("PaxHeader", "10 size=5\n", "a.txt", "12345", "b.txt", "b");
    byte[] pax = Fixtures.patched(tar, 0, TarLayout.TYPE, (byte) 'x');
    byte[] wrong = "00000000000".getBytes(UTF_8);
    Path shard = write("pax.tar", Fixtures.patched(pax, 1024, TarLayout.SIZE, wrong));
    try (WebDataset dataset = WebDataset.of(shard.toString())) {
      assertThat(dataset.get(0).text("txt")).isEqualTo("12345");
      assertThat(dataset.get(1).text("txt")).isEqualTo("b");
    }
  }

  @Test
  void shouldReadArraysAsNumpyWroteThem() throws Exception {
    try (WebDataset dataset = WebDataset.of(Fixtures.copy("npy.tar", root).toString())) {
      List<String> lines = Fixtures.lines("npy.txt");
      for (int i = 0; i < lines.size(); i++) {
        WebSample sample = dataset.get(i);
        var tensor = sample.npy("npy");
        assertThat(
                "%s\t%s\t%s\t%s"
                    .formatted(
                        sample.key(),
                        tensor.dtype().toString().toLowerCase(Locale.ROOT),
                        tensor.shape(),
                        FixtureFiles.crc(tensor.toByteArray())))
            .isEqualTo(lines.get(i).replace(",)", ")"));
      }
      for (int i = lines.size(); i < dataset.size(); i++) {
        WebSample refused = dataset.get(i);
        refused(FormatException.class, () -> refused.npy("npy"), "npy.tar", refused.key(), "type");
      }
    }
  }

  /** As Python 2 and tools other than NumPy write them; NumPy reads them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 1L), }",
        "{'descr': 'float32', 'fortran_order': False, 'shape': (2, 1), }",
        "{u'descr': u'<f4', u'fortran_order': False, u'shape': (2, 1)}",
        "{'descr': 'f4', 'fortran_order': False, 'shape': (2, 1), }",
      })
  void shouldReadHeadersOfArraysAsNumpyDoes(String header) throws Exception {
    ByteBuffer npy = ByteBuffer.allocate(10 + header.length() + 8).order(ByteOrder.LITTLE_ENDIAN);
    npy.put("\u0093NUMPY\1\0".getBytes(ISO_8859_1)).putShort((short) header.length());
    npy.put(header.getBytes(ISO_8859_1)).putFloat(1).putFloat(2);

    Tensor tensor = sample("npy", npy.array()).npy("npy");

    assertThat(tensor.shape()).isEqualTo(Shape.of(2, 1));
    assertThat(tensor.toFloatArray()).containsExactly(1, 2);
  }

  @Test
  void shouldRefuseADamagedArrayAtAnyByteOfItsHeader() {
    byte[] npy =
        Base64.getDecoder()
            .decode(
                "k05VTVBZAQBGAHsnZGVzY3InOiAnPGY0JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwg"
                    + "fSAgICAgICAgICAgIAoAAIA/AAAAQA==");
    assertThat(sample("npy", npy))
        .satisfies(s -> assertThat(s.npy("npy").toFloatArray()).hasSize(2));
    for (int end = 0; end < npy.length; end++) {
      WebSample cut = sample("npy", Arrays.copyOf(npy, end));
      assertThatThrownBy(() -> cut.npy("npy")).isInstanceOf(FormatException.class);
    }
    for (int at = 0; at < 80; at++) {
      byte[] damaged = npy.clone();
      damaged[at] = '9';
      try {
        assertThat(sample("npy", damaged).npy("npy").byteSize()).isLessThanOrEqualTo(npy.length);
      } catch (FormatException expected) {
        assertThat(expected).hasMessageContaining("'npy'");
      }
    }
  }

  private static WebSample sample(String suffix, byte[] data) {
    return new WebSample("key", "x.tar", Map.of(suffix, data));
  }

  @Test
  void shouldSayWhichFieldIsMissingOrNotWhatItShouldBe() {
    assertThatThrownBy(() -> sample("txt", new byte[0]).bytes("jpg"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("x.tar", "'key'", "'jpg'", "[txt]");
    assertThatThrownBy(() -> sample("cls", "dog".getBytes(UTF_8)).cls())
        .hasMessageContainingAll("'cls'", "integer", "'dog'");
    assertThatThrownBy(() -> sample("txt", new byte[] {(byte) 0xFF}).text("txt"))
        .hasMessageContaining("not UTF-8");
    for (String pickle : new String[] {"pyd", "pkl", "a.pkl", "pth"}) {
      assertThatThrownBy(() -> sample(pickle, new byte[9]).bytes(pickle))
          .hasMessageContaining("pickle");
    }
  }

  @Test
  void shouldRefuseAFieldThatComesTwiceAndReadTheOthers() throws Exception {
    Path shard =
        write("twice.tar", Fixtures.tar("a.txt", "1", "b.txt", "2", "b.TXT", "3", "c.txt", "4"));
    try (WebDataset dataset = WebDataset.of(shard.toString())) {
      assertThat(dataset.size()).isEqualTo(3);
      assertThat(dataset.get(0).text("txt")).isEqualTo("1");
      assertThatThrownBy(() -> dataset.get(1))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(shard.toString(), "offset 2048", "'b'", "'txt'", "already");
      assertThat(dataset.get(2).text("txt")).isEqualTo("4");
    }
  }

  /** As webdataset does, which groups what is adjacent; but it is said. */
  @Test
  void shouldSayThatAKeyComesTwice() throws Exception {
    byte[] tar = Fixtures.tar("a.txt", "1", "b.txt", "2", "a.cls", "3", "c.txt", "4");
    Path shard = write("keys.tar", tar);
    try (CapturedLog log = new CapturedLog();
        WebDataset dataset = WebDataset.builder(List.of(shard)).keepIndex(false).build()) {
      assertThat(dataset.size()).isEqualTo(4);
      assertThat(dataset.get(2).cls()).isEqualTo(3);
      assertThat(log.lines("have the key of an earlier one"))
          .singleElement()
          .asString()
          .contains(shard.toString(), "1 of 4", "samples 0 and 2 at offsets 0 and 2048");
    }
  }

  /**
   * Cut in or between blocks, a shard has the samples before, and a failing one, or no more at all.
   */
  @Test
  void shouldReadWhatATruncatedShardStillHas() throws Exception {
    byte[] tar = Fixtures.tar("a.cls", "0", "a.txt", "x".repeat(600), "b.cls", "1", "b.txt", "y");
    int secondSample = 5 * 512;
    int end = tar.length - 1024;
    for (int length = 0; length < tar.length; length += length % 512 == 1 ? 510 : 1) {
      Path shard = write("cut.tar", Arrays.copyOf(tar, length));
      try (WebDataset dataset = WebDataset.builder(List.of(shard)).keepIndex(false).build()) {
        boolean betweenEntries =
            length == 1024 || length == secondSample || length == secondSample + 1024;
        int whole = length < secondSample + 512 ? 0 : 1;
        if (length >= end) {
          // A torn end mark does not count, as for tarfile, unless it cannot be told from a header.
          boolean tornMark = length > end && length < end + 512;
          assertThat(dataset.size()).as("length %d", length).isEqualTo(2);
          assertThat(damaged(dataset)).as("length %d", length).isEqualTo(tornMark ? 1 : 0);
        } else if (betweenEntries) {
          assertThat(damaged(dataset)).isZero();
        } else {
          assertThat(dataset.size()).as("length %d", length).isEqualTo(whole + 1);
          assertThatThrownBy(() -> dataset.get(dataset.size() - 1))
              .isInstanceOf(FormatException.class)
              .hasMessageContainingAll(shard.toString(), "entry", "offset");
        }
        if (whole > 0) {
          assertThat(dataset.get(0).text("txt")).hasSize(600);
        }
      }
    }
  }

  private static int damaged(WebDataset dataset) throws IOException {
    int damaged = 0;
    for (long i = 0; i < dataset.size(); i++) {
      try {
        assertThat(dataset.get(i).fields()).isNotEmpty();
      } catch (FormatException expected) {
        damaged++;
      }
    }
    return damaged;
  }

  /** Any byte of any header changed is either noticed or harmless; nothing else is thrown. */
  @Test
  void shouldNoticeADamagedHeader() throws Exception {
    byte[] tar = Fixtures.tar("a.cls", "0", "b.cls", "1", "c.cls", "2");
    for (int at = 1024; at < 1536; at += 3) {
      if (at == 1024 + TarLayout.CHECKSUM + TarLayout.CHECKSUM_LENGTH - 1) {
        // Bytes behind the end of the checksum mean nothing.
        continue;
      }
      byte[] damaged = tar.clone();
      damaged[at] ^= 0x55;
      Path shard = write("damaged.tar", damaged);
      try (WebDataset dataset = WebDataset.builder(List.of(shard)).keepIndex(false).build()) {
        assertThat(dataset.size()).isEqualTo(1);
        refused(FormatException.class, () -> dataset.get(0), "entry 1 at offset 1024", "checksum");
      }
    }
  }

  @Test
  void shouldNotTakeMemoryForWhatAHeaderClaims() throws Exception {
    byte[] size = "17777777777".getBytes(UTF_8);
    byte[] tar = Fixtures.tar("a.txt", "1", "b.txt", "2");
    Path shard = write("bomb.tar", Fixtures.patched(tar, 1024, TarLayout.SIZE, size));
    try (WebDataset dataset = WebDataset.of(shard.toString())) {
      assertThat(dataset.get(0).text("txt")).isEqualTo("1");
      assertThatThrownBy(() -> dataset.get(1))
          .hasMessageContainingAll("'b.txt'", "2147483647 bytes", "truncated");
    }
    try (WebDataset dataset =
        WebDataset.builder(root + "/pictures-000000.tar").maxSampleBytes(100).build()) {
      assertThatThrownBy(() -> dataset.get(0)).hasMessageContaining("maxSampleBytes");
    }
  }

  @Test
  void shouldRefuseASparseFileAndARenamingOfAllEntries() throws Exception {
    byte[] tar = Fixtures.tar("a.txt", "10 path=b\n", "c.txt", "2");
    for (char type : new char[] {'S', 'g'}) {
      Path shard = write("odd.tar", Fixtures.patched(tar, 0, TarLayout.TYPE, (byte) type));
      try (WebDataset dataset = WebDataset.builder(List.of(shard)).keepIndex(false).build()) {
        assertThatThrownBy(() -> dataset.get(0))
            .hasMessageContainingAll("offset 0", type == 'S' ? "sparse" : "global");
      }
    }
  }

  @Test
  void shouldNameAShardThatIsMissingCompressedOrNoArchive() throws Exception {
    assertThatThrownBy(() -> WebDataset.of(root + "/pictures-{000000..000003}.tar"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("pictures-000003.tar");
    refused(IllegalArgumentException.class, () -> WebDataset.of(root + "/x.tar.gz"), "stream()");
    assertThatThrownBy(() -> WebDataset.builder(List.of()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one shard");
    try (WebDataset dataset =
        WebDataset.of(write("text.tar", "hello".repeat(300).getBytes(UTF_8)).toString())) {
      assertThatThrownBy(() -> dataset.get(0)).hasMessageContaining("no tar header");
    }
  }

  @Test
  void shouldKeepAnIndexThatFitsItsShardAndNoOther() throws Exception {
    Path shard = write("kept.tar", Fixtures.tar("a.txt", "1", "b.txt", "2"));
    Path index = TarScan.indexOf(shard);
    WebDataset.of(shard.toString()).close();
    byte[] kept = Files.readAllBytes(index);
    FileTime time = FileTime.fromMillis(12345);
    Files.setLastModifiedTime(index, time);

    WebDataset.of(shard.toString()).close();
    assertThat(Files.getLastModifiedTime(index)).as("used, not written").isEqualTo(time);

    for (int at = 0; at < kept.length; at++) {
      byte[] damaged = kept.clone();
      damaged[at] ^= 1;
      Files.write(index, damaged);
      try (WebDataset dataset = WebDataset.of(shard.toString())) {
        assertThat(dataset.get(1).text("txt")).isEqualTo("2");
      }
      assertThat(Files.readAllBytes(index)).as("damage at %d", at).isEqualTo(kept);
      Files.write(index, Arrays.copyOf(kept, at));
      WebDataset.of(shard.toString()).close();
      assertThat(Files.readAllBytes(index)).as("cut at %d", at).isEqualTo(kept);
    }

    write("kept.tar", Fixtures.tar("a.txt", "1", "c.txt", "2"));
    Files.setLastModifiedTime(shard, FileTime.fromMillis(99_000));
    try (WebDataset dataset = WebDataset.of(shard.toString())) {
      assertThat(dataset.get(1).key()).isEqualTo("c");
    }
    assertThat(Files.readAllBytes(index)).isNotEqualTo(kept);
  }
}
