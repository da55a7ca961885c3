package io.feedline.formats.image.transform.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageMode;
import org.junit.jupiter.api.Test;

@SuppressWarnings("IdentifierName") // named after its transform
class JPEGTest {

  @Test
  void shouldKeepGrayGrayAndRefuseWideImagesAnd16Bits() throws Exception {
    byte[] gray = TestImage.noise(ImageMode.GRAY, 33, 17).jpeg(50).pixels().rgb();
    for (int i = 0; i < gray.length; i++) {
      assertThat(gray[i]).isEqualTo(gray[i / 3 * 3]);
    }
    Image wide = TestImage.image(65501, 1);
    assertThatThrownBy(() -> wide.jpeg(50))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a JPEG has at most 65500 pixels a side");
    Image deep = TestImage.noise(ImageMode.GRAY16, 8, 8);
    assertThatThrownBy(() -> deep.jpeg(50))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("JPEG(quality=50) is for samples of 8 bits");
  }
}
