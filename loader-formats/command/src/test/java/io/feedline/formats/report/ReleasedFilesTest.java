package io.feedline.formats.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.fs.ObjectFileSystem;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores, indexes, states, caches and records of runs that a release wrote are opened by all later
 * ones. {@code releases/make} has written them, with that release's feedline.jar.
 */
class ReleasedFilesTest {
  private static final int NUMBERS = 100;

  /**
   * The time of files, by which an index is recognized and which a checkout does not keep; {@code
   * make} sets it too.
   */
  private static final FileTime WRITTEN = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

  @TempDir private Path temp;

  private static Path released(String name) {
    URL releases = ReleasedFilesTest.class.getResource("../releases/");
    return Path.of(URI.create(releases + name));
  }

  /** A release and a store of it. */
  static Stream<String> stores() throws IOException {
    List<String> stores = new ArrayList<>();
    try (Stream<Path> releases = Files.list(released(""))) {
      for (Path release : releases.filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.list(release)) {
          files
              .filter(file -> !file.toString().matches(".*([.]json|-index|[.]txt|cache)"))
              .forEach(file -> stores.add(release.getFileName() + "/" + file.getFileName()));
        }
      }
    }
    return stores.stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("stores")
  void shouldReadTheSameImages(String store) throws Exception {
    String release = store.substring(0, store.indexOf('/'));
    try (ImageDataset images = ImageDataset.open(copy(release + "/images"));
        ImageDataset packed = ImageDataset.open(copy(store))) {
      assertThat(packed.size()).isEqualTo(images.size()).isEqualTo(6);
      for (long i = 0; i < images.size(); i++) {
        LabeledImage expected = images.get(i);
        LabeledImage found = packed.get(i);
        assertThat(found.label()).isEqualTo(expected.label());
        assertThat(found.image().pixels().rgb()).isEqualTo(expected.image().pixels().rgb());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1.0/images", "0.1.0/lmdb", "0.1.0/tfrecord", "0.1.0/webdataset"})
  void shouldUseTheIndexes(String store) throws IOException {
    try (ImageDataset images = ImageDataset.open(copy(store))) {
      assertThat(images.hasScanIndexFiles()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource({"0.1.0/shuffled, 8", "0.1.0/of-a-rank, 4", "0.1.0/torch, 8"})
  void shouldGoOnWithTheSameSamples(String name, int batchSize) throws IOException {
    DataLoaderBuilder<Long> builder =
        DataLoader.builder(Dataset.of(LongStream.range(0, NUMBERS).boxed().toList()))
            .batchSize(batchSize);
    if (name.endsWith("torch")) {
      builder.torchOrder(7);
    } else {
      builder.shuffle(true).seed(7);
    }
    if (name.endsWith("rank")) {
      builder.distributed(1, 3);
    }
    assertFollowing(name, builder);
  }

  @Test
  void shouldGoOnWithTheSameLines() throws IOException {
    assertFollowing(
        "0.1.0/lines",
        DataLoader.builder(IterableDataset.lines(released("0.1.0/lines.txt"))).batchSize(8));
  }

  private static <T> void assertFollowing(String name, DataLoaderBuilder<T> builder)
      throws IOException {
    List<String> following = new ArrayList<>();
    try (DataLoader<T> loader = builder.numWorkers(2).build()) {
      loader.resume(LoaderState.fromJson(Files.readString(released(name + ".state.json"))));
      for (Batch batch : loader) {
        try (batch) {
          following.add(Arrays.toString(batch.indices()));
        }
      }
    }
    assertThat(following).isEqualTo(Files.readAllLines(released(name + ".following.txt")));
  }

  @Test
  void shouldReadWhatACacheKept() throws IOException {
    byte[] expected = new byte[3000];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = (byte) (i / 10);
    }
    try (StubStore store = new StubStore().put("object", new byte[expected.length]);
        ObjectFileSystem bucket = StubStore.through(store.open(), new Unread())) {
      DiskCache cache = DiskCache.at(copy("0.1.0/cache")).cacheBytes(1 << 20).build();
      Path object = cache.inFrontOf(bucket.getPath("/object"));
      assertThat(Files.readAllBytes(object)).isEqualTo(expected);
      object.getFileSystem().close();
    }
  }

  /** The server that was read through the cache, which is not to be read again. */
  private static final class Unread implements ObjectReader {
    @Override
    public String server() {
      return "http://127.0.0.1:41999";
    }

    @Override
    public RemoteObject stat(URI uri) {
      throw new AssertionError(uri + " is not taken from the cache");
    }

    @Override
    public void list(URI prefix, Consumer<RemoteObject> sink) {
      throw new AssertionError(prefix + " is listed");
    }

    @Override
    public void read(RemoteObject object, long position, ByteBuffer target) {
      throw new AssertionError(object + " is not taken from the cache");
    }

    @Override
    public void close() {}
  }

  @Test
  void shouldReadTheRecordOfARun() throws IOException {
    String record = Files.readString(released("0.1.0/run.json"));
    assertThat(RunReport.ofJson(record)).isNotNull();
  }

  /** With what lies beside it, such as an index. */
  private Path copy(String store) throws IOException {
    Path from = released(store);
    Path to = temp.resolve(store);
    String name = from.getFileName().toString();
    try (Stream<Path> tree = Files.walk(from.getParent())) {
      for (Path file : (Iterable<Path>) tree.filter(Files::isRegularFile)::iterator) {
        Path relative = from.getParent().relativize(file);
        if (relative.getName(0).toString().startsWith(name)) {
          Path copied = to.getParent().resolve(relative.toString());
          Files.createDirectories(copied.getParent());
          if (Files.notExists(copied)) {
            Files.copy(file, copied);
            Files.setLastModifiedTime(copied, WRITTEN);
          }
        }
      }
    }
    return to;
  }
}
