package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.TestTargets;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Region;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NormalizeTest {

  private static final float[] HALVES = {0.5f, 0.5f, 0.5f};

  /** torchvision multiplies in v2.ToDtype(torch.float32, scale=True), and divides in ToTensor. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRoundAfterEachOfTheThreeOperations(boolean scaled) throws Exception {
    byte[] rgb = new byte[3 * 256];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (i / 3);
    }
    float[] mean = {0.485f, 0.456f, 0.406f};
    float[] std = {0.229f, 0.224f, 0.225f};
    Image image = Image.ofRgb(rgb, 256, 1);
    Image fractions = scaled ? ConvertDtype.of(DType.FLOAT32).apply(image) : image;

    float[] plain = TestTargets.floats(fractions);
    float[] values = TestTargets.floats(Normalize.of(mean, std).apply(fractions));

    int others = 0;
    for (int c = 0; c < 3; c++) {
      for (int value = 0; value < 256; value++) {
        float fraction = scaled ? value * (1 / 255f) : value / 255f;
        float shifted = fraction - mean[c];
        assertThat(plain[256 * c + value]).isEqualTo(fraction);
        assertThat(values[256 * c + value]).isEqualTo(shifted / std[c]);
        others += fraction == value / 255f ? 0 : 1;
      }
    }
    assertThat(others).isEqualTo(scaled ? 3 * 126 : 0);
  }

  @Test
  void shouldNormalizePaddingAsBlackPixels() throws Exception {
    Image image = TestImage.image(2, 2).crop(new Region(5, 5, 1, 1)).normalize(HALVES, HALVES);

    float[] values = new float[3];
    Golden.written(image).asFloatBuffer().get(values);

    assertThat(values).containsExactly(-1f, -1f, -1f);
  }

  @Test
  void shouldActAfterGeometryWhereverItStands() throws Exception {
    Image image = TestImage.image(30, 20);
    Normalize normalize = Normalize.imagenet();

    Image before = normalize.apply(image).crop(new Region(-3, 4, 20, 30)).flipHorizontal();
    Image after = normalize.apply(image.crop(new Region(-3, 4, 20, 30)).flipHorizontal());

    assertThat(Golden.written(before)).isEqualTo(Golden.written(after));
  }

  @Test
  void shouldRejectAnImageOfBytes() {
    Image bytes = TestImage.image(3, 3).toTensor(DType.UINT8, ImageLayout.CHW);
    Image floats = Normalize.imagenet().apply(TestImage.image(3, 3));

    assertThatThrownBy(() -> Normalize.imagenet().apply(bytes))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Normalize")
        .hasMessageContaining("UINT8")
        .hasMessageContaining("pixels in memory");
    assertThatThrownBy(() -> floats.toTensor(DType.UINT8, ImageLayout.CHW))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Normalize");
  }

  @Test
  void shouldRejectASecondNormalization() {
    Image once = Normalize.imagenet().apply(TestImage.image(3, 3));

    assertThatThrownBy(() -> Normalize.imagenet().apply(once))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("normalized already");
  }

  @Test
  void shouldNotNoticeLaterChangesOfItsArguments() {
    float[] mean = HALVES.clone();
    Normalize normalize = Normalize.of(mean, HALVES);

    mean[0] = 7;

    assertThat(normalize).isEqualTo(Normalize.of(HALVES, HALVES));
  }
}
