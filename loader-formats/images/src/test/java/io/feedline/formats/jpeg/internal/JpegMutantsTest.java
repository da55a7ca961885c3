package io.feedline.formats.jpeg.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/**
 * Damaged images, each of which libjpeg-turbo decodes to known pixels or refuses: see
 * make_mutants.py, which makes any number of others. An image that this decoder decodes without
 * having found damage must be the same, and it must not decode an image that libjpeg-turbo refuses.
 */
class JpegMutantsTest {

  private final JpegDecoder decoder = new JpegDecoder();

  @Test
  void shouldDecodeDamagedTablesAndDataAsLibjpegTurboDoesWholeAndInPart() throws Exception {
    JpegDecoder other = new JpegDecoder();
    Random random = new Random(6);
    int equal = 0;
    for (String line : mutants()) {
      String[] cells = line.split(",", -1);
      byte[] mutant = mutant(cells);
      int[] pixels = decode(mutant);
      if (pixels == null) {
        continue;
      }
      assertThat("%08x".formatted(TestJpegs.crc(pixels))).as(line).isEqualTo(cells[2]);
      equal++;
      JpegImage image = JpegImage.parse(mutant);
      int x = random.nextInt(image.width());
      int y = random.nextInt(image.height());
      int width = 1 + random.nextInt(image.width() - x);
      int height = 1 + random.nextInt(image.height() - y);
      int[] expected = TestJpegs.crop(pixels, image.width(), x, y, width, height);

      other.decode(image, x, y, width, height);
      assertThat(TestJpegs.read(other, width, height)).as(line).isEqualTo(expected);
      other.decode(image, ScanIndex.build(image, 2), x, y, width, height);
      assertThat(TestJpegs.read(other, width, height)).as(line).isEqualTo(expected);
    }
    assertThat(equal).isGreaterThan(1000);
  }

  /** At an eighth most coefficients are only passed over, and a check makes no pixels. */
  @Test
  void shouldFindTheSameDamageAtAnEighthAndByACheck() throws IOException {
    int damaged = 0;
    for (String line : mutants()) {
      byte[] mutant = mutant(line.split(",", -1));
      String found = damage(mutant, image -> decodeAt(1, image));
      assertThat(damage(mutant, image -> decodeAt(8, image))).as(line).isEqualTo(found);
      assertThat(damage(mutant, decoder::check)).as(line).isEqualTo(found);
      damaged += found.isEmpty() ? 0 : 1;
    }
    assertThat(damaged).isGreaterThan(400);
  }

  private interface Reading {
    void read(JpegImage image) throws JpegException;
  }

  private void decodeAt(int scale, JpegImage image) throws JpegException {
    decoder.scale(scale);
    decoder.decode(
        image, 0, 0, (image.width() + scale - 1) / scale, (image.height() + scale - 1) / scale);
  }

  private static String damage(byte[] mutant, Reading reading) {
    try {
      JpegImage image = JpegImage.parse(mutant);
      if (image.unsupported() == null) {
        reading.read(image);
      }
      return "";
    } catch (JpegException refused) {
      return refused.getMessage();
    }
  }

  /** Null if it is damaged or of another kind. */
  private int[] decode(byte[] mutant) {
    try {
      JpegImage image = JpegImage.parse(mutant);
      return image.unsupported() == null ? TestJpegs.decode(decoder, image) : null;
    } catch (JpegException refused) {
      return null;
    }
  }

  private static byte[] mutant(String[] cells) {
    byte[] data = TestJpegs.data(cells[0]);
    for (String change : cells[1].split(" ", -1)) {
      int equals = change.indexOf('=');
      data[Integer.parseInt(change.substring(0, equals))] =
          (byte) Integer.parseInt(change.substring(equals + 1));
    }
    return data;
  }

  private static List<String> mutants() throws IOException {
    try (InputStream resource = JpegMutantsTest.class.getResourceAsStream("mutants.zip");
        ZipInputStream zip = new ZipInputStream(resource)) {
      zip.getNextEntry();
      return new String(zip.readAllBytes(), UTF_8).lines().toList();
    }
  }
}
