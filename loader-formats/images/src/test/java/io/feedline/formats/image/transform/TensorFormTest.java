package io.feedline.formats.image.transform;

import static io.feedline.formats.image.TestTargets.floats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.internal.HalfFloat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dtype, layout and normalization of images: ToTensor, ConvertDtype and Normalize. */
class TensorFormTest {

  private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
  private static final float[] STD = {0.229f, 0.224f, 0.225f};

  /** Two pixels side by side. */
  private static final byte[] RGB = {0, 51, (byte) 255, 1, 102, (byte) 254};

  @Test
  void shouldBeFloatsInPlanesByDefault() throws Exception {
    Image image = Image.ofRgb(RGB, 2, 1);
    Image explicit = ToTensor.of().apply(image);
    Image interleaved = ToTensor.of().withLayout(ImageLayout.HWC).apply(image);

    assertThat(explicit.dtype()).isEqualTo(DType.FLOAT32).isEqualTo(image.dtype());
    assertThat(explicit.shape()).hasToString("(3, 1, 2)").isEqualTo(image.shape());
    assertThat(floats(explicit))
        .containsExactly(0, 1 / 255f, 51 / 255f, 102 / 255f, 1, 254 / 255f)
        .isEqualTo(floats(image));
    assertThat(floats(interleaved))
        .containsExactly(0, 51 / 255f, 1, 1 / 255f, 102 / 255f, 254 / 255f);
  }

  @Test
  void shouldLeaveBytesAsTheyAre() throws Exception {
    ToTensor planes = ToTensor.of(DType.UINT8);
    Image image = Image.ofRgb(RGB, 2, 1);

    assertThat(Golden.written(planes.apply(image)))
        .isEqualTo(ByteBuffer.wrap(new byte[] {0, 1, 51, 102, (byte) 255, (byte) 254}));
    assertThat(Golden.written(planes.withLayout(ImageLayout.HWC).apply(image)))
        .isEqualTo(ByteBuffer.wrap(RGB));
  }

  @Test
  void shouldConvertTheDtypeAndKeepTheLayout() {
    Image bytes = TestImage.image(5, 4).toTensor(DType.UINT8, ImageLayout.HWC);

    Image floats = ConvertDtype.of(DType.FLOAT32).apply(bytes);

    assertThat(floats.layout()).isEqualTo(ImageLayout.HWC);
    assertThat(floats.dtype()).isEqualTo(DType.FLOAT32);
    assertThat(ConvertDtype.of(DType.UINT16).apply(TestImage.noise(ImageMode.GRAY16, 4, 4)).dtype())
        .isEqualTo(DType.UINT16);
  }

  /** torchvision multiplies in v2.ToDtype(torch.float32, scale=True), and divides in ToTensor. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRoundAfterEachOfTheThreeOperations(boolean scaled) throws Exception {
    byte[] rgb = new byte[3 * 256];
    for (int i = 0; i < rgb.length; i++) {
      rgb[i] = (byte) (i / 3);
    }
    Image image = Image.ofRgb(rgb, 256, 1);
    Image fractions = scaled ? ConvertDtype.of(DType.FLOAT32).apply(image) : image;

    float[] plain = floats(fractions);
    float[] values = floats(Normalize.of(MEAN, STD).apply(fractions));

    int others = 0;
    for (int c = 0; c < 3; c++) {
      for (int value = 0; value < 256; value++) {
        float fraction = scaled ? value * (1 / 255f) : value / 255f;
        assertThat(plain[256 * c + value]).isEqualTo(fraction);
        assertThat(values[256 * c + value]).isEqualTo((fraction - MEAN[c]) / STD[c]);
        others += fraction == value / 255f ? 0 : 1;
      }
    }
    assertThat(others).isEqualTo(scaled ? 3 * 126 : 0);
  }

  @Test
  void shouldNormalizeAfterGeometryAndPaddingAsBlackPixels() throws Exception {
    Image image = TestImage.image(30, 20);
    Normalize normalize = Normalize.of(new float[] {0.5f}, new float[] {0.5f});

    Image before = normalize.apply(image).crop(new Region(-3, 4, 20, 30)).flipHorizontal();
    Image after = normalize.apply(image.crop(new Region(-3, 4, 20, 30)).flipHorizontal());

    assertThat(Golden.written(before)).isEqualTo(Golden.written(after));
    assertThat(floats(before.crop(new Region(19, 0, 1, 1)))).containsExactly(-1, -1, -1);
  }

  @Test
  void shouldKeepTheNormalizationWhenColorsChange() {
    Image jittered =
        ColorJitter.of(1, 0, 0, 0)
            .apply(Normalize.imagenet().apply(TestImage.image(5, 5)), new Random(1));

    assertThat(jittered).asString().contains("mean=[0.485, 0.456, 0.406]").contains("brightness");
  }

  @Test
  void shouldNotNoticeLaterChangesOfArrays() {
    float[] mean = MEAN.clone();
    Normalize normalize = Normalize.of(mean, STD);
    int[] sizes = {7, 8};
    RandomShortestSize shortest = RandomShortestSize.of(sizes);

    mean[0] = 7;
    sizes[0] = 100;

    assertThat(normalize).isEqualTo(Normalize.of(MEAN, STD));
    assertThat(shortest).isEqualTo(RandomShortestSize.of(7, 8));
  }

  @Test
  void shouldRefuseWhatDoesNotFit() {
    Image image = TestImage.image(4, 4);
    Image bytes = image.toTensor(DType.UINT8, ImageLayout.CHW);
    Image normalized = Normalize.imagenet().apply(image);

    assertRefused(() -> Normalize.imagenet().apply(bytes), "Normalize", "pixels in memory");
    assertRefused(() -> Normalize.imagenet().apply(normalized), "normalized already");
    assertRefused(() -> normalized.toTensor(DType.UINT8, ImageLayout.CHW), "Normalize");
    assertRefused(
        () -> ConvertDtype.of(DType.UINT8).apply(normalized), "Normalize gives fractions");
    assertRefused(() -> ConvertDtype.of(DType.UINT16).apply(image), "is for samples of 16 bits");
    assertRefused(
        () -> TestImage.noise(ImageMode.GRAY16, 8, 8).jpeg(50),
        "JPEG(quality=50) is for samples of 8 bits");
    assertThatThrownBy(() -> image.toTensor(DType.FLOAT64, ImageLayout.CHW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "dtype must be FLOAT32, FLOAT16, BFLOAT16 or UINT8, or for samples of 16 bits UINT16 or"
                + " INT32, was FLOAT64");
  }

  private static void assertRefused(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll(words);
  }

  // ---- half precision: the float32 of the same image, rounded once ----

  private static void assertRounded(Image image, ImageLayout layout) throws Exception {
    float[] floats = floats(image.toTensor(DType.FLOAT32, layout));
    ByteBuffer half = Golden.written(image.toTensor(DType.FLOAT16, layout));
    ByteBuffer bfloat = Golden.written(image.toTensor(DType.BFLOAT16, layout));
    assertThat(half.capacity()).isEqualTo(2 * floats.length);
    for (int i = 0; i < floats.length; i++) {
      assertThat(half.getShort(2 * i)).isEqualTo(HalfFloat.ofFloat(floats[i]));
      assertThat(bfloat.getShort(2 * i)).isEqualTo(HalfFloat.toBfloat(floats[i]));
    }
  }

  @ParameterizedTest
  @EnumSource(ImageLayout.class)
  void shouldRoundTheFloatsOfEveryMode(ImageLayout layout) throws Exception {
    for (ImageMode mode : ImageMode.values()) {
      assertRounded(TestImage.noise(mode, 21, 13), layout);
    }
    Image image = TestImage.noise(21, 13);
    Region part = new Region(2, 3, 5, 4);
    for (Image each :
        List.of(
            image.scaleTo1(),
            image.normalize(MEAN, STD),
            image.resize(9, 7, Interpolation.BILINEAR).normalize(MEAN, STD),
            image.erase(part, 0.1f, -0.2f, 1e-6f),
            image.normalize(MEAN, STD).eraseWithNoise(part, 7))) {
      assertRounded(each, layout);
    }
  }

  @Test
  void shouldCollateToHalfOfTheBytes() throws IOException {
    Image normalized = TestImage.noise(21, 13).normalize(MEAN, STD);
    Dataset<Image> images = Dataset.of(List.of(normalized)).map(ToTensor.of(DType.FLOAT16));
    try (DataLoader<Image> loader = DataLoader.builder(images).build();
        Batch batch = loader.iterator().next()) {
      assertThat(batch.tensor(0)).hasToString("FLOAT16 (1, 3, 13, 21)");
      assertThat(batch.tensor(0).bytes())
          .isEqualTo(Golden.written(ToTensor.of(DType.FLOAT16).apply(normalized)));
    }
  }
}
