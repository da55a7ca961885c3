package io.feedline.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Dataset;
import io.feedline.DatasetContract;
import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.EncodedImage;
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

class TfRecordImagesTest extends DatasetContract<LabeledImage> {

  @TempDir private Path directory;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return open(1);
  }

  private TfRecordImages open(int firstLabel) throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    return TfRecordImages.builder(directory.resolve("train-*")).firstLabel(firstLabel).build();
  }

  private Path one(Example.Builder example) throws IOException {
    return Fixtures.write(directory.resolve("one"), List.of(example.toBytes()));
  }

  @Test
  void shouldReadTheImagesThatTensorFlowWrote() throws IOException {
    List<Fixtures.Fixture> expected = Fixtures.images();
    try (TfRecordImages images = open(1)) {
      assertThat(images.size()).isEqualTo(7);
      for (int i = 0; i < 7; i++) {
        EncodedImage encoded = images.encoded(i);
        assertThat(encoded.key()).isEqualTo(expected.get(i).key());
        assertThat(encoded.label()).isEqualTo(expected.get(i).label() - 1);
        assertThat(Fixtures.crc(encoded.bytes())).isEqualTo(expected.get(i).crc());
        LabeledImage sample = images.get(i);
        assertThat(sample.label()).isEqualTo(encoded.label());
        assertThat(sample.image().width()).isEqualTo(expected.get(i).width());
        assertThat(sample.image().height()).isEqualTo(expected.get(i).height());
        assertThat(sample.image().pixels().rgb()).isNotEmpty();
      }
      assertThat(images.classes()).isEmpty();
      assertThat(images.firstLabel()).isEqualTo(1);
    }
  }

  @Test
  void shouldTakeLabelsAsTheyAreUnlessToldOtherwise() throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    try (TfRecordImages images = TfRecordImages.of(directory.resolve("train-*"))) {
      assertThat(images.encoded(0).label()).isEqualTo(1);
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
    try (TfRecordImages images =
        TfRecordImages.builder(file).firstLabel(firstLabel).build()) {
      assertThat(images.encoded(0).label()).isEqualTo(label);
      assertThat(images.encoded(0).key()).isEqualTo("0");
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
    try (TfRecordImages images =
        TfRecordImages.builder(file)
            .firstLabel(firstLabel)
            .classes(List.of("a", "b", "c"))
            .build()) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(TfRecordException.class)
          .hasMessageContainingAll(
              "one, record 0 at offset 0", "image/class/label is " + stored, "3 classes");
    }
  }

  @Test
  void shouldReadOtherNamesAndImagesWithoutLabels() throws IOException {
    byte[] jpeg;
    try (TfRecordImages images = open(1)) {
      jpeg = images.encoded(0).bytes();
    }
    Path file =
        one(Example.builder().bytes("image", jpeg).int64s("label", 5).text("id", "k/a.b.c"));
    ImageFeatures tfds = ImageFeatures.TFDS.withFilename("id");
    try (TfRecordImages images = TfRecordImages.builder(file).features(tfds).build()) {
      assertThat(images.encoded(0).key()).isEqualTo("k/a.b");
      assertThat(images.get(0).label()).isEqualTo(5);
    }
    ImageFeatures unlabeled = ImageFeatures.IMAGENET.withEncoded("image").withoutLabel();
    try (TfRecordImages images = TfRecordImages.builder(file).features(unlabeled).build()) {
      assertThat(images.get(0).label()).isEqualTo(EncodedImage.NO_LABEL);
    }
  }

  @Test
  void shouldNameFeaturesThatAreMissingOrOfAnotherKind() throws IOException {
    Path file = one(Example.builder().text("image/class/label", "cat"));
    try (TfRecordImages images = TfRecordImages.of(file)) {
      assertThatThrownBy(() -> images.get(0))
          .isInstanceOf(TfRecordException.class)
          .hasMessageContainingAll(
              file + ", record 0 at offset 0", "no feature image/encoded", "[image/class/label]");
    }
    Path other =
        one(
            Example.builder()
                .bytes("image/encoded", new byte[] {1})
                .text("image/class/label", "cat"));
    try (TfRecordImages images = TfRecordImages.of(other)) {
      assertThatThrownBy(() -> images.get(0))
          .isInstanceOf(TfRecordException.class)
          .hasMessageContainingAll("record 0", "image/class/label", "one of integers is expected");
    }
  }

  @Test
  void shouldNameTheRecordWhoseBytesAreNoImage() throws IOException {
    Path file =
        one(
            Example.builder()
                .int64s("image/class/label", 1)
                .text("image/encoded", "not an image"));
    try (TfRecordImages images = TfRecordImages.of(file)) {
      assertThatThrownBy(() -> images.get(0))
          .isInstanceOf(ImageFormatException.class)
          .hasMessageContaining(file + ", record 0 at offset 0");
    }
  }

  @Test
  void shouldDecodeAsItIsTold() throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    DecodeOptions small = DecodeOptions.DEFAULT.withMaxPixels(20);
    try (TfRecordImages images =
        TfRecordImages.builder(directory.resolve("train-*")).decode(small).build()) {
      assertThat(images.decodeOptions()).isEqualTo(small);
      assertThatThrownBy(() -> images.get(0)).hasMessageContaining("maxPixels = 20");
    }
  }

  @Test
  void shouldRefuseAListOfClassesThatIsDamaged() throws IOException {
    Fixtures.copy(directory, Fixtures.SHARDS);
    Files.writeString(directory.resolve("train.classes.json"), "{\"classes\": [");

    assertThatThrownBy(() -> TfRecordImages.of(directory.resolve("train-*")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("train.classes.json");
  }
}
