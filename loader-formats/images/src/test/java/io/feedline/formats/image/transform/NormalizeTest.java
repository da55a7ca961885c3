package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Region;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class NormalizeTest extends TransformContract {

  private static final float[] HALVES = {0.5f, 0.5f, 0.5f};

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomTransform.from(Normalize.imagenet());
  }

  @Test
  void shouldRoundAfterEachOfTheThreeOperations() throws Exception {
    byte[] rgb = new byte[3 * 256];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (i / 3);
    }
    float[] mean = {0.485f, 0.456f, 0.406f};
    float[] std = {0.229f, 0.224f, 0.225f};

    Image image = Normalize.of(mean, std).apply(Image.ofRgb(rgb, 256, 1));

    float[] values = new float[rgb.length];
    Golden.written(image).asFloatBuffer().get(values);
    for (int c = 0; c < 3; c++) {
      for (int value = 0; value < 256; value++) {
        float fraction = value / 255f;
        float shifted = fraction - mean[c];
        assertThat(values[256 * c + value]).isEqualTo(shifted / std[c]);
      }
    }
  }

  /** torchvision multiplies in v2.ToDtype(torch.float32, scale=True), and divides in ToTensor. */
  @Test
  void shouldMultiplyWhereConvertDtypeAsksForIt() throws Exception {
    byte[] rgb = new byte[3 * 256];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (i / 3);
    }
    float[] mean = {0.485f, 0.456f, 0.406f};
    float[] std = {0.229f, 0.224f, 0.225f};

    Image scaled = ConvertDtype.of(DType.FLOAT32).apply(Image.ofRgb(rgb, 256, 1));
    float[] fractions = new float[rgb.length];
    Golden.written(scaled).asFloatBuffer().get(fractions);
    float[] values = new float[rgb.length];
    Golden.written(Normalize.of(mean, std).apply(scaled)).asFloatBuffer().get(values);

    int others = 0;
    for (int c = 0; c < 3; c++) {
      for (int value = 0; value < 256; value++) {
        float fraction = value * (1 / 255f);
        float shifted = fraction - mean[c];
        assertThat(fractions[256 * c + value]).isEqualTo(fraction);
        assertThat(values[256 * c + value]).isEqualTo(shifted / std[c]);
        others += fraction == value / 255f ? 0 : 1;
      }
    }
    assertThat(others).isEqualTo(3 * 126);
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
  void shouldLeavePixelsAlone() throws Exception {
    Image image = TestImage.image(30, 20);

    assertThat(Normalize.imagenet().apply(image).pixels().rgb()).isEqualTo(image.pixels().rgb());
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
  void shouldRejectStatisticsThatCannotBeRight() {
    assertThatThrownBy(() -> Normalize.of(HALVES, new float[] {1, 0, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("std must not be 0, it divides: was [1.0, 0.0, 1.0]");
    assertThatThrownBy(() -> Normalize.of(new float[] {1, 2}, HALVES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mean must have one value for each channel");
    assertThatThrownBy(() -> Normalize.of(new float[] {1}, HALVES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mean and std must have as many values");
    assertThatThrownBy(() -> Normalize.of(HALVES, new float[] {1, 1, 1, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("std");
    assertThatThrownBy(() -> Normalize.of(new float[] {1, Float.NaN, 1}, HALVES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("finite");
  }

  @Test
  void shouldNotNoticeLaterChangesOfItsArguments() {
    float[] mean = HALVES.clone();
    Normalize normalize = Normalize.of(mean, HALVES);

    mean[0] = 7;

    assertThat(normalize).isEqualTo(Normalize.of(HALVES, HALVES));
  }
}
