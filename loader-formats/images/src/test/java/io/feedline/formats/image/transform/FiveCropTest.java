package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Region;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FiveCrop and TenCrop. */
class FiveCropTest {

  private record Views(List<Image> image, int label) {}

  @Test
  void shouldDecodeTheCornersAndTheMiddleAlone() throws Exception {
    CountingSource source = new CountingSource(41, 29);
    List<Region> decoded = new ArrayList<>();

    for (Image part : FiveCrop.of(10, 8).apply(source.image())) {
      assertThat(source.decodes()).isEqualTo(decoded.size());
      part.pixels();
      decoded.add(source.lastRegion());
    }

    assertThat(decoded)
        .containsExactly(
            new Region(0, 0, 8, 10),
            new Region(33, 0, 8, 10),
            new Region(0, 19, 8, 10),
            new Region(33, 19, 8, 10),
            new Region(16, 10, 8, 10));
  }

  @Test
  void shouldBecomeFiveTensorsOfABatch() throws Exception {
    FiveCrop crop = FiveCrop.of(10);
    Dataset<Views> views =
        Dataset.of(3, index -> new Views(crop.apply(TestImage.image(20, 20)), (int) index));
    try (DataLoader<Views> loader = DataLoader.builder(views).batchSize(3).build();
        Batch batch = loader.iterator().next()) {
      assertThat(batch.tensors().keySet())
          .containsExactly("image.0", "image.1", "image.2", "image.3", "image.4", "label");
      assertThat(batch.tensor("image.4").shape()).isEqualTo(Shape.of(3, 3, 10, 10));
    }
  }

  @Test
  void shouldRefuseAnImageThatIsTooSmall() {
    assertThatThrownBy(() -> FiveCrop.of(30, 20).apply(TestImage.image(40, 29)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("20 x 30")
        .hasMessageContaining("40 x 29");
    assertThatThrownBy(() -> FiveCrop.of(0)).hasMessageContaining("height");
  }

  @Test
  void shouldDecodeThePartsAlone() throws Exception {
    CountingSource source = new CountingSource(41, 29);
    List<Region> decoded = new ArrayList<>();

    for (Image part : TenCrop.of(10, 8).apply(source.image())) {
      part.pixels();
      decoded.add(source.lastRegion());
    }

    assertThat(source.decodes()).isEqualTo(10);
    assertThat(decoded.subList(0, 4))
        .containsExactly(
            new Region(0, 0, 8, 10),
            new Region(33, 0, 8, 10),
            new Region(0, 19, 8, 10),
            new Region(33, 19, 8, 10));
    assertThat(decoded.subList(5, 9))
        .containsExactly(
            new Region(33, 0, 8, 10),
            new Region(0, 0, 8, 10),
            new Region(33, 19, 8, 10),
            new Region(0, 19, 8, 10));
  }
}
