package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GaussianBlurTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return GaussianBlur.of(5);
  }

  @Test
  void shouldKeepAnEvenImageEven() throws Exception {
    byte[] even = new byte[3 * 6 * 4];
    Arrays.fill(even, (byte) 200);

    Image blurred =
        GaussianBlur.of(9).apply(Image.ofRgb(even.clone(), 6, 4), TorchRandom.ofSeed(1));

    assertThat(blurred.pixels().rgb()).isEqualTo(even);
  }

  /** torch.manual_seed(3); GaussianBlur.get_params(0.1, 2.0) */
  @Test
  void shouldDrawTheDeviationAsTorchvisionDoes() {
    Image blurred = GaussianBlur.of(3).apply(TestImage.image(9, 9), TorchRandom.ofSeed(3));

    assertThat(blurred).asString().contains("blur 3 x 3, sigma 0.10810068994760513");
  }

  @Test
  void shouldTellItsConfiguration() {
    GaussianBlur blur = GaussianBlur.builder(5, 9).sigma(0.5, 3).build();

    assertThat(blur.kernelWidth()).isEqualTo(5);
    assertThat(blur.kernelHeight()).isEqualTo(9);
    assertThat(blur.minSigma()).isEqualTo(0.5);
    assertThat(blur.maxSigma()).isEqualTo(3);
    assertThat(blur).hasToString("GaussianBlur(kernelWidth=5, kernelHeight=9, sigma=0.5..3.0)");
    assertThat(GaussianBlur.of(3).minSigma()).isEqualTo(0.1);
    assertThat(GaussianBlur.of(3).maxSigma()).isEqualTo(2);
    assertThat(GaussianBlur.builder(3).sigma(1).build().maxSigma()).isEqualTo(1);
  }

  @Test
  void shouldRejectEvenKernelsAndDeviationsOutOfRange() {
    for (int wrong : new int[] {-1, 0, 4, 4097}) {
      assertThatThrownBy(() -> GaussianBlur.of(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("odd")
          .hasMessageEndingWith("was " + wrong);
    }
    for (double wrong : new double[] {-1, 0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> GaussianBlur.builder(3).sigma(wrong).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("sigma");
    }
    assertThatThrownBy(() -> GaussianBlur.builder(3).sigma(2, 1).build())
        .hasMessageEndingWith("was 2.0 to 1.0");
  }
}
