package io.feedline.formats.store;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.mds.MdsDataset;
import io.feedline.formats.store.internal.files.Sha256;
import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.formats.webdataset.WebDataset;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores whose index names shards in several directories: ours, and those of other tools. */
class ShardedStoresTest {

  @SuppressWarnings("unused") // by FieldSource
  static final List<String> FORMATS = ListedStores.FORMATS;

  private static final List<String> LISTED = List.of("webdataset", "tfrecord");

  @TempDir private Path root;

  private Path make(String format) throws IOException {
    return ListedStores.make(root.resolve("store"), format, Map.of());
  }

  private static Path shard(Path store, int task) throws IOException {
    try (var files = Files.list(store.resolve(ListedStores.task(task)))) {
      return files
          .filter(file -> !file.toString().endsWith("index"))
          .reduce((one, other) -> other)
          .orElseThrow();
    }
  }

  private static Path indexOf(Path store, String format) {
    return store.resolve(format.equals("mds") ? "index.json" : ShardList.NAME);
  }

  /** Key, label and hash of each image, as read_shards.py prints them. */
  private static List<String> listing(ImageStore store) throws IOException {
    List<String> lines = new ArrayList<>();
    for (long i = 0; i < store.size(); i++) {
      EncodedImage image = store.read(i);
      lines.add(image.key() + "\t" + image.label() + "\t" + Sha256.of(image.bytes()));
    }
    return lines;
  }

  private static List<String> listing(Path path) throws IOException {
    try (ImageDataset images = ImageDataset.open(path)) {
      return listing(images.store());
    }
  }

  private static Path fixture(Path directory, String name, List<String> files) throws IOException {
    FixtureFiles.copy(
        ShardedStoresTest.class,
        directory,
        files.stream().map(file -> name + "/" + file).toArray(String[]::new));
    return directory.resolve(name);
  }

  private Path wids() throws IOException {
    return fixture(
        root,
        "wids",
        List.of(ShardList.NAME, "b/part-000000.tar", "a/c/part-000000.tar", "a/b/part-000000.tar"));
  }

  private Path merged(String name, String suffix) throws IOException {
    return fixture(
        root,
        name,
        List.of(
            "index.json",
            "b/shard.00000.mds" + suffix,
            "a/c/shard.00000.mds" + suffix,
            "a/c/shard.00001.mds" + suffix,
            "a/b/shard.00000.mds" + suffix));
  }

  private static List<String> expected() {
    return FixtureFiles.lines(ShardedStoresTest.class, "listing.txt");
  }

  @Test
  void shouldReadWhatWidsHasIndexed() throws IOException {
    Path store = wids();

    assertThat(listing(store)).isEqualTo(expected());
    assertThat(listing(store.resolve(ShardList.NAME))).isEqualTo(expected());
    Path renamed = Files.move(store.resolve(ShardList.NAME), store.resolve("train.json"));
    assertThat(listing(renamed)).isEqualTo(expected());
  }

  @Test
  void shouldReadWhatStreamingHasMergedAndInflateItBesideItsShards() throws IOException {
    assertThat(listing(merged("merged", ""))).isEqualTo(expected());
    Path store = merged("merged-gz", ".gz");
    assertThat(listing(store)).isEqualTo(expected());
    assertThat(store.resolve("a/c/shard.00001.mds")).isRegularFile();
  }

  @Test
  void shouldInflateShardsOfOneNameIntoACache() throws IOException {
    Path store = merged("merged-gz", ".gz");
    Path cache = root.resolve("cache");

    try (ImageDataset images = MdsDataset.builder(store).cache(cache).images().build()) {
      assertThat(listing(images.store())).isEqualTo(expected());
    }
    assertThat(cache.resolve("a/c/shard.00001.mds")).isRegularFile();
    assertThat(cache.resolve("b/shard.00000.mds")).isRegularFile();
    assertThat(store.resolve("b/shard.00000.mds")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({"webdataset, 0", "tfrecord, 0", "tfrecord, 1", "mds, 0"})
  void shouldBeReadByPythonByItsIndex(String format, String firstLabel) throws Exception {
    Map<String, String> options = firstLabel.equals("0") ? Map.of() : Map.of("first-label", "1");
    Path store = ListedStores.make(root.resolve("store"), format, options);

    assertThat(Python.runPlain(getClass(), "read_shards.py", store)).isEqualTo(listing(store));
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldHaveItsTasksSamplesInTheirOrder(String format) throws IOException {
    try (ImageDataset images = ImageDataset.open(make(format))) {
      assertThat(images.classes()).isEqualTo(ListedStores.CLASSES);
      assertThat(images.store().path()).isEqualTo(root.resolve("store"));
      assertThat(images.store().shardSizes())
          .containsExactly(ListedStores.SIZES.stream().mapToLong(size -> size).toArray());
      for (int i = 0; i < images.size(); i++) {
        EncodedImage image = images.encoded(i);
        assertThat(image.key()).isEqualTo(ListedStores.image(i).key());
        assertThat(image.label()).isEqualTo(ListedStores.image(i).label());
        assertThat(image.bytes()).isEqualTo(ListedStores.image(i).bytes());
      }
    }
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldLookAtNoShardBeforeItIsRead(String format) throws IOException {
    Path store = make(format);
    Path last = shard(store, 2);
    Files.delete(last);

    try (ImageDataset images = ImageDataset.open(store)) {
      assertThat(images.size()).isEqualTo(8);
      assertThat(images.encoded(6).key()).isEqualTo(ListedStores.image(6).key());
      assertThat(images.describe(7)).contains(last.toString(), " 0");
      refused(IOException.class, () -> images.encoded(7), last + ": there is no such file");
    }
    try (var files = Files.list(store.resolve(ListedStores.task(0)))) {
      assertThat(files).as("that only the shard was indexed which was read").hasSize(1);
    }
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldNameAShardThatIsCutOff(String format) throws IOException {
    Path store = make(format);
    Path shard = shard(store, 1);
    long size = Files.size(shard);
    Files.write(shard, Arrays.copyOf(Files.readAllBytes(shard), (int) size - 512));

    try (ImageDataset images = ImageDataset.open(store)) {
      assertThat(images.encoded(2).key()).isEqualTo(ListedStores.image(2).key());
      for (int i = 3; i < 7; i++) {
        int index = i;
        assertThatThrownBy(() -> images.encoded(index))
            .isInstanceOf(FormatException.class)
            .hasMessageContainingAll(shard.toString(), size - 512 + " bytes", "says " + size);
      }
      assertThat(images.encoded(7).key()).isEqualTo(ListedStores.image(7).key());
    }
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldNameAShardThatHasOtherSamplesThanTheIndexSays(String format) throws IOException {
    Path store = make(format);
    Path index = indexOf(store, format);
    String name = format.equals("mds") ? "\"samples\":" : "\"nsamples\":";
    Files.writeString(index, Files.readString(index).replace(name + "4", name + "5"));

    try (ImageDataset images = ImageDataset.open(store)) {
      assertThat(images.size()).isEqualTo(9);
      for (int i = 3; i < 8; i++) {
        int sample = i;
        assertThatThrownBy(() -> images.encoded(sample))
            .isInstanceOf(FormatException.class)
            .hasMessageContainingAll(shard(store, 1).toString(), "4 samples", "says 5");
      }
    }
  }

  @Test
  void shouldReadTheSamplesBeforeDamageAndNoOthers() throws IOException {
    Path store = make("webdataset");
    Path shard = shard(store, 1);
    byte[] bytes = Files.readAllBytes(shard);
    int third = 0;
    for (int found = 0; found < 3; third += 512) {
      found += new String(bytes, third, 100, US_ASCII).contains(".cls") ? 1 : 0;
    }
    Arrays.fill(bytes, third - 512, third, (byte) 7);
    Files.write(shard, bytes);

    try (ImageDataset images = ImageDataset.open(store)) {
      assertThat(images.encoded(3).key()).isEqualTo(ListedStores.image(3).key());
      for (int i = 4; i < 7; i++) {
        int sample = i;
        refused(
            FormatException.class, () -> images.encoded(sample), shard.toString(), "no tar header");
      }
      assertThat(images.encoded(7).key()).isEqualTo(ListedStores.image(7).key());
    }
  }

  @Test
  void shouldScanAShardThatIsDamagedOnce() throws IOException {
    Path store = make("tfrecord");
    Path shard = shard(store, 1);
    byte[] sound = Files.readAllBytes(shard);
    byte[] damaged = sound.clone();
    damaged[0] ^= 1;
    Files.write(shard, damaged);

    try (ImageDataset images = ImageDataset.open(store)) {
      String problem = shard + ", record 0 at offset 0";
      refused(FormatException.class, () -> images.encoded(3), problem);
      Files.write(shard, sound);
      refused(FormatException.class, () -> images.encoded(4), problem);
    }
    assertThat(listing(store)).hasSize(8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "tfrecord"})
  void shouldConsistOfListedShardsAlone(String format) throws IOException {
    Path store = make(format);
    List<String> before = listing(store);
    String stray = format.equals("webdataset") ? "data-000000.tar" : "data-00000-of-00001";
    Files.copy(shard(store, 0), store.resolve(stray));
    assertThat(listing(store)).isEqualTo(before);
    StoreFormat other = StoreFormat.named(LISTED.get(1 - LISTED.indexOf(format)));

    assertThat(StoreFormat.of(store).name()).isEqualTo(format);
    assertThatThrownBy(() -> other.open(store, StoreOptions.NONE))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "%s: shards.json lists shards of %s, not of %s".formatted(store, format, other.name()));
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldRefuseAnIndexWhosePathsLeadOut(String format) throws IOException {
    Path store = make(format);
    Path index = indexOf(store, format);
    Files.writeString(index, Files.readString(index).replace(ListedStores.task(1), "../outside"));

    assertThatThrownBy(() -> StoreFormat.named(format).open(store, StoreOptions.NONE))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(index.toString(), "shard 1", "../outside/");
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldRefuseADamagedIndex(String format) throws IOException {
    Path store = make(format);
    Path index = indexOf(store, format);
    String text = Files.readString(index);
    Files.writeString(index, text.substring(0, text.length() / 2));

    refused(FormatException.class, () -> ImageDataset.open(store), index.toString(), "position");
  }

  @Test
  void shouldTakeTheOptionsOfTheListUnlessOthersAreGiven() throws IOException {
    Path store =
        ListedStores.make(root, "tfrecord", Map.of("first-label", "1", "label-field", "kind"));
    try (ImageStore listed = StoreFormat.of(store).open(store, StoreOptions.NONE);
        ImageDataset built = TfRecordDataset.images(store).build();
        ImageStore given =
            StoreFormat.of(store).open(store, StoreOptions.NONE.with("first-label", "0"))) {
      assertThat(listed.label(1)).isEqualTo(1);
      assertThat(built.store().label(1)).isEqualTo(1);
      assertThat(given.label(1)).isEqualTo(2);
    }
    ShardList list = ShardList.read(store.resolve(ShardList.NAME));
    Files.write(
        store.resolve(ShardList.NAME),
        new ShardList(list.format(), list.classes(), Map.of("lable", "1"), list.shards())
            .toBytes());
    assertThatThrownBy(() -> TfRecordDataset.images(store).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(store.toString(), "shards.json", "lable", "first-label");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "tfrecord"})
  void shouldOpenOneOfItsShardsByItselfAsTheListHasIt(String format) throws IOException {
    Map<String, String> options = format.equals("tfrecord") ? Map.of("first-label", "1") : Map.of();
    Path store = ListedStores.make(root.resolve("store"), format, options);
    Path shard = shard(store, 1);
    List<String> whole = listing(store);

    try (ImageDataset images = ImageDataset.open(shard)) {
      assertThat(listing(images.store())).isEqualTo(whole.subList(3, 7));
      assertThat(images.classes()).isEqualTo(ListedStores.CLASSES);
      assertThat(images.store().path()).isEqualTo(shard);
    }
    Files.write(shard, new byte[512], StandardOpenOption.APPEND);
    refused(FormatException.class, () -> listing(shard), "the list of shards says");
    Path stray = Files.copy(shard(store, 0), shard.resolveSibling("stray.tfrecord"));
    if (format.equals("tfrecord")) {
      try (ImageDataset images = ImageDataset.open(stray)) {
        assertThat(images.classes()).as("of a file that the list has not").isEmpty();
      }
    }
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldOpenAListedShardWithoutTheIndexAndTheOtherShards(String format) throws IOException {
    Map<String, String> options = format.equals("tfrecord") ? Map.of("first-label", "1") : Map.of();
    Path store = ListedStores.make(root.resolve("store"), format, options);
    StoreFormat of = StoreFormat.of(store);
    List<String> whole = listing(store);
    List<String> shards = of.shards(store, StoreOptions.NONE);
    Files.delete(indexOf(store, format));
    Files.delete(shard(store, 0));

    try (ImageStore shard = of.openShard(store, shards.get(1), StoreOptions.NONE)) {
      assertThat(listing(shard)).isEqualTo(whole.subList(3, 7));
    }
    assertThatThrownBy(() -> of.openShard(store, "{}", StoreOptions.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    try (ImageStore shard = of.openShard(store, shards.get(0), StoreOptions.NONE)) {
      refused(IOException.class, () -> shard.read(0), "there is no such file");
    }
  }

  @Test
  void shouldReadSamplesAndRecordsByTheList() throws Exception {
    String tars = make("webdataset").toString();
    Path records = ListedStores.make(root.resolve("records"), "tfrecord", Map.of());

    try (WebDataset samples = WebDataset.of(tars);
        ImageDataset images = WebDataset.images(tars).build();
        TfRecordDataset examples = TfRecordDataset.of(records)) {
      assertThat(samples.get(7).key()).isEqualTo(ListedStores.image(7).key());
      assertThat(images.classes()).isEqualTo(ListedStores.CLASSES);
      assertThat(examples.size()).isEqualTo(8);
      assertThat(examples.shardSizes()).containsExactly(3, 4, 1);
    }
    IterableDataset<WebSample> streamed = WebDataset.builder(tars).stream();
    assertThat(streamed.size()).hasValue(8);
    assertThat(streamed.shardSize(1)).hasValue(4);
    IterableDataset<byte[]> stream = TfRecordDataset.builder(records).stream();
    assertThat(stream.shards()).isEqualTo(3);
    try (SampleStream<byte[]> last = stream.open(2, 0)) {
      assertThat(last.next()).isNotNull();
      assertThat(last.next()).isNull();
    }
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void shouldHaveTheFingerprintOfWhatAnotherJobHasPacked(String format) throws IOException {
    Map<String, String> options = format.equals("mds") ? Map.of("hashes", "sha256") : Map.of();
    Path store = ListedStores.make(root.resolve("store"), format, options);
    Path again = ListedStores.make(root.resolve("again"), format, options);
    Path index = indexOf(again, format);
    Path task = again.resolve(ListedStores.task(1));
    Files.move(task, task.resolveSibling("00001-99"));
    Files.writeString(
        index,
        Files.readString(index)
            .replace(ListedStores.task(1), ListedStores.task(1).replaceFirst("-18$", "-99")));

    try (ImageDataset first = ImageDataset.open(store);
        ImageDataset second = ImageDataset.open(again)) {
      assertThat(listing(second.store())).isEqualTo(listing(first.store()));
      assertThat(second.fingerprint()).isEqualTo(first.fingerprint());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "tfrecord"})
  void shouldBeEmptyWhereTheListIs(String format) throws IOException {
    Files.write(
        root.resolve(ShardList.NAME),
        new ShardList(format, List.of("cat"), Map.of(), List.of()).toBytes());

    try (ImageDataset images = ImageDataset.open(root)) {
      assertThat(images.size()).isZero();
      assertThat(images.classes()).containsExactly("cat");
      assertThat(images.store().name()).contains(root.toString());
      assertThat(images.fingerprint()).isNotEmpty();
    }
  }
}
