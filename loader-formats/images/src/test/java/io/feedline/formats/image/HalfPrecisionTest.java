package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.internal.HalfFloat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each half is the float32 of the same image, rounded once. */
class HalfPrecisionTest {

  private static final int WIDTH = 21;
  private static final int HEIGHT = 13;
  private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
  private static final float[] STD = {0.229f, 0.224f, 0.225f};

  private static Image image() {
    byte[] rgb = new byte[3 * WIDTH * HEIGHT];
    new Random(1).nextBytes(rgb);
    return Image.ofRgb(rgb, WIDTH, HEIGHT);
  }

  private static Tensor written(Image image) throws IOException {
    int bytes = (int) Tensor.byteSize(image.dtype(), image.shape());
    ByteBuffer memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    image.writeTo(memory);
    return Tensor.of(image.dtype(), image.shape(), memory.clear());
  }

  private static void assertRounded(Image image, ImageLayout layout) throws IOException {
    float[] floats = written(image.toTensor(DType.FLOAT32, layout)).toFloatArray();
    Tensor half = written(image.toTensor(DType.FLOAT16, layout));
    Tensor bfloat = written(image.toTensor(DType.BFLOAT16, layout));
    assertThat(half.byteSize()).isEqualTo(2 * floats.length);
    for (int i = 0; i < floats.length; i++) {
      assertThat(half.bytes().getShort(2 * i)).isEqualTo(HalfFloat.ofFloat(floats[i]));
      assertThat(bfloat.bytes().getShort(2 * i)).isEqualTo(HalfFloat.toBfloat(floats[i]));
    }
  }

  @ParameterizedTest
  @EnumSource(ImageLayout.class)
  void shouldRoundTheFloatsOfEveryMode(ImageLayout layout) throws IOException {
    assertRounded(image(), layout);
    assertRounded(image().scaleTo1(), layout);
    assertRounded(image().normalize(MEAN, STD), layout);
    assertRounded(image().resize(9, 7, Interpolation.BILINEAR).normalize(MEAN, STD), layout);
    assertRounded(image().convert(ImageMode.GRAY), layout);
    assertRounded(image().convert(ImageMode.RGBA), layout);
    Image samples =
        Image.ofEncoded(
            "P5 2 2 65535 \u0000\u0001\u0002\u0003p\u0001\u0001\u0000"
                .getBytes(StandardCharsets.ISO_8859_1),
            "16 bits");
    assertRounded(samples, layout);
  }

  @ParameterizedTest
  @EnumSource(ImageLayout.class)
  void shouldRoundWhatErases(ImageLayout layout) throws IOException {
    Region part = new Region(2, 3, 5, 4);
    assertRounded(image().erase(part, 0.1f, -0.2f, 1e-6f), layout);
    assertRounded(image().normalize(MEAN, STD).eraseWithNoise(part, 7), layout);
  }

  @Test
  void shouldCollateToHalfOfTheBytes() throws IOException {
    Dataset<Image> images =
        Dataset.of(List.of(image(), image().flipHorizontal()))
            .map(Normalize.of(MEAN, STD))
            .map(ToTensor.of(DType.FLOAT16));
    try (DataLoader<Image> loader = DataLoader.builder(images).batchSize(2).build()) {
      for (Batch batch : loader) {
        try (batch) {
          Tensor tensor = batch.tensors().values().iterator().next();
          assertThat(tensor).hasToString("FLOAT16 (2, 3, 13, 21)");
          float expected = written(image().normalize(MEAN, STD)).get(1, 4, 5).floatValue();
          assertThat(tensor.get(0, 1, 4, 5))
              .isEqualTo(HalfFloat.toFloat(HalfFloat.ofFloat(expected)));
        }
      }
    }
  }

  @Test
  void shouldRefuseATypeThatImagesDoNotHave() {
    assertThatThrownBy(() -> ToTensor.of(DType.FLOAT64))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("FLOAT16, BFLOAT16", "was FLOAT64");
  }
}
