package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PixelsTest {

  private static final byte[] RGB = {1, 2, 3, (byte) 0xFF, (byte) 0x80, 0};

  @Test
  void shouldTellTheColorOfAPixel() {
    Pixels pixels = new Pixels(RGB, 2, 1);

    assertThat(pixels.rgbAt(0, 0)).isEqualTo(0x010203);
    assertThat(pixels.rgbAt(1, 0)).isEqualTo(0xFF8000);
  }

  @Test
  void shouldRejectAPositionOutside() {
    Pixels pixels = new Pixels(RGB, 2, 1);

    assertThatThrownBy(() -> pixels.rgbAt(2, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> pixels.rgbAt(0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> pixels.rgbAt(-1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
