package io.feedline.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.EncodedPicture;
import io.feedline.formats.support.Python;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TfRecordPictureSinkTest {

  private static final List<String> CLASSES = List.of("cat", "dog", "größer \"x\"");

  @TempDir private Path directory;
  private List<EncodedPicture> pictures;

  @BeforeEach
  void readPictures() throws IOException {
    pictures = new ArrayList<>();
    Path source = Files.createDirectory(directory.resolve("source"));
    Fixtures.copy(source, Fixtures.SHARDS);
    try (TfRecordPictures dataset =
        TfRecordPictures.builder(source.resolve("train-*")).firstLabel(1).build()) {
      for (int i = 0; i < dataset.size(); i++) {
        pictures.add(dataset.encoded(i));
      }
    }
    pictures.set(2, new EncodedPicture("no/label", pictures.get(2).bytes(), -1));
  }

  private Path base() {
    return directory.resolve("out/val");
  }

  private static void requireSame(TfRecordPictures read, List<EncodedPicture> expected)
      throws IOException {
    assertThat(read.size()).isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      EncodedPicture picture = read.encoded(i);
      assertThat(picture.key()).isEqualTo(expected.get(i).key());
      assertThat(picture.label()).isEqualTo(expected.get(i).label());
      assertThat(picture.bytes()).isEqualTo(expected.get(i).bytes());
    }
  }

  @Test
  void shouldReadBackWhatItPacked() throws IOException {
    try (TfRecordPictureSink sink = TfRecordPictureSink.builder(base()).shards(2, 7).build()) {
      for (EncodedPicture picture : pictures) {
        sink.write(picture);
      }
      sink.commit();
    }

    try (TfRecordPictures read = TfRecordPictures.of(directory.resolve("out/val-*"))) {
      requireSame(read, pictures);
      assertThat(read.classes()).isEmpty();
      assertThat(read.firstLabel()).isZero();
      assertThat(read.records().shards()).isEqualTo(2);
    }
    assertThat(directory.resolve("out/val.classes.json")).doesNotExist();
  }

  @Test
  void shouldKeepTheNamesOfTheClassesAndWithWhichLabelTheyBegin() throws IOException {
    try (TfRecordPictureSink sink =
        TfRecordPictureSink.builder(base()).classes(CLASSES).firstLabel(1).build()) {
      for (EncodedPicture picture : pictures) {
        sink.write(picture);
      }
      sink.commit();
    }

    try (TfRecordPictures read = TfRecordPictures.of(directory.resolve("out/val-*"))) {
      requireSame(read, pictures);
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
    try (TfRecordPictureSink sink = TfRecordPictureSink.builder(base()).oneFile().build()) {
      sink.write(pictures.get(0));
      sink.write(pictures.get(1));
    }
    assertThatThrownBy(() -> TfRecordPictures.of(base())).isInstanceOf(IOException.class);
    try (TfRecordPictureSink sink = TfRecordPictureSink.builder(base()).oneFile().build()) {
      assertThat(sink.written()).isEqualTo(2);
      for (EncodedPicture picture : pictures.subList(2, 7)) {
        sink.write(picture);
      }
      sink.commit();
    }

    try (TfRecordPictures read = TfRecordPictures.of(base())) {
      requireSame(read, pictures);
    }
  }

  @Test
  void shouldRefuseWhatItCannotHoldAndGoOn() throws IOException {
    try (TfRecordPictureSink sink =
        TfRecordPictureSink.builder(base()).classes(CLASSES).oneFile().build()) {
      assertThatThrownBy(() -> sink.write(new EncodedPicture("k", new byte[] {1, 2, 3}, 0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("picture k");
      byte[] jpeg = pictures.get(0).bytes();
      assertThatThrownBy(() -> sink.write(new EncodedPicture("k", jpeg, 3)))
          .isInstanceOf(IOException.class)
          .hasMessage("picture k has label 3, but there are 3 classes");
      assertThat(sink.written()).isZero();
      sink.write(pictures.get(0));
      assertThat(sink.written()).isEqualTo(1);
    }
  }

  @Test
  void shouldNotLeaveTheClassesOfAnEarlierDatasetOfItsName() throws IOException {
    Files.createDirectories(base().getParent());
    Files.writeString(directory.resolve("out/val.classes.json"), "{\"classes\": [\"old\"]}");
    try (TfRecordPictureSink sink = TfRecordPictureSink.builder(base()).build()) {
      sink.commit();
    }

    assertThat(directory.resolve("out/val.classes.json")).doesNotExist();
  }

  @Test
  void shouldRefuseANegativeFirstLabel() {
    assertThatThrownBy(() -> TfRecordPictureSink.builder(base()).firstLabel(-1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was -1");
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void shouldBeReadByTensorFlow() throws Exception {
    try (TfRecordPictureSink sink =
        TfRecordPictureSink.builder(base()).classes(CLASSES).firstLabel(1).shards(3, 7).build()) {
      for (EncodedPicture picture : pictures) {
        sink.write(picture);
      }
      sink.commit();
    }
    List<String> expected = new ArrayList<>();
    for (EncodedPicture picture : pictures) {
      String extension = picture.key().endsWith("p.5") ? ".png" : ".jpg";
      expected.add(
          "%s,%d,%s,%s"
              .formatted(
                  picture.key() + extension,
                  picture.label() + 1,
                  picture.label() < 0 ? "" : CLASSES.get(picture.label()),
                  Fixtures.crc(picture.bytes())));
    }

    List<String> read =
        Python.run(
            getClass(), "read_pictures.py", "tensorflow", directory.resolve("out/val-*-of-*"));

    assertThat(read).isEqualTo(expected);
  }
}
