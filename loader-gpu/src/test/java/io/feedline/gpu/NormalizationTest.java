package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NormalizationTest {

  private static final float[] MEAN = {0.5f, 0.25f};
  private static final float[] STD = {0.125f, 2f};

  @Test
  void shouldKnowTheStatisticsOfImageNet() {
    Normalization normalization = Normalization.imagenet("image");

    assertThat(normalization.column()).isEqualTo("image");
    assertThat(normalization.mean()).containsExactly(0.485f, 0.456f, 0.406f);
    assertThat(normalization.std()).containsExactly(0.229f, 0.224f, 0.225f);
    assertThat(normalization.layout()).isEqualTo(Normalization.Layout.NCHW);
    assertThat(normalization.dtype()).isEqualTo(DType.FLOAT32);
  }

  @Test
  void shouldNotChangeWithTheArraysItWasMadeOf() {
    float[] mean = MEAN.clone();
    float[] std = STD.clone();
    Normalization.Builder builder =
        Normalization.builder("image", mean, std)
            .layout(Normalization.Layout.NHWC)
            .dtype(DType.FLOAT16);
    mean[0] = 7;
    Normalization normalization = builder.build();
    std[0] = 7;
    normalization.mean()[1] = 7;
    normalization.std()[1] = 7;

    assertThat(normalization.mean()).containsExactly(MEAN);
    assertThat(normalization.std()).containsExactly(STD);
    assertThat(normalization.layout()).isEqualTo(Normalization.Layout.NHWC);
    assertThat(normalization.dtype()).isEqualTo(DType.FLOAT16);
  }

  @Test
  void shouldRefuseWhatIsNoStatistics() {
    assertRefused(new float[0], new float[0], "one value for each channel, were [] and []");
    assertRefused(MEAN, new float[] {1f}, "one value for each channel, were [0.5, 0.25] and [1.0]");
    assertRefused(new float[] {0f, Float.NaN}, STD, "mean must be finite, was [0.0, NaN]");
    assertRefused(
        MEAN,
        new float[] {1f, Float.NEGATIVE_INFINITY},
        "std must be finite, was [1.0, -Infinity]");
    assertRefused(MEAN, new float[] {1f, -0f}, "std must not be 0, it divides: was [1.0, -0.0]");
  }

  private static void assertRefused(float[] mean, float[] std, String reason) {
    assertThatThrownBy(() -> Normalization.of("image", mean, std))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"FLOAT32", "FLOAT16"})
  void shouldRefuseOtherTypes(DType dtype) {
    Normalization.Builder builder = Normalization.builder("image", MEAN, STD).dtype(dtype);

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("dtype must be FLOAT32 or FLOAT16, was " + dtype);
  }
}
