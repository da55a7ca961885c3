package io.feedline.formats.jpeg.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
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
  void shouldDecodeDamagedTablesAndDataAsLibjpegTurboDoes() throws IOException {
    List<String> wrong = new ArrayList<>();
    int equal = 0;
    for (String line : mutants()) {
      String[] cells = line.split(",", -1);
      int[] pixels = decode(mutant(cells));
      if (pixels == null) {
        continue;
      }
      String crc = "%08x".formatted(TestJpegs.crc(pixels));
      if (crc.equals(cells[2])) {
        equal++;
      } else {
        wrong.add(line + " but was " + crc);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(equal).isGreaterThan(1000);
  }

  @Test
  void shouldDecodeTheSamePartsOfDamagedImages() throws Exception {
    JpegDecoder other = new JpegDecoder();
    Random random = new Random(6);
    for (String line : mutants()) {
      byte[] mutant = mutant(line.split(",", -1));
      int[] pixels = decode(mutant);
      if (pixels == null) {
        continue;
      }
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
  }

  /** At an eighth most coefficients are only passed over, and a check makes no pixels. */
  @Test
  void shouldFindTheSameDamageAtAnEighthAndByACheck() throws IOException {
    int damaged = 0;
    for (String line : mutants()) {
      byte[] mutant = mutant(line.split(",", -1));
      String found = damage(mutant, 1);
      assertThat(damage(mutant, 8)).as(line).isEqualTo(found);
      assertThat(damageByCheck(mutant)).as(line).isEqualTo(found);
      damaged += found.isEmpty() ? 0 : 1;
    }
    assertThat(damaged).isGreaterThan(400);
  }

  private String damageByCheck(byte[] mutant) {
    try {
      JpegImage image = JpegImage.parse(mutant);
      if (image.unsupported() == null) {
        decoder.check(image);
      }
      return "";
    } catch (JpegException refused) {
      return refused.getMessage();
    }
  }

  private String damage(byte[] mutant, int scale) {
    try {
      JpegImage image = JpegImage.parse(mutant);
      if (image.unsupported() == null) {
        int width = (image.width() + scale - 1) / scale;
        int height = (image.height() + scale - 1) / scale;
        decoder.scale(scale);
        decoder.decode(image, 0, 0, width, height);
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
