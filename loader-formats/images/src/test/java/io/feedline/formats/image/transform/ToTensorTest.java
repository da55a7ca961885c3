package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ToTensorTest {

  /** Two pixels side by side. */
  private static final byte[] RGB = {0, 51, (byte) 255, 1, 102, (byte) 254};

  @Test
  void shouldBeWhatAnImageIsByDefault() throws Exception {
    Image image = TestImage.image(9, 7);

    Image explicit = ToTensor.of().apply(image);

    assertThat(explicit.dtype()).isEqualTo(DType.FLOAT32).isEqualTo(image.dtype());
    assertThat(explicit.shape()).hasToString("(3, 7, 9)").isEqualTo(image.shape());
    assertThat(Golden.written(explicit)).isEqualTo(Golden.written(image));
  }

  @Test
  void shouldDivideFloatsBy255AndPutThemIntoPlanes() throws Exception {
    float[] values = new float[6];

    Golden.written(Image.ofRgb(RGB, 2, 1)).asFloatBuffer().get(values);

    assertThat(values).containsExactly(0, 1 / 255f, 51 / 255f, 102 / 255f, 1, 254 / 255f);
  }

  @Test
  void shouldLeaveFloatsInterleavedWhenAsked() throws Exception {
    float[] values = new float[6];
    ToTensor channelsLast = ToTensor.of().withLayout(ImageLayout.HWC);

    Golden.written(channelsLast.apply(Image.ofRgb(RGB, 2, 1))).asFloatBuffer().get(values);

    assertThat(values).containsExactly(0, 51 / 255f, 1, 1 / 255f, 102 / 255f, 254 / 255f);
  }

  @Test
  void shouldLeaveBytesAsTheyAre() throws Exception {
    Image image = Image.ofRgb(RGB, 2, 1);
    ToTensor planes = ToTensor.of(DType.UINT8);
    ToTensor interleaved = ToTensor.of(DType.UINT8).withLayout(ImageLayout.HWC);

    assertThat(Golden.written(planes.apply(image)))
        .isEqualTo(ByteBuffer.wrap(new byte[] {0, 1, 51, 102, (byte) 255, (byte) 254}));
    assertThat(Golden.written(interleaved.apply(image))).isEqualTo(ByteBuffer.wrap(RGB));
  }

  @Test
  void shouldRejectOtherTypes() {
    assertThatThrownBy(() -> ToTensor.of(DType.INT64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "dtype must be FLOAT32, FLOAT16, BFLOAT16 or UINT8, or for samples of 16 bits UINT16 or"
                + " INT32, was INT64");
    assertThatThrownBy(() -> TestImage.image(1, 1).toTensor(DType.FLOAT64, ImageLayout.CHW))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
