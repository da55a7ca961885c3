package io.feedline.formats.image.dataset;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FakeDataTest extends DatasetContract<LabeledImage> {

  @Override
  protected Dataset<LabeledImage> dataset() {
    return FakeData.builder(20).imageSize(5, 3).build();
  }

  private static byte[] pixels(ImageDataset images, long index) throws IOException {
    return images.get(index).image().pixels().rgb();
  }

  /** Tests that were written with these images must find them in the next version too. */
  @Test
  void shouldGiveTheImagesOfEarlierVersions() throws IOException {
    ImageDataset images = FakeData.builder(10).imageSize(5, 3).classes(4).seed(7).build();
    CRC32 crc = new CRC32();
    for (int i = 0; i < 10; i++) {
      crc.update(pixels(images, i));
    }

    assertThat(images.labels()).containsExactly(1, 1, 2, 0, 1, 1, 1, 2, 0, 0);
    assertThat(crc.getValue()).isEqualTo(1866432485L);
  }

  @Test
  void shouldDependOnSeedAndIndexAlone() throws IOException {
    ImageDataset few = FakeData.builder(10).imageSize(9, 7).seed(3).build();
    ImageDataset many = FakeData.builder(1L << 40).imageSize(9, 7).seed(3).build();
    ImageDataset other = FakeData.builder(10).imageSize(9, 7).seed(4).build();

    assertThat(pixels(few, 9)).hasSize(3 * 9 * 7).isEqualTo(pixels(many, 9));
    assertThat(pixels(few, 9)).isNotEqualTo(pixels(other, 9)).isNotEqualTo(pixels(few, 8));
    assertThat(few.label(9)).isEqualTo(many.label(9)).isEqualTo(few.get(9).label());
    assertThat(many.get((1L << 40) - 1).image().width()).isEqualTo(9);
  }

  @Test
  void shouldHaveAllValuesAndAllClassesAboutEquallyOften() throws IOException {
    ImageDataset images = FakeData.builder(2000).imageSize(64, 64).classes(5).build();
    int[] values = new int[256];
    for (byte value : pixels(images, 0)) {
      values[value & 0xFF]++;
    }
    int[] labels = new int[5];
    for (int label : images.labels()) {
      labels[label]++;
    }

    assertThat(Arrays.stream(values)).allMatch(count -> count > 20 && count < 80);
    assertThat(Arrays.stream(labels)).allMatch(count -> count > 300 && count < 500);
    assertThat(images.classes()).containsExactly("0", "1", "2", "3", "4");
  }

  @Test
  void shouldBeBatchedLikeTorchvisionsByDefault() throws Exception {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(FakeData.of(3)).batchSize(3).numWorkers(2).build()) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("image").shape()).isEqualTo(Shape.of(3, 3, 224, 224));
          assertThat(batch.tensor("label").toLongArray())
              .containsExactly(Arrays.stream(FakeData.of(3).labels()).asLongStream().toArray());
        }
      }
    }
  }

  @Test
  void shouldDoWhatAllImagesDo() throws IOException {
    ImageDataset images = FakeData.builder(12).imageSize(8, 8).classes(2).build();
    EncodedImage encoded = images.encoded(4);

    assertThat(encoded.format()).isEqualTo(ImageFormat.PNM);
    assertThat(encoded.fileName()).isEqualTo("4.ppm");
    assertThat(Image.ofEncoded(encoded.bytes(), "4").pixels().rgb()).isEqualTo(pixels(images, 4));
    List<ImageDataset> parts = images.splitStratified(new double[] {0.5, 0.5}, 1);
    assertThat(parts.get(0).withTransform(CenterCrop.of(3)).get(0).image().width()).isEqualTo(3);
    assertThat(images.describe(4)).isEqualTo("FakeData, image 4");
  }

  @Test
  void shouldTellOtherDataByItsFingerprint() {
    FakeData.Builder builder = FakeData.builder(10);
    String first = builder.build().fingerprint();
    assertThat(
            List.of(
                first,
                builder.imageSize(8, 9).build().fingerprint(),
                builder.classes(3).build().fingerprint(),
                builder.seed(1).build().fingerprint(),
                FakeData.of(11).fingerprint()))
        .doesNotHaveDuplicates();
    assertThat(FakeData.of(10).fingerprint()).isEqualTo(first);
  }

  @Test
  void shouldRefuseToReadOnceItIsClosed() throws IOException {
    ImageDataset images = FakeData.of(3);
    images.close();
    images.close();

    assertThatThrownBy(() -> images.get(0)).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1, 1, 1, 'size must be 0 or more, was -1'",
    "1, 0, 1, 1, was 0 x 1",
    "1, 1, 16777217, 1, was 1 x 16777217",
    "1, 50000, 50000, 1, was 50000 x 50000",
    "1, 1, 1, 0, 'classes must be from 1 to 1000000, was 0'",
    "1, 1, 1, 1000001, was 1000001",
  })
  void shouldRefuseWhatNoImagesHave(long size, int width, int height, int classes, String message) {
    FakeData.Builder builder = FakeData.builder(size).imageSize(width, height).classes(classes);

    refused(IllegalArgumentException.class, builder::build, message);
  }
}
