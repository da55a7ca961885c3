package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import org.junit.jupiter.api.Test;

class PadTest {

  @Test
  void shouldReflectAnImageAsOftenAsNeeded() throws Exception {
    assertThat(padded(PaddingMode.EDGE)).isEqualTo("1111111233333");
    assertThat(padded(PaddingMode.REFLECT)).isEqualTo("3212321232123");
    assertThat(padded(PaddingMode.SYMMETRIC)).isEqualTo("1233211233211");
    assertThat(padded(PaddingMode.CONSTANT)).isEqualTo("0000001230000");
  }

  private static String padded(PaddingMode mode) throws Exception {
    Image row = Image.ofRgb(new byte[] {1, 1, 1, 2, 2, 2, 3, 3, 3}, 3, 1);
    byte[] rgb = Pad.of(6, 0, 4, 0).withMode(mode).apply(row).pixels().rgb();
    StringBuilder pixels = new StringBuilder();
    for (int i = 0; i < rgb.length; i += 3) {
      pixels.append(rgb[i]);
    }
    return pixels.toString();
  }

  @Test
  void shouldStayOneRecipeWithABlackBorder() throws Exception {
    CountingSource source = new CountingSource(30, 20);

    Image cropped = Pad.of(4).apply(source.image()).crop(new Region(5, 6, 7, 8));
    cropped.pixels();

    assertThat(source.lastRegion()).isEqualTo(new Region(1, 2, 7, 8));
    assertThat(cropped).asString().doesNotContain("padded");
  }

  @Test
  void shouldDecodeOnlyWhatAPartNeeds() throws Exception {
    CountingSource source = new CountingSource(30, 20);
    Image padded = Pad.of(4).withMode(PaddingMode.REFLECT).apply(source.image());

    padded.crop(new Region(0, 0, 6, 5)).pixels();

    assertThat(source.lastRegion()).isEqualTo(new Region(0, 0, 5, 5));
  }

  @Test
  void shouldDecodeNothingForABorderAlone() throws Exception {
    CountingSource source = new CountingSource(30, 20);
    Image padded = Pad.of(4).withFill(1, 2, 3).apply(source.image());

    assertThat(padded.crop(new Region(0, 0, 1, 1)).pixels().rgb()).containsExactly(1, 2, 3);
    assertThat(source.decodes()).isZero();
  }
}
