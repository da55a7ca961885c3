package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.store.ImageFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Coefficient records as images: what a JPEG is to a user, its record is as well. */
class CoefficientImagesTest {

  private static byte[] record(String name) {
    return CoefficientRecord.of(Fixtures.bytes(name)).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg_420.jpg",
        "jpeg_422.jpg",
        "jpeg_444.jpg",
        "jpeg_grey.jpg",
        "jpeg_1x1.jpg",
        "jpeg_no_jfif.jpg",
        "jpeg_rgb_adobe.jpg",
        "jpeg_trailing_bytes.jpg",
        "exif_1.jpg",
        "exif_2.jpg",
        "exif_3.jpg",
        "exif_4.jpg",
        "exif_5.jpg",
        "exif_6.jpg",
        "exif_7.jpg",
        "exif_8.jpg"
      })
  void shouldBeTheImageThatTheJpegIs(String name) throws IOException {
    byte[] record = record(name);
    assertThat(ImageFormat.of(record)).isEqualTo(ImageFormat.COEFFICIENTS);
    for (boolean turned : new boolean[] {false, true}) {
      DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(turned);
      Image expected = Image.ofEncoded(Fixtures.bytes(name), name, options);
      Image image = Image.ofEncoded(record, name, options);
      assertThat(image.width()).isEqualTo(expected.width());
      assertThat(image.height()).isEqualTo(expected.height());
      assertThat(image.pixels().rgb()).isEqualTo(expected.pixels().rgb());
    }
  }

  @ParameterizedTest
  @EnumSource(DecodeOptions.Backend.class)
  void shouldBeDecodedByUsWhateverTheBackend(DecodeOptions.Backend backend) throws IOException {
    DecodeOptions options = DecodeOptions.DEFAULT.withBackend(backend);
    assertThat(Fixtures.decode(record("jpeg_420.jpg"), options))
        .isEqualTo(Fixtures.decode(Fixtures.bytes("jpeg_420.jpg"), DecodeOptions.DEFAULT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jpeg_420.jpg", "jpeg_444.jpg", "jpeg_grey.jpg"})
  void shouldBeReducedAsTheJpegIs(String name) throws IOException {
    DecodeOptions fast = DecodeOptions.DEFAULT.withFast(true);
    Image jpeg = Image.ofEncoded(Fixtures.bytes(name), name, fast);
    int width = jpeg.width() / 5;
    int height = jpeg.height() / 5;
    byte[] expected = jpeg.resize(width, height, Interpolation.BILINEAR).pixels().rgb();

    Image image = Image.ofEncoded(record(name), name, fast);

    assertThat(image.resize(width, height, Interpolation.BILINEAR).pixels().rgb())
        .isEqualTo(expected);
    assertThat(
            Image.ofEncoded(record(name), name, DecodeOptions.DEFAULT)
                .resize(width, height, Interpolation.BILINEAR)
                .pixels()
                .rgb())
        .isNotEqualTo(expected);
  }

  @Test
  void shouldRefuseARecordWhoseHeaderIsCutOff() {
    byte[] record = record("jpeg_420.jpg");
    for (int length : List.of(8, 12, 20, 27, 28, 40, 100)) {
      byte[] cut = Arrays.copyOf(record, length);
      assertThatThrownBy(() -> Image.ofEncoded(cut, "cut", DecodeOptions.DEFAULT))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("cut");
    }
  }

  @Test
  void shouldRefuseAnotherVersion() {
    byte[] record = record("jpeg_420.jpg");
    record[8] = 2;
    assertThatThrownBy(() -> Image.ofEncoded(record, "key 7", DecodeOptions.DEFAULT))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("key 7")
        .hasMessageContaining("of version 2, and this Feedline reads version 1");
  }

  @Test
  void shouldRefuseMorePixelsThanAllowed() {
    DecodeOptions small = DecodeOptions.DEFAULT.withMaxPixels(10);
    assertThatThrownBy(() -> Image.ofEncoded(record("jpeg_420.jpg"), "large", small))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("COEFFICIENTS")
        .hasMessageContaining("maxPixels = 10");
  }

  @Test
  void shouldNameTheBandThatIsDamaged() throws IOException {
    byte[] record = record("jpeg_420.jpg");
    record[record.length - 1] ^= 1;
    Image image = Image.ofEncoded(record, "shard 3, key 7", DecodeOptions.DEFAULT);
    assertThatThrownBy(image::pixels)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shard 3, key 7")
        .hasMessageContaining("the checksum of band");
  }
}
