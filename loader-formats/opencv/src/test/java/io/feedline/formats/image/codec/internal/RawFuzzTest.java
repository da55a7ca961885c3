package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Damage;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.ImageHeader;
import io.feedline.formats.image.internal.RawRecord;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.internal.TestRaws;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Feeds broken records to the decoder, most of them with right checksums, as someone who wants to
 * do harm would. Whatever they are, there is either an image or a {@link FormatException}, the same
 * from an array and from elsewhere, and sound records are exact afterwards.
 */
class RawFuzzTest {

  private static final int CASES_BETWEEN_CHECKS = 50;
  private static final int MAX_PIXELS = 1 << 16;
  private static final int HEADER = 32;

  /** The places of the header's numbers. */
  private static final int[] NUMBERS = {8, 10, 11, 12, 16, 20, 24, 26, 27};

  private final List<byte[]> records = new ArrayList<>();
  private final List<byte[]> pixels = new ArrayList<>();
  private int refused;
  private int decoded;

  @Test
  void shouldDecodeBrokenRecordsOrRefuseThem() throws IOException {
    for (int i = 0; i < 24; i++) {
      Random random = new Random(i);
      int width = 1 + random.nextInt(60);
      int height = 1 + random.nextInt(60);
      byte[] rgb = TestRaws.pixels(width, height, i % 3 == 0, random);
      pixels.add(rgb);
      records.add(RawWriter.write(rgb, width, height, 1 + i % 8, i % 2 == 0));
    }
    Damage.forEachCase(
        random -> {
          byte[] record = records.get(random.nextInt(records.size())).clone();
          decodeOrRefuse(breakSomething(record, random), random);
          if (random.nextInt(CASES_BETWEEN_CHECKS) == 0) {
            int sound = random.nextInt(records.size());
            assertThat(Fixtures.decode(records.get(sound), DecodeOptions.DEFAULT))
                .isEqualTo(pixels.get(sound));
          }
        });
    assertThat(refused).isGreaterThan(Damage.CASES / 3);
    assertThat(decoded).isGreaterThan(Damage.CASES / 10);
  }

  private void decodeOrRefuse(byte[] broken, Random random) {
    ImageHeader header;
    try {
      header = ImageHeaders.parse(broken, Long.MAX_VALUE);
    } catch (FormatException refusal) {
      refused++;
      return;
    }
    int width = Math.min(header.width(), MAX_PIXELS / 64);
    Region region =
        RecordImagesTest.part(width, Math.min(header.height(), MAX_PIXELS / width), random);
    String one = outcome(() -> RawRecord.parse(broken), header, region);
    assertThat(outcome(() -> RecordImagesTest.elsewhere(broken), header, region)).isEqualTo(one);
  }

  private interface Parsing {
    RawRecord record() throws IOException;
  }

  /** The pixels' checksum, or what is wrong. */
  private String outcome(Parsing parsing, ImageHeader header, Region region) {
    try {
      int[] found =
          RecordImagesTest.pixels(
              RawDecoder.decode(parsing.record(), header, region, ImageMode.RGB));
      decoded++;
      return Integer.toHexString(Arrays.hashCode(found));
    } catch (FormatException refusal) {
      refused++;
      assertThat(refusal).hasMessageFindingMatch("raw record|RAW of .* is too large");
      return refusal.getMessage();
    } catch (IOException other) {
      throw new AssertionError(other);
    }
  }

  private static byte[] breakSomething(byte[] data, Random random) {
    ByteBuffer in = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    int groups = (in.getInt(20) + in.getShort(24) - 1) / in.getShort(24);
    int table = HEADER + 8 * groups;
    byte[] broken = data;
    switch (random.nextInt(8)) {
      case 0 -> broken = Arrays.copyOf(data, random.nextInt(data.length));
      case 1 -> Damage.flipBits(data, 0, HEADER, random);
      case 2 -> Damage.flipBits(data, HEADER, table, random);
      case 3 -> Damage.flipBits(data, table, data.length, random);
      case 4 -> data[table + random.nextInt(data.length - table)] = (byte) random.nextInt();
      case 5 -> Damage.overwrite(data, table, random);
      case 6 -> broken = Arrays.copyOf(data, data.length + 1 + random.nextInt(100));
      default -> {
        int at = NUMBERS[random.nextInt(NUMBERS.length)];
        int number = random.nextInt() >>> random.nextInt(32);
        if (at == 12 || at == 16 || at == 20) {
          in.putInt(at, number);
        } else {
          data[at] = (byte) number;
        }
      }
    }
    if (random.nextInt(10) > 0 && broken.length >= HEADER) {
      if (random.nextInt(4) > 0) {
        ByteBuffer.wrap(broken).order(ByteOrder.LITTLE_ENDIAN).putInt(12, broken.length);
      }
      TestRaws.seal(broken);
    }
    return broken;
  }
}
