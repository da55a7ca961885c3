package io.feedline.formats.jpeg.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Damage;
import io.feedline.formats.jpeg.internal.TestJpegs.Fixture;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Feeds broken files to the decoder. Whatever they are, there is either an image or a {@link
 * JpegException}, nothing is written outside of the rows asked for, and the decoder is exact
 * afterwards.
 */
class JpegFuzzTest {

  private static final int CASES_BETWEEN_CHECKS = 50;
  private static final int MAX_PIXELS = 1 << 20;
  private static final int MARGIN = 64;
  private static final int UNTOUCHED = 0x7EADBEEF;

  private final List<Fixture> images = TestJpegs.sound();
  private final JpegDecoder decoder = new JpegDecoder();
  private int refused;
  private int decoded;

  @Test
  void shouldDecodeBrokenFilesOrRefuseThem() throws Exception {
    Damage.forEachCase(
        random -> {
          Fixture image = images.get(random.nextInt(images.size()));
          decodeOrRefuse(breakSomething(image.data(), random), image, random);
          if (random.nextInt(CASES_BETWEEN_CHECKS) == 0) {
            assertExact(random);
          }
        });
    assertThat(refused).isGreaterThan(Damage.CASES / 3);
    assertThat(decoded).isGreaterThan(Damage.CASES / 6);
  }

  private void decodeOrRefuse(byte[] broken, Fixture original, Random random) {
    JpegImage image;
    try {
      image = JpegImage.parse(broken);
    } catch (JpegException refusal) {
      refused++;
      return;
    }
    if (image.unsupported() != null) {
      return;
    }
    // Embedders bound the size before they decode.
    int width = 1 + random.nextInt(Math.min(image.width(), MAX_PIXELS / 64));
    int height = 1 + random.nextInt(Math.min(image.height(), MAX_PIXELS / width));
    int x = random.nextInt(image.width() - width + 1);
    int y = random.nextInt(image.height() - height + 1);
    boolean small = (long) image.width() * image.height() <= MAX_PIXELS;
    try {
      switch (random.nextInt(small ? 4 : 2)) {
        case 0 -> decoder.decodeAndIndex(image, 1 + random.nextInt(9), x, y, width, height);
        case 1 -> decoder.decode(image, x, y, width, height);
        case 2 -> decoder.decode(image, ScanIndex.build(image), x, y, width, height);
        default -> {
          ScanIndex stale = ScanIndex.build(original.parse());
          byte[] index = stale.toBytes();
          index[random.nextInt(index.length)] ^= (byte) (1 << random.nextInt(8));
          decoder.decode(image, stale, x, y, width, height);
          ScanIndex.of(ByteBuffer.wrap(index));
        }
      }
    } catch (JpegException refusal) {
      refused++;
      return;
    }
    decoded++;
    assertRowsOnly(width, height, random);
  }

  private void assertRowsOnly(int width, int height, Random random) {
    int rows = 1 + random.nextInt(Math.min(height, 20));
    int stride = width + random.nextInt(3);
    int[] pixels = new int[2 * MARGIN + rows * stride];
    Arrays.fill(pixels, UNTOUCHED);
    decoder.read(random.nextInt(height - rows + 1), rows, pixels, MARGIN, stride);
    for (int i = 0; i < pixels.length; i++) {
      int at = i - MARGIN;
      boolean inside = at >= 0 && at < rows * stride && at % stride < width;
      if (inside ? (pixels[i] >>> 24) != 0 : pixels[i] != UNTOUCHED) {
        throw new AssertionError("pixel %d is %08X".formatted(at, pixels[i]));
      }
    }
  }

  private void assertExact(Random random) throws JpegException {
    Fixture sound = images.get(random.nextInt(images.size()));
    assertThat(TestJpegs.crc(TestJpegs.decode(decoder, sound.parse())))
        .as(sound.name())
        .isEqualTo(sound.crc());
  }

  private static byte[] breakSomething(byte[] data, Random random) throws JpegException {
    int scanStart = TestJpegs.scanStart(data);
    switch (random.nextInt(7)) {
      case 0 -> {
        return Arrays.copyOf(data, random.nextInt(data.length));
      }
      case 1 -> Damage.flipBits(data, 0, data.length, random);
      case 2 -> Damage.flipBits(data, 0, scanStart, random);
      case 3 -> Damage.flipBits(data, scanStart, data.length, random);
      case 4 -> {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          data[random.nextInt(scanStart)] = (byte) random.nextInt();
        }
      }
      case 5 -> Damage.overwrite(data, 0, random);
      default -> Damage.setJpegSize(data, 2, random);
    }
    return data;
  }
}
