package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import org.junit.jupiter.api.Test;

class ConvertDtypeTest {

  @Test
  void shouldKeepTheLayoutAndWhatThereIs() {
    Image image = TestImage.image(5, 4).toTensor(DType.UINT8, ImageLayout.HWC);

    Image floats = ConvertDtype.of(DType.FLOAT32).apply(image);

    assertThat(floats.layout()).isEqualTo(ImageLayout.HWC);
    assertThat(floats.dtype()).isEqualTo(DType.FLOAT32);
    assertThat(ConvertDtype.of(DType.UINT16).apply(TestImage.noise(ImageMode.GRAY16, 4, 4)).dtype())
        .isEqualTo(DType.UINT16);
  }

  @Test
  void shouldRefuseWhatCannotBe() {
    assertThatThrownBy(() -> ConvertDtype.of(DType.INT32))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was INT32; ToTensor with INT32 gives whole values");
    assertThatThrownBy(() -> ConvertDtype.of(DType.UINT16).apply(TestImage.image(4, 4)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is for samples of 16 bits");
    Image normalized = Normalize.imagenet().apply(TestImage.image(4, 4));
    assertThatThrownBy(() -> ConvertDtype.of(DType.UINT8).apply(normalized))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Normalize gives fractions");
  }
}
