package io.feedline.formats.folder;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageFolderWriterTest {
  private static final List<String> CLASSES = List.of("cat", "dog", "empty");

  private Path root;

  @BeforeEach
  void nameTheFolder(@TempDir Path directory) {
    root = directory.resolve("images");
  }

  @Test
  void shouldWriteAFolderThatReadsAsItWas() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(CLASSES)) {
      writer.write(image("cat/1", "jpeg_444.jpg", 0));
      writer.write(image("deeper/2", "jpeg_grey.jpg", 0));
      writer.write(image("000007", "jpeg_444.jpg", 1));
      assertThat(root).doesNotExist();
      writer.commit();
    }

    ImageDataset folder = ImageFolder.builder(root).allowEmpty(true).build();
    assertThat(folder.classes()).isEqualTo(CLASSES);
    assertThat(folder.labels()).containsExactly(0, 0, 1);
    assertThat(folder.encoded(0).key()).isEqualTo("cat/1");
    assertThat(folder.encoded(1).key()).isEqualTo("cat/deeper/2");
    assertThat(folder.encoded(1).bytes()).isEqualTo(Fixtures.bytes("jpeg_grey.jpg"));
    assertThat(folder.path(2)).isEqualTo(root.resolve("dog/000007.jpg"));
    try (var left = Files.list(root.getParent())) {
      assertThat(left).containsExactly(root);
    }
    try (var inside = Files.list(root)) {
      assertThat(inside).hasSize(3);
    }
  }

  @Test
  void shouldGoOnWhereAnInterruptedRunEnded() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(CLASSES)) {
      writer.write(image("1", "jpeg_444.jpg", 0));
    }
    Files.writeString(root.resolveSibling("images.partial").resolve("cat/2.jpg"), "cut off");

    try (StoreWriter<EncodedImage> writer = open(CLASSES)) {
      assertThat(writer.written()).isEqualTo(1);
      writer.write(image("2", "jpeg_grey.jpg", 0));
      writer.commit();
      assertThat(writer.written()).isEqualTo(2);
    }

    ImageDataset folder = ImageFolder.builder(root).allowEmpty(true).build();
    assertThat(folder.size()).isEqualTo(2);
    assertThat(folder.encoded(1).bytes()).isEqualTo(Fixtures.bytes("jpeg_grey.jpg"));
  }

  @Test
  void shouldCallClassesWithoutNamesByTheirIndexes() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(List.of())) {
      writer.write(image("a", "jpeg_444.jpg", 10));
      writer.write(image("b", "jpeg_444.jpg", 9));
      writer.commit();
    }
    assertThat(ImageFolder.of(root).classes()).containsExactly("000009", "000010");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../1", "../../etc/x", "a/../../b", ""})
  void shouldKeepHostileKeysOutOfOtherDirectories(String key) throws IOException {
    try (StoreWriter<EncodedImage> writer = open(CLASSES)) {
      refused(
          IOException.class, () -> writer.write(image(key, "jpeg_444.jpg", 0)), "'" + key + "'");
      assertThat(writer.written()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/1", "./etc/1", "etc\\\\1", ".//etc/./1", "./cat/etc/1"})
  void shouldWriteKeysAsTheyAreMeant(String key) throws IOException {
    try (StoreWriter<EncodedImage> writer = open(CLASSES)) {
      writer.write(image(key, "jpeg_444.jpg", 0));
      writer.commit();
    }
    assertThat(root.resolve(CLASSES.get(0)).resolve("etc/1.jpg")).exists();
  }

  @Test
  void shouldRefuseWhatAFolderCannotHold() throws IOException {
    try (StoreWriter<EncodedImage> writer = open(CLASSES)) {
      writer.write(image("1", "jpeg_444.jpg", 0));
      refuse(writer, image("1", "jpeg_grey.jpg", 0), "the key '1'");
      refuse(writer, image("2", "jpeg_444.jpg", EncodedImage.NO_LABEL), "2 has no class");
      refuse(writer, image("2", "jpeg_444.jpg", 3), "of class 3", "3 classes");
      refuse(writer, new EncodedImage("note", new byte[] {1, 2, 3}, 0), "note");
    }
  }

  private static void refuse(
      StoreWriter<EncodedImage> writer, EncodedImage image, String... words) {
    refused(FormatException.class, () -> writer.write(image), words);
  }

  @Test
  void shouldRefuseAClassNameThatIsAPath() {
    refused(IllegalArgumentException.class, () -> open(List.of("a/b")), "'a/b'");
  }

  private StoreWriter<EncodedImage> open(List<String> classes) throws IOException {
    return new ImageFolderFormat().create(root, Packing.of(classes, 3));
  }

  private static EncodedImage image(String key, String fixture, int label) throws IOException {
    return new EncodedImage(key, Fixtures.bytes(fixture), label);
  }
}
