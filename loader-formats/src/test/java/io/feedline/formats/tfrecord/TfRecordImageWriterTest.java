package io.feedline.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.support.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TfRecordImageWriterTest {

  private static final List<String> CLASSES = List.of("cat", "dog", "größer \"x\"");

  @TempDir private Path directory;
  private List<EncodedImage> images;

  @BeforeEach
  void readImages() throws IOException {
    images = new ArrayList<>();
    Path source = Files.createDirectory(directory.resolve("source"));
    Fixtures.copy(source, Fixtures.SHARDS);
    try (TfRecordImages dataset =
        TfRecordImages.builder(source.resolve("train-*")).firstLabel(1).build()) {
      for (int i = 0; i < dataset.size(); i++) {
        images.add(dataset.encoded(i));
      }
    }
    images.set(2, new EncodedImage("no/label", images.get(2).bytes(), -1));
  }

  private Path base() {
    return directory.resolve("out/val");
  }

  private static void requireSame(TfRecordImages read, List<EncodedImage> expected)
      throws IOException {
    assertThat(read.size()).isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      EncodedImage image = read.encoded(i);
      assertThat(image.key()).isEqualTo(expected.get(i).key());
      assertThat(image.label()).isEqualTo(expected.get(i).label());
      assertThat(image.bytes()).isEqualTo(expected.get(i).bytes());
    }
  }

  @Test
  void shouldReadBackWhatItPacked() throws IOException {
    try (TfRecordImageWriter sink = TfRecordImageWriter.builder(base()).shards(2, 7).build()) {
      for (EncodedImage image : images) {
        sink.write(image);
      }
      sink.commit();
    }

    try (TfRecordImages read = TfRecordImages.of(directory.resolve("out/val-*"))) {
      requireSame(read, images);
      assertThat(read.classes()).isEmpty();
      assertThat(read.firstLabel()).isZero();
      assertThat(read.records().shards()).isEqualTo(2);
    }
    assertThat(directory.resolve("out/val.classes.json")).doesNotExist();
  }

  @Test
  void shouldKeepTheNamesOfTheClassesAndWithWhichLabelTheyBegin() throws IOException {
    try (TfRecordImageWriter sink =
        TfRecordImageWriter.builder(base()).classes(CLASSES).firstLabel(1).build()) {
      for (EncodedImage image : images) {
        sink.write(image);
      }
      sink.commit();
    }

    try (TfRecordImages read = TfRecordImages.of(directory.resolve("out/val-*"))) {
      requireSame(read, images);
      assertThat(read.classes()).isEqualTo(CLASSES);
      assertThat(read.firstLabel()).isEqualTo(1);
      Example example = Example.parse(read.records().get(1));
      assertThat(example.int64("image/class/label")).isEqualTo(2);
      assertThat(example.text("image/class/text")).isEqualTo("dog");
      assertThat(example.text("image/format")).isEqualTo("JPEG");
      assertThat(example.text("image/filename")).isEqualTo("n00000002_1.jpg");
      assertThat(example.int64("image/width")).isEqualTo(13);
      assertThat(example.int64("image/height")).isEqualTo(10);
      Example unlabeled = Example.parse(read.records().get(2));
      assertThat(unlabeled.int64("image/class/label")).isZero();
      assertThat(unlabeled.has("image/class/text")).isFalse();
      assertThat(Example.parse(read.records().get(5)).text("image/format")).isEqualTo("PNG");
    }
  }

  @Test
  void shouldGoOnWhereItWasInterrupted() throws IOException {
    try (TfRecordImageWriter sink = TfRecordImageWriter.builder(base()).oneFile().build()) {
      sink.write(images.get(0));
      sink.write(images.get(1));
    }
    assertThatThrownBy(() -> TfRecordImages.of(base())).isInstanceOf(IOException.class);
    try (TfRecordImageWriter sink = TfRecordImageWriter.builder(base()).oneFile().build()) {
      assertThat(sink.written()).isEqualTo(2);
      for (EncodedImage image : images.subList(2, 7)) {
        sink.write(image);
      }
      sink.commit();
    }

    try (TfRecordImages read = TfRecordImages.of(base())) {
      requireSame(read, images);
    }
  }

  @Test
  void shouldRefuseWhatItCannotHoldAndGoOn() throws IOException {
    try (TfRecordImageWriter sink =
        TfRecordImageWriter.builder(base()).classes(CLASSES).oneFile().build()) {
      assertThatThrownBy(() -> sink.write(new EncodedImage("k", new byte[] {1, 2, 3}, 0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("image k");
      byte[] jpeg = images.get(0).bytes();
      assertThatThrownBy(() -> sink.write(new EncodedImage("k", jpeg, 3)))
          .isInstanceOf(IOException.class)
          .hasMessage("image k has label 3, but there are 3 classes");
      assertThat(sink.written()).isZero();
      sink.write(images.get(0));
      assertThat(sink.written()).isEqualTo(1);
    }
  }

  @Test
  void shouldNotLeaveTheClassesOfAnEarlierDatasetOfItsName() throws IOException {
    Files.createDirectories(base().getParent());
    Files.writeString(directory.resolve("out/val.classes.json"), "{\"classes\": [\"old\"]}");
    try (TfRecordImageWriter sink = TfRecordImageWriter.builder(base()).build()) {
      sink.commit();
    }

    assertThat(directory.resolve("out/val.classes.json")).doesNotExist();
  }

  @Test
  void shouldRefuseANegativeFirstLabel() {
    assertThatThrownBy(() -> TfRecordImageWriter.builder(base()).firstLabel(-1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was -1");
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void shouldBeReadByTensorFlow() throws Exception {
    try (TfRecordImageWriter sink =
        TfRecordImageWriter.builder(base()).classes(CLASSES).firstLabel(1).shards(3, 7).build()) {
      for (EncodedImage image : images) {
        sink.write(image);
      }
      sink.commit();
    }
    List<String> expected = new ArrayList<>();
    for (EncodedImage image : images) {
      String extension = image.key().endsWith("p.5") ? ".png" : ".jpg";
      expected.add(
          "%s,%d,%s,%s"
              .formatted(
                  image.key() + extension,
                  image.label() + 1,
                  image.label() < 0 ? "" : CLASSES.get(image.label()),
                  Fixtures.crc(image.bytes())));
    }

    List<String> read =
        Python.run(
            getClass(), "read_pictures.py", "tensorflow", directory.resolve("out/val-*-of-*"));

    assertThat(read).isEqualTo(expected);
  }
}
