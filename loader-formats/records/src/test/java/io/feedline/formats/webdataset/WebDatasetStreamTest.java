package io.feedline.formats.webdataset;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import io.feedline.internal.Cancellation;
import java.io.ByteArrayOutputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebDatasetStreamTest {

  private static final SampleContext CONTEXT = new SampleContext(0, 0, 0);

  @TempDir Path root;

  /** Returns the keys that the stream gives, with a mark for each failure. */
  private static List<String> keys(IterableDataset<WebSample> dataset, int shard) throws Exception {
    List<String> keys = new ArrayList<>();
    try (SampleStream<WebSample> stream = dataset.open(shard, 0)) {
      while (true) {
        try {
          PendingSample<WebSample> next = stream.next();
          if (next == null) {
            assertThat(stream.next()).isNull();
            return keys;
          }
          keys.add(next.get(CONTEXT).key());
        } catch (FormatException failure) {
          keys.add("failed");
          assertThat(keys).hasSizeLessThan(100);
        }
      }
    }
  }

  /** An archive may be read for long before it has a sample. */
  @ParameterizedTest
  @ValueSource(strings = {"ustar.tar", "pax.tar.gz"})
  void shouldEndWhereItsEpochHasBeenLeft(String shard) throws Exception {
    IterableDataset<WebSample> dataset =
        WebDataset.builder(Fixtures.copy(shard, root).toString()).stream();
    try (SampleStream<WebSample> stream = dataset.open(0, 0)) {
      Cancellation before = new Cancellation(() -> true, false).enter();
      try {
        refused(
            InterruptedIOException.class, () -> stream.skip(Long.MAX_VALUE), "has left the epoch");
      } finally {
        before.enter();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ustar.tar", "gnu.tar", "pax.tar", "pax.tar.gz"})
  void shouldGiveWhatWebdatasetGives(String shard) throws Exception {
    List<String> lines = new ArrayList<>();
    IterableDataset<WebSample> dataset =
        WebDataset.builder(Fixtures.copy(shard, root).toString()).stream();
    try (SampleStream<WebSample> stream = dataset.open(0, 0)) {
      PendingSample<WebSample> next;
      while ((next = stream.next()) != null) {
        lines.addAll(Fixtures.listing(shard, next.get(CONTEXT)));
      }
    }

    assertThat(lines).isEqualTo(Fixtures.listing(shard));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGoOnBehindABadSampleAndEndAtABrokenArchive(boolean packed) throws Exception {
    byte[] tar = Fixtures.tar("a.txt", "1", "b.txt", "2", "b.txt", "3", "c.txt", "4", "d.txt", "5");
    byte[] torn = Arrays.copyOf(tar, 4 * 1024 + 700);
    String name = packed ? "torn.tar.gz" : "torn.tar";
    Files.write(root.resolve(name), packed ? FixtureFiles.gzip(torn) : torn);
    IterableDataset<WebSample> dataset = WebDataset.builder(root + "/" + name).stream();

    assertThat(keys(dataset, 0)).containsExactly("a", "failed", "c", "failed");
    try (SampleStream<WebSample> stream = dataset.open(0, 0)) {
      assertThat(stream.skip(2)).isEqualTo(2);
      assertThat(stream.next().get(CONTEXT).key()).isEqualTo("c");
      assertThat(stream.skip(5)).isEqualTo(1);
    }
  }

  /** The first bytes count, not the name; as in Python's tarfile. */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd", "bzip2"})
  void shouldUnpackShardsWhateverTheirNames(String compression) throws Exception {
    byte[] tar = Fixtures.tar("a.txt", "1", "b.txt", "2");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (compression) {
          case "gzip" -> new GZIPOutputStream(packed);
          case "zstd" -> new ZstdOutputStream(packed);
          default -> new BZip2CompressorOutputStream(packed);
        }) {
      out.write(tar);
    }
    Files.write(root.resolve("t-0.tar"), packed.toByteArray());
    Files.write(root.resolve("t-1.tar"), Arrays.copyOf(packed.toByteArray(), packed.size() - 20));
    Files.write(root.resolve("t-2.tar"), tar);
    IterableDataset<WebSample> dataset =
        WebDataset.builder(root + "/t-{0,2}.tar").countSamples(true).stream();
    assertThat(dataset.shardSize(0)).hasValue(2);
    assertThat(keys(dataset, 0)).isEqualTo(keys(dataset, 1)).containsExactly("a", "b");

    IterableDataset<WebSample> cut = WebDataset.builder(root + "/t-1.tar").stream();
    assertThatThrownBy(
            () -> {
              if (keys(cut, 0).contains("failed")) {
                throw new FormatException("in its place");
              }
            })
        .isInstanceOf(FormatException.class);
    assertThatThrownBy(() -> WebDataset.of(root + "/t-0.tar"))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("t-0.tar", "compressed", "stream()");
  }

  @Test
  void shouldNameACompressionThatIsNotRead() throws Exception {
    Files.write(root.resolve("t.tar.xz"), new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0, 0, 4, 0});
    IterableDataset<WebSample> dataset = WebDataset.builder(root + "/t.tar.xz").stream();
    assertThatThrownBy(() -> dataset.open(0, 0)).hasMessageContainingAll("t.tar.xz", "xz");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldNotLoseWhatFollowsTheEndOfAnArchive(boolean packed) throws Exception {
    byte[] tar = Fixtures.tar("a.txt", "1", "b.txt", "2");
    byte[] two = Arrays.copyOf(tar, 2 * tar.length);
    System.arraycopy(tar, 0, two, tar.length, tar.length);
    Path shard = Files.write(root.resolve("two.tar"), packed ? FixtureFiles.gzip(two) : two);
    IterableDataset<WebSample> dataset = WebDataset.builder(shard.toString()).stream();
    assertThat(keys(dataset, 0)).containsExactly("a", "b", "failed");
    try (SampleStream<WebSample> stream = dataset.open(0, 0)) {
      assertThat(stream.skip(2)).isEqualTo(2);
      assertThatThrownBy(stream::next).hasMessageContaining("another archive begins");
      assertThat(stream.next()).isNull();
    }
    if (!packed) {
      try (WebDataset samples = WebDataset.of(shard.toString())) {
        assertThat(samples.size()).isEqualTo(3);
        assertThatThrownBy(() -> samples.get(2)).hasMessageContaining("another archive begins");
      }
    }
  }

  @Test
  void shouldNotUnpackABomb() throws Exception {
    Path shard =
        Files.write(
            root.resolve("bomb.tar.gz"),
            FixtureFiles.gzip(Fixtures.tar("a.bin", new byte[5 << 20], "b.x", "1")));

    IterableDataset<WebSample> dataset =
        WebDataset.builder(List.of(shard)).maxSampleBytes(1 << 20).stream();

    assertThat(keys(dataset, 0)).containsExactly("failed", "b");
  }

  @Test
  void shouldBeShuffledAndDealtOutByTheLoader() throws Exception {
    List<String> all = new ArrayList<>();
    for (int shard = 0; shard < 8; shard++) {
      List<Object> entries = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        String key = "s%d-%02d".formatted(shard, i);
        all.add(key);
        entries.add(key + ".txt");
        entries.add(key);
      }
      Files.write(root.resolve("t-%d.tar".formatted(shard)), Fixtures.tar(entries.toArray()));
    }
    Files.write(
        root.resolve("t-7.tar.gz"), FixtureFiles.gzip(Files.readAllBytes(root.resolve("t-7.tar"))));
    IterableDataset<WebSample> dataset =
        WebDataset.builder(root + "/{t-{0..6}.tar,t-7.tar.gz}").countSamples(true).stream();
    assertThat(dataset.size()).hasValue(200);

    List<String> delivered = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      List<String> mine = delivered(dataset, rank, 2);
      assertThat(mine).isEqualTo(delivered(dataset, rank, 0));
      delivered.addAll(mine);
    }

    assertThat(delivered).containsExactlyInAnyOrderElementsOf(all).isNotEqualTo(all);
  }

  private static List<String> delivered(IterableDataset<WebSample> dataset, int rank, int workers)
      throws Exception {
    List<String> keys = new ArrayList<>();
    try (DataLoader<WebSample> loader =
        DataLoader.builder(dataset)
            .batchSize(10)
            .shuffleShards(true)
            .shuffleBuffer(30)
            .interleave(2)
            .numWorkers(workers)
            .distributed(rank, 2)
            .build()) {
      for (Batch batch : loader) {
        try (batch) {
          batch.values("key").forEach(key -> keys.add(key.toString()));
        }
      }
    }
    return keys;
  }

  @Test
  void shouldTakeGivenSizesOfShardsButNoImpossibleOnes() throws Exception {
    String shard = Fixtures.copy("pax.tar", root).toString();

    assertThat(WebDataset.builder(shard).stream().shardSize(0)).isEmpty();
    WebDataset.Builder sized = WebDataset.builder(shard).shardSizes(11);
    assertThat(sized.stream().shardSize(0)).hasValue(11);
    refused(IllegalArgumentException.class, sized::build, "stream()");
    WebDataset.Builder counted = WebDataset.builder(shard).countSamples(true);
    refused(IllegalArgumentException.class, counted.images()::build, "stream()");
    refused(IllegalArgumentException.class, counted.shardSizes(11)::stream, "not both");
    WebDataset.Builder two = WebDataset.builder(shard).shardSizes(1, 2);
    refused(IllegalArgumentException.class, two::stream, "[1, 2]");
  }

  @Test
  void shouldGiveImagesToTheLoader() throws Exception {
    for (int shard = 0; shard < 3; shard++) {
      Fixtures.copy("pictures-00000%d.tar".formatted(shard), root);
    }
    ImageFields fields = ImageFields.DEFAULT;
    var images =
        WebDataset.builder(root + "/pictures-{000000..000002}.tar")
            .fields(fields::contains)
            .stream()
            .map(fields::labeledImage)
            .map(sample -> sample.withImage(Resize.of(8, 8).apply(sample.image())));

    List<Long> labels = new ArrayList<>();
    try (DataLoader<LabeledImage> loader = DataLoader.builder(images).batchSize(2).build()) {
      for (Batch batch : loader) {
        try (batch) {
          for (long label : batch.tensor("label").toLongArray()) {
            labels.add(label);
          }
        }
      }
    }
    assertThat(labels).containsExactly(0L, 1L, 0L, 1L, 0L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pax.tar", "pax.tar.gz"})
  void shouldReadShardsOfAnotherFileSystem(String shard) throws Exception {
    try (FileSystem files = Jimfs.newFileSystem(Configuration.unix())) {
      Path there = Fixtures.copy(shard, files.getPath(""));
      IterableDataset<WebSample> elsewhere = WebDataset.builder(List.of(there)).stream();
      IterableDataset<WebSample> here =
          WebDataset.builder(Fixtures.copy(shard, root).toString()).stream();

      assertThat(keys(elsewhere, 0)).isEqualTo(keys(here, 0)).isNotEmpty();
      assertThat(elsewhere.fingerprint()).isEqualTo(here.fingerprint());
    }
  }
}
