package io.feedline.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Python;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TfRecordImageWriterTest {

  private static final List<String> CLASSES = List.of("cat", "dog", "größer \"x\"");
  private static final StoreOptions FROM_ONE = StoreOptions.NONE.with("first-label", "1");

  @TempDir private Path directory;
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
    try (StoreWriter<EncodedImage> writer = create(packing)) {
      for (EncodedImage image : images) {
        writer.write(image);
      }
      writer.commit();
    }
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
    try (StoreWriter<EncodedImage> writer =
        new TfRecordFormat().create(one, Packing.of(CLASSES, 1))) {
      writer.write(images.get(0));
      writer.commit();
    }
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
