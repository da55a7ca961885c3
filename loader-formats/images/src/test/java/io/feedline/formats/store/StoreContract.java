package io.feedline.formats.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.DataLoader;
import io.feedline.Together;
import io.feedline.batch.Batch;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * The contract of every store of images, in any format and file system. A test of a format extends
 * this class and has the annotations {@code @ParameterizedClass} and
 * {@code @EnumSource(Place.class)}; a format that cannot be read in all places names those that it
 * can.
 */
public abstract class StoreContract {

  /** Formats that hold pixels, to which a header is added. */
  private static final Set<String> HOLDS_PIXELS = Set.of("idx", "cifar");

  /** Formats whose libraries know where a sample lies, and we do not. */
  private static final Set<String> TELLS_NO_PARTS = Set.of("lmdb", "hdf5");

  @Parameter(0)
  private Place place;

  @TempDir private Path disk;
  private FileSystem files;
  private Path directory;

  /** The store as it was made, on the disk. */
  private Path original;

  /** Its copy in the place. */
  private Path path;

  protected abstract StoreFormat format();

  /** Makes a store of six images or more in an empty directory; returns its path. */
  protected abstract Path make(Path directory) throws Exception;

  @BeforeEach
  void makeAStore() throws Exception {
    Objects.requireNonNull(
        place, "annotate the test with @ParameterizedClass and @EnumSource(Place.class)");
    files = place.open(disk);
    directory = place.directory(files, disk);
    original = make(Files.createDirectories(disk.resolve("original")));
    path = copy("here");
  }

  @AfterEach
  void closeThePlace() throws IOException {
    if (files != null && place != Place.DISK) {
      files.close();
    }
  }

  private Path copy(String name) {
    return copy(directory.resolve(name));
  }

  private Path copy(Path target) {
    Path from = disk.resolve("original");
    Trees.copy(from, target);
    return target.resolve(from.relativize(original).toString());
  }

  private ImageStore open() throws IOException {
    return format().open(path, StoreOptions.NONE);
  }

  @Test
  void shouldBeRecognized() throws IOException {
    assertThat(StoreFormat.of(path).name()).isEqualTo(format().name());
  }

  @Test
  void shouldGiveKeysAndLabelsAsReadingDoesAndReadNoMoreForThem() throws IOException {
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    try (ImageStore store = open()) {
      assertThat(store.size()).isGreaterThanOrEqualTo(6);
      for (long i = 0; i < store.size(); i++) {
        EncodedImage image = store.read(i);
        meter.take();
        store.read(i);
        long whole = meter.take();

        assertThat(store.key(i)).isEqualTo(image.key());
        assertThat(meter.take()).isLessThanOrEqualTo(whole);
        assertThat(store.label(i)).isEqualTo(image.label());
        assertThat(meter.take()).isLessThanOrEqualTo(whole);
      }
    } finally {
      ReadMeter.restore(before);
    }
  }

  @Test
  void shouldNameThePlaceOfASample() throws IOException {
    try (ImageStore store = open()) {
      for (long i = 0; i < store.size(); i++) {
        assertThat(store.path(i)).isRegularFile().isReadable();
        assertThat(store.describe(i)).contains(store.path(i).getFileName().toString());
      }
      assertThat(store.describe(0)).isNotEqualTo(store.describe(1));
      assertThat(store.describe(-1)).isEqualTo("index -1");
      assertThat(store.describe(store.size())).isEqualTo("index " + store.size());
      assertThat(store.name()).contains(store.path().toString());
    }
  }

  @Test
  void shouldHaveNoSampleOutsideItsSize() throws IOException {
    try (ImageStore store = open()) {
      for (long index : new long[] {-1, store.size(), Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> store.read(index)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> store.label(index)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> store.key(index)).isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  /** As a reader does that deals the shards out to several machines. */
  @Test
  void shouldHaveTheSamplesOfItsShardsEachOpenedAlone() throws IOException {
    try (ImageStore store = open()) {
      long[] sizes = store.shardSizes();
      assertThat(Arrays.stream(sizes).sum()).isEqualTo(store.size());
      List<String> shards = format().shards(path, StoreOptions.NONE);
      if (shards.isEmpty()) {
        assertThatThrownBy(() -> format().openShard(path, "", StoreOptions.NONE))
            .isInstanceOf(UnsupportedOperationException.class);
        return;
      }
      assertThat(shards).hasSameSizeAs(sizes);
      long index = 0;
      for (int i = 0; i < sizes.length; i++) {
        try (ImageStore shard = format().openShard(path, shards.get(i), StoreOptions.NONE)) {
          assertThat(shard.size()).isEqualTo(sizes[i]);
          for (long j = 0; j < sizes[i]; j++) {
            assertThat(shard.path(j)).isEqualTo(store.path(index));
            assertThat(shard.key(j)).isEqualTo(store.key(index));
            assertThat(shard.label(j)).isEqualTo(store.label(index));
            assertThat(shard.read(j).bytes()).isEqualTo(store.read(index++).bytes());
          }
        }
      }
    }
  }

  /** As they are stored: compressed images may be fewer bytes than they become. */
  @Test
  void shouldReportTheBytesItReadsAndReadAnImageBeforeItIsDecoded() throws Exception {
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    try (ImageDataset images = ImageDataset.of(open())) {
      meter.take();
      Image image = images.get(0).image();
      long read = meter.take();
      assertThat(read).isPositive();
      image.pixels();
      assertThat(meter.counted()).isFalse();
      long bytes = 0;
      for (long i = 0; i < images.size(); i++) {
        bytes += images.encoded(i).bytes().length;
      }
      assertThat(read + meter.take()).isBetween(bytes / 4, 4 * bytes + (1 << 20));
    } finally {
      ReadMeter.restore(before);
    }
  }

  @Test
  void shouldHaveTheSamplesAndTheFingerprintOfTheOriginal() throws IOException {
    try (ImageStore store = open();
        ImageStore copied = format().open(copy("elsewhere"), StoreOptions.NONE);
        ImageStore made = format().open(original, StoreOptions.NONE)) {
      assertThat(store.fingerprint()).isEqualTo(made.fingerprint()).isNotBlank();
      assertThat(store.fingerprint()).isEqualTo(copied.fingerprint());
      assertThat(store.size()).isEqualTo(made.size());
      assertThat(store.classes()).isEqualTo(made.classes());
      for (long i = 0; i < made.size(); i++) {
        EncodedImage image = store.read(i);
        assertThat(image.bytes()).isEqualTo(made.read(i).bytes());
        assertThat(image.key()).isEqualTo(made.read(i).key());
        assertThat(image.label()).isEqualTo(made.read(i).label());
      }
    }
  }

  @Test
  void shouldGiveALoaderTheSameWhereItIsReadAhead() throws Exception {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    try (ImageDataset plain = ImageDataset.of(open());
        ImageDataset ahead = ImageDataset.of(watched(open(), threads))) {
      for (int workers : new int[] {0, 2}) {
        assertThat(epochs(ahead, workers, 8)).isEqualTo(epochs(plain, workers, 0));
      }
    }
    assertThat(threads).anyMatch(name -> name.contains("read-ahead"));
  }

  /** Two epochs of encoded images, as a loader delivers them. */
  private static List<List<?>> epochs(ImageDataset images, int workers, int reads) {
    List<List<?>> delivered = new ArrayList<>();
    try (DataLoader<EncodedImage> loader =
        DataLoader.builder(images.encoded().repeat(2))
            .batchSize(5)
            .shuffle(true)
            .numWorkers(workers)
            .readAhead(reads)
            .build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            delivered.add(List.copyOf(batch.values("key")));
            for (Object bytes : batch.values("bytes")) {
              delivered.add(List.of(Arrays.hashCode((byte[]) bytes)));
            }
          }
        }
      }
    }
    return delivered;
  }

  /**
   * A store that notes which threads read it. The first reads of workers wait for one of the
   * loader's other threads: they would be too fast for it.
   */
  private static ImageStore watched(ImageStore store, Set<String> threads) {
    CountDownLatch readAhead = new CountDownLatch(1);
    return (ImageStore)
        Proxy.newProxyInstance(
            StoreContract.class.getClassLoader(),
            new Class<?>[] {ImageStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("read")) {
                String name = Thread.currentThread().getName();
                threads.add(name);
                if (name.contains("read-ahead")) {
                  readAhead.countDown();
                } else {
                  readAhead.await(20, TimeUnit.SECONDS);
                }
              }
              return method.invoke(store, arguments);
            });
  }

  @Test
  void shouldShowWhatItReads() throws IOException {
    try (ImageStore store = open()) {
      for (long i = 0; i < store.size(); i++) {
        requireSame(store.view(i), store.read(i));
        requireSame(store.locate(i), store.read(i));
      }
    }
  }

  private static void requireSame(Optional<StoredImage> found, EncodedImage expected)
      throws IOException {
    if (found.isPresent()) {
      try (StoredImage image = found.get()) {
        assertThat(image.copy()).isEqualTo(expected.bytes());
        assertThat(image.label()).isEqualTo(expected.label());
      }
    }
  }

  /** By its parts a cache in front of the files knows what is needed soonest. */
  @Test
  void shouldReadSamplesFromTheRangesThatItTells() throws IOException {
    try (ImageStore store = open()) {
      for (long i = 0; i < store.size(); i++) {
        List<FileRange> parts = store.parts(i);
        Optional<FileRange> range = store.range(i);
        assertThat(parts).hasSize(TELLS_NO_PARTS.contains(format().name()) ? 0 : 1);
        for (FileRange part : parts) {
          assertThat(part.file()).isEqualTo(store.path(i));
          assertThat(part.length()).isPositive();
          assertThat(range.orElse(part)).isEqualTo(part);
        }
        if (range.isPresent()) {
          assertThat(range.get().file()).isEqualTo(store.path(i));
          EncodedImage expected = store.read(i);
          int added = HOLDS_PIXELS.contains(format().name()) ? 16 : 0;
          assertThat(range.get().length()).isGreaterThanOrEqualTo(expected.bytes().length - added);
          Closeable lent = store.openRange(range.get());
          try {
            assertThat(store.read(i).bytes()).isEqualTo(expected.bytes());
          } finally {
            lent.close();
          }
        }
      }
    }
  }

  @Test
  void shouldBeReadAheadByItselfWhereItMayBeFarAway() throws IOException {
    try (ImageStore store = open()) {
      assertThat(store.prefersReadAhead()).isEqualTo(place != Place.DISK);
    }
  }

  @Test
  void shouldFailAsOnTheDiskWhereAFileIsCutOff() throws IOException {
    assumeTrue(place != Place.DISK, "this is the disk");
    List<String> names = new ArrayList<>(sizes(directory.resolve("here")).keySet());
    for (int i = 0; i < names.size(); i++) {
      Path onDisk = disk.resolve("cut" + i);
      Path inPlace = directory.resolve("cut" + i);
      String expected = outcome(onDisk, names.get(i));

      assertThat(outcome(inPlace, names.get(i))).as(names.get(i)).isEqualTo(expected);
    }
  }

  /** Returns the outcome of reading a copy with one file cut in half, without its place. */
  private String outcome(Path root, String cut) throws IOException {
    Path copy = copy(root);
    Path file = root.resolve(cut);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    StringJoiner outcome = new StringJoiner("\n");
    try (ImageStore store = format().open(copy, StoreOptions.NONE)) {
      outcome.add(store.fingerprint());
      for (long i = 0; i < store.size(); i++) {
        try {
          outcome.add(store.label(i) + " " + Arrays.hashCode(store.read(i).bytes()));
        } catch (IOException | RuntimeException failure) {
          outcome.add(failure.toString());
        }
      }
    } catch (IOException | RuntimeException failure) {
      outcome.add(failure.toString());
    }
    return outcome.toString().replace(root.toString(), "ROOT").replace('\\', '/');
  }

  @Test
  void shouldWriteNothingWhereItOnlyReads() throws IOException {
    assumeTrue(place != Place.DISK, "on the disk indexes are kept for the next time");
    Map<String, Long> before = sizes(directory);
    try (ImageStore store = open()) {
      for (long i = 0; i < store.size(); i++) {
        store.read(i);
      }
    }

    assertThat(sizes(directory)).isEqualTo(before);
  }

  private static Map<String, Long> sizes(Path root) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (var found = Files.walk(root)) {
      for (Path each : (Iterable<Path>) found.filter(Files::isRegularFile)::iterator) {
        sizes.put(root.relativize(each).toString().replace('\\', '/'), Files.size(each));
      }
    }
    return sizes;
  }

  @Test
  void shouldBeReadByThreadsAtOnce() throws Exception {
    List<byte[]> alone = new ArrayList<>();
    try (ImageStore store = open()) {
      for (long i = 0; i < store.size(); i++) {
        alone.add(store.read(i).bytes());
      }
      Together.inEightThreads(
          thread -> {
            for (int i = 0; i < 200; i++) {
              int index = (int) (i * (1 + 2L * thread) % store.size());
              assertThat(store.read(index).bytes()).isEqualTo(alone.get(index));
            }
            return null;
          });
    }
  }

  @Test
  void shouldSurviveThatOneOfItsReadersIsInterrupted() throws Exception {
    try (ImageStore store = open()) {
      byte[] before = store.read(0).bytes();
      Thread reader =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  store.read(1);
                } catch (IOException | RuntimeException interrupted) {
                  assertThat(interrupted).isNotNull();
                }
              });
      reader.start();
      reader.join();

      assertThat(store.read(0).bytes()).isEqualTo(before);
      assertThat(store.read(1).bytes()).isNotEmpty();
    }
  }

  @Test
  void shouldRefuseToReadOnceItIsClosed() throws IOException {
    ImageStore store = open();
    store.close();
    store.close();

    assertThatThrownBy(() -> store.read(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseOptionsThatItDoesNotHave() {
    StoreOptions options = StoreOptions.NONE.with("color-of-the-sky", "blue");

    assertThatThrownBy(() -> format().open(path, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(format().name(), "color-of-the-sky");
  }

  @Test
  void shouldSayWhatIsMissingWhereNothingLies() {
    Path nothing = directory.resolve("nothing");

    assertThatThrownBy(() -> StoreFormat.of(nothing))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(nothing.toString());
  }
}
