package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageTest {

  @Test
  void shouldGiveBackThePixelsItWasMadeOf() throws Exception {
    byte[] rgb = TestImage.rgb(13, 11);

    Pixels pixels = Image.ofRgb(rgb, 13, 11).pixels();

    assertThat(pixels.rgb()).isEqualTo(rgb);
    assertThat(pixels.toImage().pixels().rgb()).isEqualTo(rgb);
    int at = 3 * (10 * 13 + 12);
    assertThat(pixels.rgbAt(12, 10))
        .isEqualTo((rgb[at] & 0xFF) << 16 | (rgb[at + 1] & 0xFF) << 8 | (rgb[at + 2] & 0xFF));
    for (int[] outside : new int[][] {{13, 0}, {0, 11}, {-1, 0}}) {
      assertThatThrownBy(() -> pixels.rgbAt(outside[0], outside[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void shouldRejectArraysBuffersAndAnglesThatDoNotFit() {
    Image image = TestImage.image(2, 2);
    ByteBuffer wrongOrder = ByteBuffer.allocate(48);
    wrongOrder.order(
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
            ? ByteOrder.LITTLE_ENDIAN
            : ByteOrder.BIG_ENDIAN);

    reject(() -> Image.ofRgb(new byte[11], 2, 2), "12 bytes", "11");
    reject(() -> Image.ofRgb(new byte[0], 0, 5));
    reject(() -> Image.ofRgb(new byte[3], -1, -1));
    reject(() -> image.writeTo(ByteBuffer.allocate(47)), "48", "47");
    reject(() -> image.writeTo(wrongOrder), "byte order");
    reject(
        () -> image.rotate(Double.NaN, false, Interpolation.NEAREST, 0),
        "degrees must be finite, were NaN");
  }

  private static void reject(ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(error -> assertThat(List.of(words)).allMatch(error.getMessage()::contains));
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 2, 2",
    "0, -1, 2, 2",
    "3, 0, 3, 2",
    "0, 3, 2, 2",
    "0, 0, -1, 1",
    "0, 0, 1, -1",
    "2147483647, 0, 2147483647, 1"
  })
  void shouldRefuseToEraseBeyondItsEdges(int x, int y, int width, int height) {
    Image image = TestImage.image(5, 4);
    Region part = new Region(x, y, width, height);

    assertThatThrownBy(() -> image.erase(part, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cannot erase " + part)
        .hasMessageContaining("5 columns and 4 rows");
    assertThatThrownBy(() -> image.eraseWithNoise(part, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldEraseUpToItsEdgesByAValueForEachChannel() throws Exception {
    Image image = TestImage.image(5, 4);

    assertThat(image.erase(new Region(3, 2, 2, 2), 1, 2, 3).shape()).isEqualTo(image.shape());
    assertThatThrownBy(() -> image.erase(new Region(0, 0, 1, 1), 7, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "RandomErasing has 2 values, but an image of mode rgb has 3: give one for each");
  }

  @Test
  void shouldNameTheImageThatCannotBeDecodedOnceAndWriteTheNext() throws Exception {
    Image image = TestImage.image(20, 20).flipHorizontal().resize(9, 9, Interpolation.BOX);
    byte[] expected = image.pixels().rgb();
    Image broken = Image.of(new BrokenSource("no end of image"), "cats/7.jpg");
    Image nested = broken.flipHorizontal().resize(5, 5, Interpolation.BILINEAR);
    Image named = Image.of(new BrokenSource("cats/7.jpg is empty"), "cats/7.jpg");

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(broken::pixels, () -> Golden.written(nested))) {
      assertThatThrownBy(call)
          .isInstanceOf(IOException.class)
          .hasMessage("cats/7.jpg: no end of image");
    }
    assertThatThrownBy(named::pixels)
        .isInstanceOf(IOException.class)
        .hasMessage("cats/7.jpg is empty");
    assertThat(image.pixels().rgb()).isEqualTo(expected);
    try (DataLoader<Image> loader = DataLoader.builder(Dataset.of(List.of(broken))).build()) {
      assertThatThrownBy(() -> loader.iterator().next())
          .isInstanceOf(LoaderException.class)
          .hasMessageContaining("cats/7.jpg: no end of image");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldWriteEachImageIntoItsRow(int workers) throws Exception {
    Dataset<Image> images =
        Dataset.of(10, index -> TestImage.image(30 + (int) index, 50 - (int) index));
    RandomTransform<Image, Image> train =
        RandomResizedCrop.of(20).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());
    try (DataLoader<Image> loader =
        DataLoader.builder(images.map(train)).batchSize(4).seed(11).numWorkers(workers).build()) {
      int rows = 0;
      for (Batch batch : loader) {
        try (batch) {
          Tensor tensor = batch.tensor(0);
          int rowBytes = tensor.byteSize() / batch.size();
          for (int row = 0; row < batch.size(); row++) {
            long index = batch.indices()[row];
            Image expected = train.apply(images.get(index), new SampleRandom(11, 0, index, 0));

            assertThat(tensor.bytes().slice(row * rowBytes, rowBytes))
                .isEqualTo(Golden.written(expected));
            rows++;
          }
        }
      }
      assertThat(rows).isEqualTo(10);
    }
  }

  @Test
  void shouldNotBeDisturbedByWhatItsThreadWroteBefore() throws Exception {
    Image padded = TestImage.image(10, 10).crop(new Region(-5, -5, 20, 20));
    byte[] expected = padded.pixels().rgb();

    TestImage.image(100, 90).resize(20, 20, Interpolation.LANCZOS).pixels();
    Golden.written(TestImage.image(300, 10));

    assertThat(padded.pixels().rgb()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Interpolation.class)
  void shouldKeepWhiteWhiteHoweverManyPixelsMakeOne(Interpolation filter) throws Exception {
    byte[] white = new byte[3 * 50_000];
    Arrays.fill(white, (byte) 255);

    Pixels pixels = Image.ofRgb(white, 50_000, 1).resize(1, 3, filter).pixels();

    assertThat(pixels.rgb()).containsOnly(255);
  }

  @Test
  void shouldSayWhatItIs() {
    Image image =
        TestImage.image(50, 40)
            .crop(new Region(1, 2, 30, 20))
            .resize(60, 10, Interpolation.BICUBIC)
            .crop(new Region(-1, 0, 9, 9))
            .flipHorizontal();

    assertThat(image)
        .hasToString(
            "Image[pixels in memory: 50 x 40, cropped to 30 x 20 at (1, 2), resized to 60 x 10"
                + " (bicubic), cropped to 9 x 9 at (-1, 0), flipped; FLOAT32 CHW [0, 1]]");
  }

  /** Fails when it is decoded. */
  private record BrokenSource(String reason) implements ImageSource {
    @Override
    public int width() {
      return 30;
    }

    @Override
    public int height() {
      return 20;
    }

    @Override
    public PixelRows decode(Region region) throws IOException {
      throw new IOException(reason);
    }
  }
}
