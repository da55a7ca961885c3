package io.feedline.formats.image.recode.internal;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.jpeg.coefficients.internal.BaselineEncoder;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecodingTest {

  private static final EncodedImage JPEG =
      EncodedImage.ofFile("cow/070.jpg", Fixtures.bytes("jpeg_420.jpg"), 2);

  static Stream<Recoding> recodings() {
    return Stream.of(
        recoding(""),
        recoding("resize=20 quality=70"),
        recoding("resize=20 coefficients=true"),
        recoding("coefficients=true"),
        recoding("jpeg=true"),
        recoding("raw=true"),
        recoding("resize=16 raw=true compress=lz4"),
        recoding("png=true"));
  }

  @ParameterizedTest
  @MethodSource("recodings")
  void shouldKeepKeyAndLabel(Recoding recoding) throws Exception {
    EncodedImage made = recoding.apply(JPEG);

    assertThat(made.key()).isEqualTo("cow/070");
    assertThat(made.label()).isEqualTo(2);
    assertThat(made.fileName())
        .isEqualTo("cow/070." + (made.equals(JPEG) ? "jpg" : made.format().suffix()));
  }

  @Test
  void shouldStoreWhatItIsToldTo() throws Exception {
    Image image = decoded(JPEG);
    EncodedImage raw = recoding("raw=true").apply(JPEG);
    EncodedImage compressed = recoding("raw=true compress=lz4").apply(JPEG);
    EncodedImage png = recoding("png=true").apply(compressed);
    EncodedImage black =
        new EncodedImage(
            "a", Encoders.png(Image.ofRgb(new byte[3 * 64 * 48], 64, 48).pixels(), false, 1), 0);
    EncodedImage record = recoding("coefficients=true").apply(JPEG);
    EncodedImage jpeg = recoding("jpeg=true").apply(record);

    assertThat(raw.format()).isEqualTo(ImageFormat.RAW);
    assertThat(png.format()).isEqualTo(ImageFormat.PNG);
    assertThat(record.format()).isEqualTo(ImageFormat.COEFFICIENTS);
    assertThat(jpeg.format()).isEqualTo(ImageFormat.JPEG);
    assertThat(recoding("raw=true compress=lz4").apply(black).bytes())
        .hasSizeLessThan(recoding("raw=true").apply(black).bytes().length / 2);
    for (EncodedImage made : new EncodedImage[] {raw, compressed, png, record, jpeg}) {
      assertThat(decoded(made).pixels().rgb()).isEqualTo(image.pixels().rgb());
    }
  }

  @ParameterizedTest
  @CsvSource({"90, 30, 13", "30, 90, 13", "41, 41, 40", "100, 7, 3", "7, 101, 6", "3000, 11, 7"})
  void shouldScaleAsResizeDoes(int width, int height, int side) throws Exception {
    EncodedImage png =
        new EncodedImage("a", Encoders.png(TestImage.noise(width, height).pixels(), false, 1), 0);

    EncodedImage made = recoding("raw=true resize=" + side).apply(png);

    Pixels expected = Resize.of(side).apply(decoded(png)).pixels();
    assertThat(decoded(made).width()).isEqualTo(expected.width());
    assertThat(decoded(made).height()).isEqualTo(expected.height());
    assertThat(decoded(made).pixels().rgb()).isEqualTo(expected.rgb());
  }

  @Test
  void shouldNeitherEnlargeNorChangeAnImageUnlessAsked() throws Exception {
    Image image = decoded(JPEG);
    int shorter = Math.min(image.width(), image.height());

    assertThat(recoding("").apply(JPEG)).isSameAs(JPEG);
    assertThat(recoding("resize=" + shorter).apply(JPEG)).isSameAs(JPEG);
    EncodedImage smaller = recoding("resize=" + (shorter - 1)).apply(JPEG);
    assertThat(Math.min(decoded(smaller).width(), decoded(smaller).height()))
        .isEqualTo(shorter - 1);
    assertThat(smaller.format()).isEqualTo(ImageFormat.JPEG);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldKeepTheOrientationOfWhatItScales(int orientation) throws Exception {
    Pixels pixels = TestImage.noise(40, 30).pixels();
    EncodedImage png = new EncodedImage("a", Encoders.png(pixels, false, orientation), 0);

    EncodedImage made = recoding("resize=20").apply(png);

    assertThat(Image.exifOrientation(made.bytes())).isEqualTo(orientation);
    assertThat(decoded(made).width()).isEqualTo(26);
    assertThat(ImageIO.read(new ByteArrayInputStream(made.bytes())).getWidth()).isEqualTo(26);
  }

  /** That {@code BaselineEncoder} writes what Pillow writes, TorchvisionRestTest shows. */
  @Test
  void shouldWriteTheFileOfPillowWhenItScales() throws Exception {
    Pixels scaled = Reencoder.shrink(decoded(JPEG), 20).pixels();

    byte[] made = recoding("resize=20 quality=77").apply(JPEG).bytes();

    assertThat(made)
        .isEqualTo(BaselineEncoder.encode(scaled.rgb(), scaled.width(), scaled.height(), 77));
  }

  @Test
  void shouldRefuseSidesThatNoJpegHas() throws Exception {
    Pixels wide = Image.ofRgb(new byte[3 * 65501], 65501, 1).pixels();

    assertThatThrownBy(() -> Encoders.jpeg(wide, 90, 1))
        .isInstanceOf(FormatException.class)
        .hasMessage("a JPEG has at most 65500 pixels a side, and the image has 65501 x 1");
  }

  @ParameterizedTest
  @CsvSource({
    "'', Recoding()",
    "resize=20 quality=70, 'Recoding(resize=20, quality=70)'",
    "resize=20 raw=true, 'Recoding(resize=20, quality=90, raw)'",
    "raw=true compress=lz4, 'Recoding(raw, compress=lz4)'",
    "raw=true compress=none, Recoding(raw)",
    "raw=false coefficients=true, Recoding(coefficients)",
    "jpeg=true, Recoding(jpeg)",
    "png=true, Recoding(png)",
  })
  void shouldBeMadeFromOptions(String options, String expected) {
    assertThat(recoding(options)).hasToString(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "size=20, a recoding has no option 'size'",
    "resize=big, 'option resize must be a whole number, was ''big'''",
    "resize=0, 'resize must be 1 or more pixels, was 0'",
    "quality=101, 'quality must be from 1 to 100, was 101'",
    "raw=yes, 'option raw must be true or false, was ''yes'''",
    "raw=true compress=zstd, 'option compress must be lz4 or none, was ''zstd'''",
    "compress=lz4, give raw=true as well",
    "raw=true png=true, 'choose raw or png, not both'",
    "raw=true compress=lz4 coefficients=true, 'choose raw or coefficients, not both'",
  })
  void shouldRefuseOptionsThatItCannotFollow(String options, String problem) {
    refused(IllegalArgumentException.class, () -> recoding(options), problem);
  }

  @ParameterizedTest
  @MethodSource("recodings")
  void shouldGoToOtherMachines(Recoding recoding) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(recoding);
    }
    Recoding there;
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      there = (Recoding) in.readObject();
    }

    assertThat(there).isEqualTo(recoding).hasSameHashCodeAs(recoding);
    assertThat(there).hasToString(recoding.toString());
    assertThat(there.apply(JPEG).bytes()).isEqualTo(recoding.apply(JPEG).bytes());
    assertThat(recodings().filter(recoding::equals)).hasSize(1);
  }

  @Test
  void shouldNameAnImageThatItCannotDecode() throws Exception {
    byte[] half = Arrays.copyOf(JPEG.bytes(), 200);
    byte[] record = recoding("coefficients=true").apply(JPEG).bytes();
    byte[] raw = recoding("raw=true").apply(JPEG).bytes();

    assertThatThrownBy(() -> recoding("raw=true").apply(new EncodedImage("cow/070", half, 0)))
        .hasMessageContaining("cow/070");
    refused(FormatException.class, () -> recoding("jpeg=true").apply(cut(record)), "cow/071");
    refused(FormatException.class, () -> recoding("png=true").apply(cut(raw)), "cow/071");
  }

  private static EncodedImage cut(byte[] bytes) {
    return new EncodedImage("cow/071", Arrays.copyOf(bytes, 40), 0);
  }

  private static Image decoded(EncodedImage image) throws Exception {
    return Image.ofEncoded(image.bytes(), image.key(), DecodeOptions.DEFAULT);
  }

  private static Recoding recoding(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String option : text.split(" ", -1)) {
      if (!option.isEmpty()) {
        values.put(
            option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
      }
    }
    return Recoding.of(StoreOptions.of(values));
  }
}
