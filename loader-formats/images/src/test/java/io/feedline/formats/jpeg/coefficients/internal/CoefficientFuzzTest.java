package io.feedline.formats.jpeg.coefficients.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Damage;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.PixelPlanes;
import io.feedline.formats.jpeg.internal.PlainPixelKernels;
import io.feedline.formats.jpeg.internal.TestJpegs;
import io.feedline.formats.jpeg.internal.TestJpegs.Fixture;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Feeds broken records to the decoder, most of them with right checksums, as someone who wants to
 * do harm would. Whatever they are, there is either an image or a {@link JpegException}, plain and
 * vector kernels say and show the same, and the decoders are exact afterwards.
 */
class CoefficientFuzzTest {

  private static final int CASES_BETWEEN_CHECKS = 50;
  private static final int MAX_PIXELS = 1 << 16;

  private final List<Fixture> images = CoefficientRecordTest.packed();
  private final List<byte[]> records = images.stream().map(CoefficientRecordTest::pack).toList();
  private final CoefficientDecoder plain =
      new CoefficientDecoder(new PixelPlanes(new PlainPixelKernels()), new PlainSetKernels());
  private final CoefficientDecoder fastest = new CoefficientDecoder();
  private int refused;
  private int decoded;

  @Test
  void shouldDecodeBrokenRecordsOrRefuseThem() throws Exception {
    Damage.forEachCase(
        random -> {
          byte[] record = records.get(random.nextInt(records.size())).clone();
          decodeOrRefuse(breakSomething(record, random), random);
          if (random.nextInt(CASES_BETWEEN_CHECKS) == 0) {
            assertExact(plain, random);
            assertExact(fastest, random);
          }
        });
    assertThat(refused).isGreaterThan(Damage.CASES / 3);
    assertThat(decoded).isGreaterThan(Damage.CASES / 10);
  }

  private void decodeOrRefuse(byte[] broken, Random random) {
    CoefficientRecord record;
    try {
      record = CoefficientRecord.parse(broken);
    } catch (JpegException refusal) {
      refused++;
      return;
    }
    int width = 1 + random.nextInt(Math.min(record.width(), MAX_PIXELS / 64));
    int height = 1 + random.nextInt(Math.min(record.height(), MAX_PIXELS / width));
    int x = random.nextInt(record.width() - width + 1);
    int y = random.nextInt(record.height() - height + 1);
    String one = outcome(plain, record, x, y, width, height);
    String other = outcome(fastest, record, x, y, width, height);
    assertThat(other).isEqualTo(one);
    try {
      JpegImage again = JpegImage.parse(record.toJpeg());
      assertThat(again.width()).isEqualTo(record.width());
    } catch (JpegException refusal) {
      assertThat(refusal).hasMessageFindingMatch("coefficient record|Huffman table");
    }
  }

  /** The pixels' checksum, or what is wrong. */
  private String outcome(
      CoefficientDecoder decoder, CoefficientRecord record, int x, int y, int width, int height) {
    try {
      decoder.decode(record, 1, x, y, width, height);
    } catch (JpegException refusal) {
      refused++;
      assertThat(refusal).hasMessageStartingWith("the coefficient record is damaged: ");
      assertThat(TestJpegs.byteOffset(refusal)).isBetween(0, record.data().length);
      return refusal.getMessage();
    }
    decoded++;
    return Integer.toHexString(TestJpegs.crc(CoefficientRecordTest.read(decoder, width, height)));
  }

  private void assertExact(CoefficientDecoder decoder, Random random) throws JpegException {
    int image = random.nextInt(records.size());
    CoefficientRecord sound = CoefficientRecord.parse(records.get(image));
    decoder.decode(sound, 1, 0, 0, sound.width(), sound.height());
    assertThat(TestJpegs.crc(CoefficientRecordTest.read(decoder, sound.width(), sound.height())))
        .as(images.get(image).name())
        .isEqualTo(images.get(image).crc());
  }

  private static byte[] breakSomething(byte[] data, Random random) {
    int bands = bandsAt(data);
    byte[] broken = data;
    switch (random.nextInt(8)) {
      case 0 -> broken = Arrays.copyOf(data, random.nextInt(data.length));
      case 1 -> Damage.flipBits(data, 0, CoefficientLayout.HEADER_AT, random);
      case 2 -> Damage.flipBits(data, CoefficientLayout.HEADER_AT, bands, random);
      case 3 -> Damage.flipBits(data, bands, data.length, random);
      case 4 -> data[bands + random.nextInt(data.length - bands)] = (byte) random.nextInt();
      case 5 -> Damage.overwrite(data, bands, random);
      case 6 -> broken = Arrays.copyOf(data, data.length + 1 + random.nextInt(100));
      default -> Damage.setJpegSize(data, CoefficientLayout.HEADER_AT, random);
    }
    if (random.nextInt(10) > 0 && broken.length >= CoefficientLayout.HEADER_AT) {
      if (random.nextInt(4) > 0) {
        CoefficientLayout.U32.set(broken, CoefficientLayout.LENGTH_AT, broken.length);
      }
      TestRecords.seal(broken);
    }
    return broken;
  }

  private static int bandsAt(byte[] data) {
    return CoefficientLayout.HEADER_AT
        + (int) CoefficientLayout.u32(data, CoefficientLayout.HEADER_LENGTH_AT);
  }
}
