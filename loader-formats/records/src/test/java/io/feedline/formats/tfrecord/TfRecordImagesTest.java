package io.feedline.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Python;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TfRecordImagesTest extends DatasetContract<LabeledImage> {

  @TempDir private Path directory;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return open(1);
  }

  private ImageDataset open(int firstLabel) throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    return TfRecordDataset.images(directory.resolve("train-*")).firstLabel(firstLabel).build();
  }

  private Path one(Example.Builder example) throws IOException {
    return Fixtures.write(directory.resolve("one"), List.of(example.toBytes()));
  }

  private static Example.Builder encoded() {
    return Example.builder().bytes("image/encoded", new byte[] {1});
  }

  @Test
  void shouldReadTheImagesThatTensorFlowWrote() throws Exception {
    List<Fixtures.Fixture> expected = Fixtures.images();
    try (ImageDataset images = open(1)) {
      assertThat(images.size()).isEqualTo(7);
      for (int i = 0; i < 7; i++) {
        EncodedImage encoded = images.encoded(i);
        assertThat(encoded.key()).isEqualTo(expected.get(i).key());
        assertThat(encoded.label()).isEqualTo(expected.get(i).label() - 1);
        assertThat(FixtureFiles.crc(encoded.bytes())).isEqualTo(expected.get(i).crc());
        LabeledImage sample = images.get(i);
        assertThat(sample.label()).isEqualTo(encoded.label());
        assertThat(sample.image().width()).isEqualTo(expected.get(i).width());
        assertThat(sample.image().height()).isEqualTo(expected.get(i).height());
        assertThat(sample.image().pixels().rgb()).isNotEmpty();
      }
      assertThat(images.classes()).isEmpty();
      assertThat(images.store().shardSizes()).containsExactly(4, 3);
      assertThat(images.path(6)).isEqualTo(directory.resolve(Fixtures.SHARDS.get(1)));
      assertThat(images.encoded(0).extension()).isEqualTo("JPEG");
    }
  }

  /** As TensorFlow Datasets names them. */
  @Test
  void shouldNameTheOptionsWhereFeaturesHaveOtherNames() throws IOException {
    Path file = one(Example.builder().int64s("label", 1).bytes("image", new byte[] {1}));
    try (ImageDataset images = TfRecordDataset.images(file).build()) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("image/encoded", "[label, image]", "image-field", "label-field");
    }
    try (ImageDataset images =
        TfRecordDataset.images(file).imageField("image").labelField("label").build()) {
      assertThat(images.encoded(0).label()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0", "-1, 0, -1", "0, 1, -1",
    "1, 1, 0", "-1, 1, -1", "2147483647, 1, 2147483646"
  })
  void shouldCountLabelsFromTheFirst(long stored, int firstLabel, int label) throws IOException {
    Path file = one(encoded().int64s("image/class/label", stored));
    try (ImageDataset images = TfRecordDataset.images(file).firstLabel(firstLabel).build()) {
      assertThat(images.encoded(0).label()).isEqualTo(label);
      assertThat(images.encoded(0).key()).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 0", "-2, 0", "4, 1", "9223372036854775807, 0", "-9223372036854775808, 1"})
  void shouldRefuseLabelsThatHaveNoClass(long stored, int firstLabel) throws IOException {
    Path file = one(encoded().int64s("image/class/label", stored));
    try (ImageDataset images =
        TfRecordDataset.images(file)
            .firstLabel(firstLabel)
            .classes(List.of("a", "b", "c"))
            .build()) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(
              "one, record 0 at offset 0",
              "feature image/class/label: the label is " + stored,
              "3 classes");
    }
  }

  @Test
  void shouldReadOtherNamesAndImagesWithoutLabels() throws Exception {
    byte[] jpeg;
    try (ImageDataset images = open(1)) {
      jpeg = images.encoded(0).bytes();
    }
    Path file =
        one(Example.builder().bytes("image", jpeg).int64s("label", 5).text("id", "k/a.b.c"));
    TfRecordDataset.ImagesBuilder builder = TfRecordDataset.images(file).imageField("image");
    try (ImageDataset images = builder.labelField("label").keyField("id").build()) {
      assertThat(images.encoded(0).key()).isEqualTo("k/a.b");
      assertThat(images.get(0).label()).isEqualTo(5);
    }
    try (ImageDataset images = builder.withoutLabels().build()) {
      assertThat(images.get(0).label()).isEqualTo(EncodedImage.NO_LABEL);
    }
  }

  @Test
  void shouldNameFeaturesThatAreMissingOrOfAnotherKind() throws IOException {
    Path file = one(Example.builder().text("image/class/label", "cat"));
    try (ImageDataset images = TfRecordDataset.images(file).build()) {
      assertThatThrownBy(() -> images.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(
              file + ", record 0 at offset 0", "no feature image/encoded", "[image/class/label]");
    }
    Path other = one(encoded().text("image/class/label", "cat"));
    try (ImageDataset images = TfRecordDataset.images(other).build()) {
      assertThatThrownBy(() -> images.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("record 0", "image/class/label", "one of integers is expected");
    }
  }

  @Test
  void shouldBeFoundByTheNamesOfItsFiles() throws IOException {
    StoreFormat format = StoreFormat.named("tfrecord");
    Fixtures.copy(directory, Fixtures.SHARDS);
    for (String name : List.of("a.tfrecord", "a.tfrecords", "a.tfrecord.gz", "a.tfrecords.gz")) {
      assertThat(format.recognizes(Files.createFile(directory.resolve(name)))).isTrue();
    }
    for (String name : List.of("", "train-*", "train-00000-of-00002", "*.tfrecords")) {
      assertThat(format.recognizes(directory.resolve(name))).as(name).isTrue();
    }
    Files.createFile(directory.resolve("b.tar"));
    for (String name : List.of("b.tar", "*.tar", "no-*", "x{", "no.tfrecord", "no/train-*")) {
      assertThat(format.recognizes(directory.resolve(name))).as(name).isFalse();
    }
  }

  @Test
  void shouldOpenADirectoryWithTheOptionsOfACommandLine() throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    StoreOptions options = StoreOptions.NONE.with("first-label", "1");
    try (ImageDataset images = ImageDataset.open(directory, options);
        ImageDataset same = open(1)) {
      assertThat(images.labels()).isEqualTo(same.labels());
      assertThat(images.fingerprint()).isEqualTo(same.fingerprint());
    }
    Path file = one(Example.builder().bytes("image", new byte[] {1}).int64s("label", 5));
    StoreOptions names =
        StoreOptions.NONE
            .with(StoreOptions.IMAGE_FIELD, "image")
            .with(StoreOptions.LABEL_FIELD, "label");
    try (ImageDataset images = ImageDataset.of(new TfRecordFormat().open(file, names))) {
      assertThat(images.labels()).containsExactly(5);
    }
  }

  /** Checkpoints and scan indexes are bound to it. */
  @ParameterizedTest
  @ValueSource(strings = {"en-US", "ar-EG"})
  void shouldHaveTheSameFingerprintInEachLanguage(String language) throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag(language));
    try (ImageDataset images = open(1)) {
      assertThat(images.fingerprint())
          .isEqualTo("TfRecordDataset.images:1:TfRecordDataset:2:7:d0295185");
      assertThat(TfRecordDataset.images(directory.resolve("train-*")).stream().fingerprint())
          .isEqualTo("TfRecordDataset.images:0:2:c9649f84");
    } finally {
      Locale.setDefault(before);
    }
  }

  private static final List<String> CLASSES = List.of("cat", "dog", "größer \"x\"");
  private static final StoreOptions FROM_ONE = StoreOptions.NONE.with("first-label", "1");

  private List<EncodedImage> images;

  @BeforeEach
  void readImages() throws IOException {
    images = new ArrayList<>();
    Path source = Files.createDirectory(directory.resolve("source"));
    Fixtures.copy(source, Fixtures.SHARDS);
    try (ImageDataset dataset =
        TfRecordDataset.images(source.resolve("train-*")).firstLabel(1).build()) {
      for (int i = 0; i < dataset.size(); i++) {
        images.add(dataset.encoded(i));
      }
    }
    EncodedImage first = images.get(0);
    images.set(0, new EncodedImage(first.key(), first.bytes(), first.label(), "JPEG"));
    images.set(2, new EncodedImage("no/label", images.get(2).bytes(), -1));
  }

  private Path out() {
    return directory.resolve("out");
  }

  private StoreWriter<EncodedImage> create(Packing packing) throws IOException {
    return new TfRecordFormat().create(out(), packing);
  }

  private void writeAll(Packing packing) throws IOException {
    FixtureFiles.write(create(packing), images);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(out())) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private void requireSame(ImageDataset read) throws IOException {
    assertThat(read.size()).isEqualTo(images.size());
    for (int i = 0; i < images.size(); i++) {
      EncodedImage image = read.encoded(i);
      assertThat(image.fileName()).isEqualTo(images.get(i).fileName());
      assertThat(image.key()).isEqualTo(images.get(i).key());
      assertThat(image.label()).isEqualTo(images.get(i).label());
      assertThat(image.bytes()).isEqualTo(images.get(i).bytes());
    }
  }

  @Test
  void shouldReadBackWhatItPacked() throws IOException {
    writeAll(Packing.of(List.of(), 7).withShards(2));

    assertThat(files()).containsExactly("data-00000-of-00002", "data-00001-of-00002");
    try (ImageDataset read = ImageDataset.open(out())) {
      requireSame(read);
      assertThat(read.classes()).isEmpty();
      assertThat(read.store().shardSizes()).containsExactly(3, 4);
    }
  }

  @Test
  void shouldWriteShardsOfASizeOrOneWhereNoneAreAskedFor() throws IOException {
    writeAll(Packing.of(List.of(), 7).withShardBytes(1));
    assertThat(files()).hasSize(7).contains("data-00006-of-00007");

    Path one = directory.resolve("one");
    FixtureFiles.write(
        new TfRecordFormat().create(one, Packing.of(CLASSES, 1)), List.of(images.get(0)));
    assertThat(one.resolve("data-00000-of-00001")).exists();
    assertThat(one.resolve("data.classes.json")).exists();
  }

  @Test
  void shouldKeepTheNamesOfTheClassesAndWithWhichLabelTheyBegin() throws IOException {
    writeAll(Packing.of(CLASSES, 7).withOptions(FROM_ONE));

    assertThat(files()).containsExactly("data-00000-of-00001", "data.classes.json");
    try (ImageDataset read = ImageDataset.open(out())) {
      requireSame(read);
      assertThat(read.classes()).isEqualTo(CLASSES);
    }
    try (TfRecordDataset records = TfRecordDataset.of(out().resolve("data-*"))) {
      assertThat(Example.parse(records.get(0)).text("image/filename")).endsWith(".JPEG");
      Example example = Example.parse(records.get(1));
      assertThat(example.int64("image/class/label")).isEqualTo(2);
      assertThat(example.text("image/class/text")).isEqualTo("dog");
      assertThat(example.text("image/format")).isEqualTo("JPEG");
      assertThat(example.text("image/filename")).isEqualTo(images.get(1).fileName());
      assertThat(example.int64("image/width")).isEqualTo(13);
      assertThat(example.int64("image/height")).isEqualTo(10);
      Example unlabeled = Example.parse(records.get(2));
      assertThat(unlabeled.int64("image/class/label")).isZero();
      assertThat(unlabeled.has("image/class/text")).isFalse();
      assertThat(unlabeled.text("image/filename")).isEqualTo("no/label.jpg");
      assertThat(Example.parse(records.get(5)).text("image/format")).isEqualTo("PNG");
    }
  }

  @Test
  void shouldUseTheFeaturesThatItIsToldTo() throws IOException {
    StoreOptions names =
        StoreOptions.NONE
            .with(StoreOptions.IMAGE_FIELD, "image")
            .with(StoreOptions.LABEL_FIELD, "label");
    writeAll(Packing.of(List.of(), 7).withOptions(names));

    try (ImageDataset read = ImageDataset.open(out(), names)) {
      requireSame(read);
    }
  }

  @Test
  void shouldRefuseWhatItCannotHoldAndGoOn() throws IOException {
    try (StoreWriter<EncodedImage> writer = create(Packing.of(CLASSES, 1))) {
      assertThatThrownBy(() -> writer.write(new EncodedImage("k", new byte[] {1, 2, 3}, 0)))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("image k");
      assertThat(writer.written()).isZero();
      writer.write(images.get(0));
      assertThat(writer.written()).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    Packing packing = Packing.of(CLASSES, 7);
    assertThatThrownBy(
            () -> create(packing.withOptions(StoreOptions.NONE.with("first-label", "-1"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was -1");
    assertThat(out()).doesNotExist();
  }

  @Test
  void shouldBeReadByTensorFlow() throws Exception {
    writeAll(Packing.of(CLASSES, 7).withShards(3).withOptions(FROM_ONE));
    List<String> expected = new ArrayList<>();
    for (EncodedImage image : images) {
      expected.add(
          "%s,%d,%s,%s"
              .formatted(
                  image.fileName(),
                  image.label() + 1,
                  image.label() < 0 ? "" : CLASSES.get(image.label()),
                  FixtureFiles.crc(image.bytes())));
    }

    List<String> read =
        Python.run(getClass(), "read_pictures.py", "tensorflow", out().resolve("data-*-of-*"));

    assertThat(read).isEqualTo(expected);
  }
}
