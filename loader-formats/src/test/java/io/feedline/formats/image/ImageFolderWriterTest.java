package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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
    try (ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES)) {
      sink.write(image("cat/1", "jpeg_444.jpg", 0));
      sink.write(image("deeper/2", "jpeg_grey.jpg", 0));
      sink.write(image("000007", "jpeg_444.jpg", 1));
      assertThat(root).doesNotExist();
      sink.commit();
    }

    ImageFolder folder = ImageFolder.builder(root).allowEmpty(true).build();
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
    try (ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES)) {
      sink.write(image("1", "jpeg_444.jpg", 0));
    }
    Path partial = root.resolveSibling("images.partial");
    Files.writeString(partial.resolve("cat/2.jpg"), "cut off");
    Files.writeString(
        partial.resolve(".feedline-journal"),
        Files.readString(partial.resolve(".feedline-journal")) + "cat/2.j");

    try (ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES)) {
      assertThat(sink.written()).isEqualTo(1);
      sink.write(image("2", "jpeg_grey.jpg", 0));
      sink.commit();
      assertThat(sink.written()).isEqualTo(2);
    }

    ImageFolder folder = ImageFolder.builder(root).allowEmpty(true).build();
    assertThat(folder.size()).isEqualTo(2);
    assertThat(folder.encoded(1).bytes()).isEqualTo(Fixtures.bytes("jpeg_grey.jpg"));
  }

  @Test
  void shouldLeaveNothingUnderTheFinalNameWithoutCommit() throws IOException {
    try (ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES)) {
      sink.write(image("1", "jpeg_444.jpg", 0));
    }
    assertThat(root).doesNotExist();
  }

  @Test
  void shouldCallClassesWithoutNamesByTheirIndexes() throws IOException {
    try (ImageFolderWriter sink = ImageFolderWriter.open(root, List.of())) {
      sink.write(image("a", "jpeg_444.jpg", 10));
      sink.write(image("b", "jpeg_444.jpg", 9));
      sink.commit();
    }
    assertThat(ImageFolder.of(root).classes()).containsExactly("000009", "000010");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../1", "../../etc/x", "/etc/passwd", "a/../../b", ""})
  void shouldKeepHostileKeysOutOfOtherDirectories(String key) throws IOException {
    try (ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES)) {
      assertThatThrownBy(() -> sink.write(image(key, "jpeg_444.jpg", 0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("'" + key + "'");
      assertThat(sink.written()).isZero();
    }
  }

  @Test
  void shouldNameAKeyThatOccursTwice() throws IOException {
    try (ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES)) {
      sink.write(image("1", "jpeg_444.jpg", 0));
      assertThatThrownBy(() -> sink.write(image("1", "jpeg_grey.jpg", 0)))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining("the key 1");
    }
  }

  @Test
  void shouldRefuseImagesWithoutAClassThatHasAName() throws IOException {
    try (ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES)) {
      assertThatThrownBy(() -> sink.write(image("1", "jpeg_444.jpg", EncodedImage.NO_LABEL)))
          .hasMessageContaining("1 has no class");
      assertThatThrownBy(() -> sink.write(image("1", "jpeg_444.jpg", 3)))
          .hasMessageContaining("of class 3")
          .hasMessageContaining("3 classes");
    }
  }

  @Test
  void shouldRefuseBytesThatAreNoImage() throws IOException {
    try (ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES)) {
      assertThatThrownBy(() -> sink.write(new EncodedImage("note", new byte[] {1, 2, 3}, 0)))
          .isInstanceOf(ImageFormatException.class)
          .hasMessageContaining("note");
    }
  }

  @Test
  void shouldNotTouchWhatIsThereAlready() throws IOException {
    Files.createDirectories(root);
    Files.writeString(root.resolve("mine.txt"), "mine");
    assertThatThrownBy(() -> ImageFolderWriter.open(root, CLASSES))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(root.toString());
  }

  @Test
  void shouldRefuseAClassNameThatIsAPath() {
    assertThatThrownBy(() -> ImageFolderWriter.open(root, List.of("a/b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a/b'");
  }

  @Test
  void shouldRefuseToWriteAfterItsEnd() throws IOException {
    ImageFolderWriter sink = ImageFolderWriter.open(root, CLASSES);
    sink.close();
    sink.close();
    assertThatThrownBy(() -> sink.write(image("1", "jpeg_444.jpg", 0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(sink::commit).isInstanceOf(IllegalStateException.class);
  }

  private static EncodedImage image(String key, String fixture, int label) throws IOException {
    return new EncodedImage(key, Fixtures.bytes(fixture), label);
  }
}
