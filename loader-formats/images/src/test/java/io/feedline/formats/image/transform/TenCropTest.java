package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.Region;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TenCropTest {

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

  @Test
  void shouldRefuseAnImageThatIsTooSmall() {
    assertThatThrownBy(() -> TenCrop.of(30, 20).apply(TestImage.image(40, 29)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("20 x 30")
        .hasMessageContaining("40 x 29");
    assertThatThrownBy(() -> TenCrop.of(0)).hasMessageContaining("height");
  }
}
