package io.feedline.formats.image.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.codec.internal.ImageHeaders;
import io.feedline.formats.image.codec.internal.ReducedJpeg;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.ConvertDtype;
import io.feedline.formats.image.transform.Grayscale;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Images in each mode, beside Pillow's; make_fixtures.py and modes.py made the files. */
class ImageModeTest {

  /** The pixels to which Pillow decodes an image. */
  record Case(String name, DecodeOptions options, int width, int height, String crc) {
    private static Case of(Fixtures.Fixture fixture, boolean turned) {
      DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(turned);
      return new Case(fixture.name(), options, fixture.width(), fixture.height(), fixture.crc());
    }

    @Override
    public String toString() {
      return name + " " + options.mode();
    }
  }

  static Stream<Case> cases() throws IOException {
    Stream<Case> modes =
        Golden.lines("modes.txt").stream()
            .filter(words -> !words[1].contains("/"))
            .map(
                words ->
                    new Case(
                        words[0],
                        DecodeOptions.DEFAULT.withMode(ImageMode.named(words[1])),
                        Golden.number(words[2]),
                        Golden.number(words[3]),
                        words[4]));
    return Stream.of(
            modes,
            Fixtures.images("golden.csv").stream().map(fixture -> Case.of(fixture, false)),
            Fixtures.images("exif_golden.csv").stream().map(fixture -> Case.of(fixture, true)))
        .flatMap(each -> each);
  }

  /** Samples as they are, pixels interleaved. */
  private static Image whole(Image image) {
    return image.toTensor(image.mode().bits() == 8 ? DType.UINT8 : DType.UINT16, ImageLayout.HWC);
  }

  private static byte[] samples(Image image) throws IOException {
    return Golden.bytes(whole(image));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldDecodeWhatPillowDecodesWholeAndInPart(Case each) throws IOException {
    for (byte[] data : encodings(Fixtures.bytes(each.name()), each.options().mode())) {
      Image image = Image.ofEncoded(data, each.name(), each.options());
      Region part =
          new Region(
              each.width() / 3,
              each.height() / 4,
              Math.max(1, each.width() / 2),
              Math.max(1, each.height() * 2 / 3));

      byte[] all = samples(image);

      ImageMode mode = each.options().mode();
      assertThat(image.mode()).isEqualTo(mode);
      assertThat(whole(image).shape())
          .isEqualTo(Shape.of(each.height(), each.width(), mode.channels()));
      assertThat(Golden.tensorCrc(whole(image))).isEqualTo(each.crc());
      Fixtures.requirePart(samples(image.crop(part)), part, all, each.width(), mode.pixelBytes());
    }
  }

  /** The image, its coefficient record if it has one, and the raw records of colors. */
  private static List<byte[]> encodings(byte[] data, ImageMode mode) throws IOException {
    List<byte[]> all = new ArrayList<>(List.of(data));
    CoefficientRecord.of(data).ifPresent(all::add);
    if (mode == ImageMode.RGB) {
      Pixels pixels = Image.ofEncoded(data, "packed").pixels();
      int orientation = Image.exifOrientation(data);
      for (boolean lz4 : new boolean[] {false, true}) {
        all.add(RawWriter.write(pixels.rgb(), pixels.width(), pixels.height(), orientation, lz4));
      }
    }
    return all;
  }

  @Test
  void shouldDecodeGrayAtAFractionOfTheSizeAsPillowsDraftDoes() throws IOException {
    int compared = 0;
    for (String[] words : Golden.lines("modes.txt")) {
      if (!words[1].contains("/")) {
        continue;
      }
      int divisor = Golden.number(words[1].substring(words[1].indexOf('/') + 1));
      for (byte[] each : encodings(Fixtures.bytes(words[0]), ImageMode.GRAY)) {
        ImageSource small =
            ReducedJpeg.of(
                    each,
                    ImageHeaders.parse(each, DecodeOptions.DEFAULT_MAX_PIXELS),
                    divisor,
                    ImageMode.GRAY,
                    ScanIndexStore.Place.NOWHERE)
                .orElseThrow();
        Image image = Image.of(small, words[0]);
        assertThat(image.mode()).isEqualTo(ImageMode.GRAY);
        assertThat(image.width()).isEqualTo(Golden.number(words[2]));
        assertThat(image.height()).isEqualTo(Golden.number(words[3]));
        assertThat(Golden.tensorCrc(whole(image))).as(String.join(" ", words)).isEqualTo(words[4]);
        compared++;
      }
    }
    assertThat(compared).isEqualTo(2 * 24);
  }

  @Test
  void shouldDecodeTheSameGrayWithAScanIndex() throws IOException {
    for (String name : List.of("jpeg_420.jpg", "jpeg_422.jpg", "jpeg_444.jpg")) {
      byte[] data = Fixtures.bytes(name);
      DecodeOptions gray = DecodeOptions.DEFAULT.withMode(ImageMode.GRAY);
      ScanIndexStore indexes = ScanIndexStore.inMemory(1 << 20);
      byte[] expected = samples(Image.ofEncoded(data, name, gray));
      for (int i = 0; i < 3; i++) {
        Image image = Image.of(EncodedSource.of(data, gray, indexes.place(0)), name);
        assertThat(samples(image)).as("%s, time %d", name, i).isEqualTo(expected);
        // A color image in between must not leave anything behind.
        Image.ofEncoded(data, name).pixels();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(ImageMode.class)
  void shouldBeKeptInACacheAsItIs(ImageMode mode) throws IOException {
    LabeledImage sample = new LabeledImage(TestImage.noise(mode, 13, 7), 3);
    PixelCodec codec = new PixelCodec();
    ByteBuffer kept = ByteBuffer.allocateDirect((int) codec.byteSize(sample));
    codec.encode(sample, kept);

    LabeledImage found = codec.decode(kept.flip());

    assertThat(found.image().mode()).isEqualTo(mode);
    assertThat(samples(found.image())).isEqualTo(samples(sample.image()));
  }

  @Test
  void shouldWriteWholeValuesOf16BitsInEveryType() throws IOException {
    Image image = TestImage.noise(ImageMode.GRAY16, 9, 5);
    ByteBuffer words = Golden.written(image.toTensor(DType.UINT16, ImageLayout.CHW));
    ByteBuffer ints = Golden.written(image.toTensor(DType.INT32, ImageLayout.CHW));
    FloatBuffer floats = Golden.written(image).asFloatBuffer();
    FloatBuffer unit = Golden.written(ConvertDtype.of(DType.FLOAT32).apply(image)).asFloatBuffer();
    FloatBuffer normalized =
        Golden.written(
                Normalize.of(new float[] {0.25f}, new float[] {0.5f})
                    .apply(ConvertDtype.of(DType.FLOAT32).apply(image)))
            .asFloatBuffer();
    ByteBuffer bytes = Golden.written(ConvertDtype.of(DType.UINT8).apply(image));

    assertThat(image.shape()).isEqualTo(Shape.of(1, 5, 9));
    int above = 0;
    for (int i = 0; i < 45; i++) {
      int value = words.getShort(2 * i) & 0xFFFF;
      above += value > 0x8000 ? 1 : 0;
      assertThat(ints.getInt(4 * i)).isEqualTo(value);
      assertThat(floats.get(i)).isEqualTo(value);
      assertThat(unit.get(i)).isEqualTo(value / 65535f);
      assertThat(normalized.get(i)).isEqualTo((value / 65535f - 0.25f) / 0.5f);
      assertThat(bytes.get(i) & 0xFF).isEqualTo(value >> 8);
    }
    assertThat(above).isPositive();
  }

  @Test
  void shouldNormalizeEachChannelWithItsOwnOrOneForAll() throws IOException {
    float[] mean = {0.1f, 0.2f, 0.3f, 0.4f};
    float[] std = {0.5f, 0.6f, 0.7f, 0.8f};
    for (ImageMode mode : List.of(ImageMode.GRAY, ImageMode.RGB, ImageMode.RGBA)) {
      Image image = TestImage.noise(mode, 40, 6);
      byte[] samples = samples(image);
      int channels = mode.channels();
      for (int values : new int[] {1, channels}) {
        Normalize normalize = Normalize.of(Arrays.copyOf(mean, values), Arrays.copyOf(std, values));
        for (ImageLayout layout : ImageLayout.values()) {
          FloatBuffer found =
              Golden.written(normalize.apply(image).toTensor(DType.FLOAT32, layout))
                  .asFloatBuffer();
          for (int i = 0; i < samples.length; i++) {
            int channel = i % channels;
            int at = layout == ImageLayout.HWC ? i : channel * 240 + i / channels;
            int value = channel % values;
            assertThat(found.get(at))
                .isEqualTo(((samples[i] & 0xFF) / 255f - mean[value]) / std[value]);
          }
        }
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Normalize.imagenet().apply(TestImage.noise(ImageMode.GRAY, 4, 4)))
        .withMessageContaining(
            "Normalize has 3 values, but an image of mode gray has 1: give one for each channel");
  }

  @Test
  void shouldEraseEachChannelWithItsOwnOrOneForAll() throws IOException {
    Region part = new Region(1, 2, 3, 2);
    for (ImageMode mode : List.of(ImageMode.GRAY, ImageMode.RGBA)) {
      byte[] before = samples(TestImage.noise(mode, 8, 6));
      float[] values = mode == ImageMode.GRAY ? new float[] {7} : new float[] {7, 8, 9, 10};

      byte[] found = samples(whole(TestImage.noise(mode, 8, 6)).erase(part, values));

      for (int i = 0; i < found.length; i++) {
        int x = i / mode.channels() % 8;
        int y = i / mode.channels() / 8;
        boolean erased = x >= 1 && x < 4 && y >= 2 && y < 4;
        assertThat(found[i]).isEqualTo(erased ? (byte) values[i % mode.channels()] : before[i]);
      }
    }
    Image wide = TestImage.noise(ImageMode.GRAY16, 8, 6).toTensor(DType.UINT16, ImageLayout.CHW);
    assertThat(Golden.written(wide.erase(part, 65535)).getShort(2 * (2 * 8 + 1)))
        .isEqualTo((short) 65535);
    assertThatIllegalStateException()
        .isThrownBy(() -> wide.erase(part, 65536))
        .withMessageContaining("whole values of 0 to 65535");
  }

  @Test
  void shouldRefuseWhatIsForSamplesOf8BitsAndSayWhatToDo() throws IOException {
    Image wide = TestImage.noise(ImageMode.GRAY16, 20, 10);
    Image image = TestImage.image(4, 4);
    Image fractions = ConvertDtype.of(DType.FLOAT32).apply(wide);

    refused(() -> Grayscale.of(3).apply(wide), "ConvertDtype.of(DType.UINT8)");
    refused(() -> wide.pad(1, 1, 1, 1, PaddingMode.CONSTANT, 0x0000FF), "fill with black");
    refused(wide::pixels, "pixels() is for samples of 8 bits");
    refused(() -> wide.toTensor(DType.UINT8, ImageLayout.CHW), "has 16: ask for FLOAT32, FLOAT16");
    refused(() -> image.toTensor(DType.UINT16, ImageLayout.CHW), "is for samples of 16 bits");
    refused(() -> image.convert(ImageMode.GRAY16), "DecodeOptions.withMode(ImageMode.GRAY16)");
    refused(() -> fractions.toTensor(DType.UINT16, ImageLayout.CHW), "gives fractions");
    assertThat(samples(Grayscale.of(1).apply(wide.convert(ImageMode.GRAY)))).hasSize(200);
  }

  private static void refused(ThrowingCallable call, String words) {
    assertThatIllegalStateException().isThrownBy(call).withMessageContaining(words);
  }

  @Test
  void shouldTellTheModeThatLosesLeastAndRefuse16BitsOfOtherImages() throws IOException {
    DecodeOptions wide = DecodeOptions.DEFAULT.withMode(ImageMode.GRAY16);
    for (Fixtures.Fixture fixture : Fixtures.images("golden.csv")) {
      String name = fixture.name();
      byte[] data = Fixtures.bytes(name);
      // Pillow writes BMPs with alpha without a mask for it, which makes it none.
      ImageMode expected = ImageMode.RGB;
      if (!name.matches("bmp.*|.*palette.*")) {
        if (name.contains("alpha") || name.contains("rgba") || name.equals("png_1x1.png")) {
          expected = ImageMode.RGBA;
        } else if (name.contains("grey_16bit")) {
          expected = ImageMode.GRAY16;
        } else if (name.matches(".*(grey|1bit|maxval|bits|plain[.]p[bg]m).*")) {
          expected = ImageMode.GRAY;
        }
      }
      assertThat(Image.storedMode(data)).as(name).isEqualTo(expected);
      if (!name.contains("grey_16bit")) {
        assertThatThrownBy(() -> Golden.written(Image.ofEncoded(data, name, wide)))
            .as(name)
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll(name, "mode gray16 takes one sample of 16 bits a pixel");
      }
    }
  }

  @Test
  void shouldConvertAsPillowDoes() throws IOException {
    Image rgb = TestImage.noise(ImageMode.RGB, 20, 10);

    assertThat(samples(rgb.convert(ImageMode.GRAY)))
        .isEqualTo(samples(TestImage.noise(ImageMode.GRAY, 20, 10)));
    assertThat(samples(TestImage.noise(ImageMode.RGBA, 20, 10).convert(ImageMode.RGB)))
        .isEqualTo(samples(rgb));
    byte[] opaque = samples(rgb.convert(ImageMode.RGBA));
    byte[] repeated = samples(TestImage.noise(ImageMode.GRAY, 20, 10).convert(ImageMode.RGBA));
    byte[] gray = samples(TestImage.noise(ImageMode.GRAY, 20, 10));
    for (int i = 0; i < 200; i++) {
      assertThat(opaque[4 * i + 3]).isEqualTo((byte) 255);
      assertThat(repeated[4 * i + 2]).isEqualTo(gray[i]);
      assertThat(repeated[4 * i + 3]).isEqualTo((byte) 255);
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> Normalize.imagenet().apply(rgb).convert(ImageMode.GRAY))
        .withMessageContaining("put the change to gray before it");
  }

  /** As torchvision's elastic, which samples each channel of a tensor by itself. */
  @Test
  void shouldDisplaceAlphaAsAnyOtherChannel() throws IOException {
    Image rgba = TestImage.noise(ImageMode.RGBA, 2, 1);
    byte[] before = samples(rgba);
    // Half a pixel to the right: half of the image's width is one pixel.
    float[] half = {0.5f, 0};
    byte[] after = samples(rgba.elastic(half, new float[2], Interpolation.BILINEAR, 0));

    for (int channel = 0; channel < 4; channel++) {
      int left = before[channel] & 0xFF;
      int right = before[4 + channel] & 0xFF;
      assertThat(after[channel] & 0xFF).isEqualTo((int) Math.rint((left + right) / 2.0));
      assertThat(after[4 + channel]).isEqualTo(before[4 + channel]);
    }
  }
}
