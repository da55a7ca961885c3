package io.feedline.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Dataset;
import io.feedline.DatasetContract;
import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.EncodedPicture;
import io.feedline.formats.image.ImageFormatException;
import io.feedline.formats.image.LabeledImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TfRecordPicturesTest extends DatasetContract<LabeledImage> {

  @TempDir private Path directory;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return open(1);
  }

  private TfRecordPictures open(int firstLabel) throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    return TfRecordPictures.builder(directory.resolve("train-*")).firstLabel(firstLabel).build();
  }

  private Path one(Example.Builder example) throws IOException {
    return Fixtures.write(directory.resolve("one"), List.of(example.toBytes()));
  }

  @Test
  void shouldReadThePicturesThatTensorFlowWrote() throws IOException {
    List<Fixtures.Picture> expected = Fixtures.pictures();
    try (TfRecordPictures pictures = open(1)) {
      assertThat(pictures.size()).isEqualTo(7);
      for (int i = 0; i < 7; i++) {
        EncodedPicture encoded = pictures.encoded(i);
        assertThat(encoded.key()).isEqualTo(expected.get(i).key());
        assertThat(encoded.label()).isEqualTo(expected.get(i).label() - 1);
        assertThat(Fixtures.crc(encoded.bytes())).isEqualTo(expected.get(i).crc());
        LabeledImage sample = pictures.get(i);
        assertThat(sample.label()).isEqualTo(encoded.label());
        assertThat(sample.image().width()).isEqualTo(expected.get(i).width());
        assertThat(sample.image().height()).isEqualTo(expected.get(i).height());
        assertThat(sample.image().pixels().rgb()).isNotEmpty();
      }
      assertThat(pictures.classes()).isEmpty();
      assertThat(pictures.firstLabel()).isEqualTo(1);
    }
  }

  @Test
  void shouldTakeLabelsAsTheyAreUnlessToldOtherwise() throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    try (TfRecordPictures pictures = TfRecordPictures.of(directory.resolve("train-*"))) {
      assertThat(pictures.encoded(0).label()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "-1, 0, -1",
    "0, 1, -1",
    "1, 1, 0",
    "-1, 1, -1",
    "2147483647, 1, 2147483646"
  })
  void shouldCountLabelsFromTheFirst(long stored, int firstLabel, int label) throws IOException {
    Path file =
        one(
            Example.builder()
                .int64s("image/class/label", stored)
                .bytes("image/encoded", new byte[] {1}));
    try (TfRecordPictures pictures =
        TfRecordPictures.builder(file).firstLabel(firstLabel).build()) {
      assertThat(pictures.encoded(0).label()).isEqualTo(label);
      assertThat(pictures.encoded(0).key()).isEqualTo("0");
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 0", "-2, 0", "4, 1", "9223372036854775807, 0", "-9223372036854775808, 1"})
  void shouldRefuseLabelsThatHaveNoClass(long stored, int firstLabel) throws IOException {
    Path file =
        one(
            Example.builder()
                .int64s("image/class/label", stored)
                .bytes("image/encoded", new byte[] {1}));
    try (TfRecordPictures pictures =
        TfRecordPictures.builder(file)
            .firstLabel(firstLabel)
            .classes(List.of("a", "b", "c"))
            .build()) {
      assertThatThrownBy(() -> pictures.encoded(0))
          .isInstanceOf(TfRecordException.class)
          .hasMessageContainingAll(
              "one, record 0 at offset 0", "image/class/label is " + stored, "3 classes");
    }
  }

  @Test
  void shouldReadOtherNamesAndPicturesWithoutLabels() throws IOException {
    byte[] jpeg;
    try (TfRecordPictures pictures = open(1)) {
      jpeg = pictures.encoded(0).bytes();
    }
    Path file =
        one(Example.builder().bytes("image", jpeg).int64s("label", 5).text("id", "k/a.b.c"));
    PictureFeatures tfds = PictureFeatures.TFDS.withFilename("id");
    try (TfRecordPictures pictures = TfRecordPictures.builder(file).features(tfds).build()) {
      assertThat(pictures.encoded(0).key()).isEqualTo("k/a.b");
      assertThat(pictures.get(0).label()).isEqualTo(5);
    }
    PictureFeatures unlabeled = PictureFeatures.IMAGENET.withEncoded("image").withoutLabel();
    try (TfRecordPictures pictures = TfRecordPictures.builder(file).features(unlabeled).build()) {
      assertThat(pictures.get(0).label()).isEqualTo(EncodedPicture.NO_LABEL);
    }
  }

  @Test
  void shouldNameFeaturesThatAreMissingOrOfAnotherKind() throws IOException {
    Path file = one(Example.builder().text("image/class/label", "cat"));
    try (TfRecordPictures pictures = TfRecordPictures.of(file)) {
      assertThatThrownBy(() -> pictures.get(0))
          .isInstanceOf(TfRecordException.class)
          .hasMessageContainingAll(
              file + ", record 0 at offset 0", "no feature image/encoded", "[image/class/label]");
    }
    Path other =
        one(
            Example.builder()
                .bytes("image/encoded", new byte[] {1})
                .text("image/class/label", "cat"));
    try (TfRecordPictures pictures = TfRecordPictures.of(other)) {
      assertThatThrownBy(() -> pictures.get(0))
          .isInstanceOf(TfRecordException.class)
          .hasMessageContainingAll("record 0", "image/class/label", "one of integers is expected");
    }
  }

  @Test
  void shouldNameTheRecordWhoseBytesAreNoPicture() throws IOException {
    Path file =
        one(
            Example.builder()
                .int64s("image/class/label", 1)
                .text("image/encoded", "not a picture"));
    try (TfRecordPictures pictures = TfRecordPictures.of(file)) {
      assertThatThrownBy(() -> pictures.get(0))
          .isInstanceOf(ImageFormatException.class)
          .hasMessageContaining(file + ", record 0 at offset 0");
    }
  }

  @Test
  void shouldDecodeAsItIsTold() throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    DecodeOptions small = DecodeOptions.DEFAULT.withMaxPixels(20);
    try (TfRecordPictures pictures =
        TfRecordPictures.builder(directory.resolve("train-*")).decode(small).build()) {
      assertThat(pictures.decodeOptions()).isEqualTo(small);
      assertThatThrownBy(() -> pictures.get(0)).hasMessageContaining("maxPixels = 20");
    }
  }

  @Test
  void shouldRefuseAListOfClassesThatIsDamaged() throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    Files.writeString(directory.resolve("train.classes.json"), "{\"classes\": [");

    assertThatThrownBy(() -> TfRecordPictures.of(directory.resolve("train-*")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("train.classes.json");
  }
}
