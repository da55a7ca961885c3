package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.sampler.TorchRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrayscaleTest {

  @Test
  void shouldMakeThreeEqualChannels() throws Exception {
    byte[] colors = {10, 20, 30, (byte) 255, 0, 0, (byte) 255, (byte) 255, (byte) 255};

    assertThat(Grayscale.of().apply(Image.ofRgb(colors, 3, 1)).pixels().rgb())
        .containsExactly(18, 18, 18, 76, 76, 76, -1, -1, -1);
  }

  @Test
  void shouldLeaveOneChannelAsItIs() {
    Image gray = TestImage.noise(ImageMode.GRAY, 5, 4);
    Image wide = TestImage.noise(ImageMode.GRAY16, 5, 4);

    assertThat(Grayscale.of(1).apply(gray)).isSameAs(gray);
    assertThat(Grayscale.of(1).apply(wide)).isSameAs(wide);
    assertThat(Grayscale.of().apply(gray).mode()).isEqualTo(ImageMode.RGB);
  }

  @Test
  void shouldLeaveTheGivenMemoryAlone() throws Exception {
    byte[] colors = {10, 20, 30};

    Grayscale.of().apply(Image.ofRgb(colors, 1, 1)).pixels();

    assertThat(colors).containsExactly(10, 20, 30);
    assertThatThrownBy(() -> Grayscale.of().apply(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void shouldLeaveTheNumberOfChannelsAlone() {
    for (ImageMode mode : List.of(ImageMode.GRAY, ImageMode.RGB, ImageMode.RGBA)) {
      Image image = TestImage.noise(mode, 3, 3);
      assertThat(RandomGrayscale.of(1).apply(image, TorchRandom.ofSeed(5)).mode()).isEqualTo(mode);
    }
  }
}
