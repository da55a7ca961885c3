package io.feedline.formats.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.internal.shards.ShardList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModuleFormatTest {

  private static final List<StoreFormat> IMAGES =
      StoreFormat.all().stream().filter(ModuleFormatTest::isOfImages).toList();

  @TempDir private Path directory;

  /** The artifact of a format: {@code loader-lmdb} for classes or a jar in the folder lmdb. */
  private static String artifact(StoreFormat format) {
    String place = format.getClass().getProtectionDomain().getCodeSource().getLocation().getPath();
    return Stream.of("images", "records", "lmdb", "hdf5", "tables", "annotations")
        .filter(module -> place.matches(".*/loader-(formats/)?" + module + "/.*"))
        .map("loader-"::concat)
        .findFirst()
        .orElseThrow(() -> new AssertionError(format.name() + " comes from " + place));
  }

  private static boolean isOfImages(StoreFormat format) {
    return artifact(format).equals("loader-images");
  }

  @Test
  void shouldKnowEachFormatOfAnotherModuleWithItsArtifact() {
    Map<String, String> found = new TreeMap<>();
    for (StoreFormat format : StoreFormat.all()) {
      if (!isOfImages(format)) {
        found.put(format.name(), "io.feedline:" + artifact(format));
      }
    }
    Map<String, String> known = new TreeMap<>();
    for (String name : found.keySet()) {
      known.put(name, ModuleFormat.absentNamed(name, List.of()).orElseThrow().artifact());
    }

    assertThat(known).isEqualTo(found).hasSize(ModuleFormat.values().length - 2);
    assertThat(
            Arrays.stream(ModuleFormat.values())
                .filter(format -> format != ModuleFormat.MEDIA)
                .map(ModuleFormat::artifact))
        .hasSameElementsAs(found.values());
  }

  private static void pack(StoreFormat format, Path path) throws IOException {
    pack(format, path, "ant");
  }

  private static void pack(StoreFormat format, Path path, String name) throws IOException {
    FixtureFiles.write(
        format.create(path, Packing.of(List.of(name), 1)),
        List.of(new EncodedImage(name + "/0", Fixtures.bytes("jpeg_444.jpg"), 0, "jpg")));
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.store.EveryStoreWriterTest#names")
  void shouldRecognizeWhatAFormatWrites(String name) throws IOException {
    StoreFormat format = StoreFormat.named(name);
    Path path = directory.resolve("store");
    pack(format, path);

    if (isOfImages(format)) {
      assertThat(ModuleFormat.absentAt(path, IMAGES)).isEmpty();
    } else {
      assertThat(ModuleFormat.absentAt(path, IMAGES).map(ModuleFormat::artifact))
          .contains("io.feedline:" + artifact(format));
    }
    assertThat(ModuleFormat.absentAt(path, StoreFormat.all())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "hdf5/pictures.h5, HDF5",
    "parquet/none.parquet, PARQUET",
    "arrow/stream.arrow, ARROW",
    "pixels/train-images-idx3-ubyte, IDX",
    "pixels/cifar10/data_batch_1.bin, CIFAR"
  })
  void shouldRecognizeWhatOnlyOthersWrite(String fixture, ModuleFormat expected)
      throws IOException {
    Path file = fixtureOf(fixture);

    assertThat(ModuleFormat.absentAt(file, IMAGES)).contains(expected);
    assertThat(ModuleFormat.absentAt(file.getParent(), IMAGES)).contains(expected);
  }

  @ParameterizedTest
  @CsvSource({"hdf5/pictures.h5, HDF5", "parquet/none.parquet, PARQUET", "arrow/file.arrow, ARROW"})
  void shouldRecognizeAFileByItsFirstBytes(String fixture, ModuleFormat expected)
      throws IOException {
    Path file = Files.move(fixtureOf(fixture), directory.resolve("unnamed"));

    assertThat(ModuleFormat.absentAt(file, IMAGES)).contains(expected);
  }

  private Path fixtureOf(String name) throws IOException {
    Path source =
        Stream.of("hdf5", "tables", "annotations")
            .map(
                module -> Path.of("../" + module + "/src/test/resources/io/feedline/formats", name))
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    Path folder = Files.createDirectory(directory.resolve("fixture"));
    return Files.copy(source, folder.resolve(source.getFileName()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x.tfrecord",
        "a-00000-of-00001",
        "a.rec",
        "a.parquet",
        "a.arrow",
        "x.tar",
        "a.zip",
        "a.h5",
        "data.mdb",
        "shards.json",
        "index.json",
        "train-images-idx3-ubyte",
        "data_batch_1.bin",
        "sound.wav"
      })
  void shouldTakeADirectoryForAClassWhateverItsName(String name) throws IOException {
    Path store = directory.resolve("store");
    pack(StoreFormat.named("imagefolder"), store, name);

    assertThat(ModuleFormat.absentAt(store, IMAGES)).isEmpty();
    assertThat(StoreFormat.of(store).name()).isEqualTo("imagefolder");
    try (ImageDataset images = ImageDataset.open(store)) {
      assertThat(images.classes()).containsExactly(name);
    }
  }

  @Test
  void shouldTakeClassesWithNamesOfPythonsCifarForClasses() throws IOException {
    Files.createDirectories(directory.resolve("meta"));
    Files.createDirectories(directory.resolve("train"));

    assertThat(StoreFormat.of(directory).name()).isEqualTo("imagefolder");
  }

  @Test
  void shouldRecognizeTheListOfShards() throws IOException {
    Path store = ListedStores.make(directory.resolve("store"), "webdataset", Map.of());

    assertThat(store.resolve(ShardList.NAME)).exists();
    assertThat(ModuleFormat.absentAt(store, IMAGES)).contains(ModuleFormat.SHARDS);
  }

  @Test
  void shouldRecognizePatterns() throws IOException {
    assertThat(ModuleFormat.absentAt(directory.resolve("train-{000..031}.tar"), IMAGES))
        .contains(ModuleFormat.WEBDATASET);
    assertThat(ModuleFormat.absentAt(directory.resolve("train-?????-of-00008"), IMAGES))
        .contains(ModuleFormat.TFRECORD);
    assertThat(ModuleFormat.absentAt(directory.resolve("train.tar"), IMAGES)).isEmpty();
  }

  @Test
  void shouldNameTheArtifactToAdd() throws Exception {
    Path database = directory.resolve("train.lmdb");
    pack(StoreFormat.named("lmdb"), database);

    assertThatThrownBy(() -> WithoutJars.call(getClass(), "open", database, "lmdb"))
        .hasMessage(database + ": this is an LMDB database: add io.feedline:loader-lmdb");
    assertThatThrownBy(() -> WithoutJars.call(getClass(), "named", database, "lmdb"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the format 'lmdb' is not on the class path: add io.feedline:loader-lmdb");
    assertThatThrownBy(
            () -> WithoutJars.call(getClass(), "open", directory.resolve("none.lmdb"), "lmdb"))
        .isInstanceOf(NoSuchFileException.class);
  }

  /** Called by reflection, with the classes of its own loader. */
  static void open(Path path) throws IOException {
    ImageDataset.open(path).close();
  }

  /** Called by reflection, with the classes of its own loader. */
  static void named(Path path) {
    StoreFormat.named("lmdb");
  }

  private static final String[] NAMES =
      ("lmdb tfrecord recordio webdataset mds hdf5 zip parquet arrow idx cifar imagefolder"
              + " imagefiles")
          .split(" ", -1);

  @Test
  void shouldListAllFormatsInOneOrder() {
    assertThat(StoreFormat.all()).extracting(StoreFormat::name).containsExactly(NAMES);
  }

  @Test
  void shouldNotTakeItFromTheClassPath() {
    List<StoreFormat> formats = new ArrayList<>(StoreFormat.all());
    Collections.reverse(formats);

    formats.sort(ModuleFormat.ORDER);

    assertThat(formats).extracting(StoreFormat::name).containsExactly(NAMES);
  }
}
