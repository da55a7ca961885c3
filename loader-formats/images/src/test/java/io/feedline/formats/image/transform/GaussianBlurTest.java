package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.sampler.TorchRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GaussianBlurTest {

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
}
