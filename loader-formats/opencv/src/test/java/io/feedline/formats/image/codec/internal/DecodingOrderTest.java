package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Fixtures.Fixture;
import io.feedline.formats.image.codec.DecodeOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An image is decoded to the same pixels, or refused, whatever its thread has decoded before:
 * workers share out a dataset's images in any order.
 */
class DecodingOrderTest {

  private static final int FLIPS = 12;
  private static final int SOS = 0xDA;
  private static final int DHT = 0xC4;
  private static final int DQT = 0xDB;

  static Stream<Arguments> images() {
    return Fixtures.images("golden.csv").stream()
        .flatMap(
            fixture ->
                Stream.of(DecodeOptions.Backend.OPENCV, DecodeOptions.Backend.FEEDLINE)
                    .map(backend -> Arguments.of(fixture, backend)));
  }

  @ParameterizedTest(name = "{0} by {1}")
  @MethodSource("images")
  void shouldDecodeTheSameWhateverCameBefore(Fixture fixture, DecodeOptions.Backend backend)
      throws Exception {
    byte[] whole = Fixtures.bytes(fixture.name());
    byte[] other = Fixtures.bytes(otherOfItsKind(fixture.name()));
    for (byte[] damaged : damaged(whole)) {
      String alone = onThreadOfItsOwn(damaged, backend);
      for (byte[] before : List.of(whole, withOtherTables(whole), other)) {
        decode(before, backend);
        assertThat(decode(damaged, backend)).isEqualTo(alone);
      }
    }
  }

  private static String onThreadOfItsOwn(byte[] data, DecodeOptions.Backend backend)
      throws InterruptedException {
    String[] decoded = new String[1];
    Thread thread = new Thread(() -> decoded[0] = decode(data, backend));
    thread.start();
    thread.join();
    return decoded[0];
  }

  private static String decode(byte[] data, DecodeOptions.Backend backend) {
    try {
      DecodeOptions options = DecodeOptions.DEFAULT.withBackend(backend).withMaxPixels(1 << 16);
      return Fixtures.crc(Fixtures.decode(data, options));
    } catch (IOException refused) {
      return "refused";
    }
  }

  private static String otherOfItsKind(String name) {
    String kind = name.substring(name.lastIndexOf('.'));
    return Fixtures.images("golden.csv").stream()
        .map(Fixture::name)
        .filter(other -> other.endsWith(kind) && !other.equals(name))
        .reduce(name, (first, second) -> second);
  }

  /** Without each of its tables, and with a bit of it flipped somewhere. */
  private static List<byte[]> damaged(byte[] data) {
    List<byte[]> damaged = new ArrayList<>();
    for (int[] table : tables(data)) {
      byte[] without = Arrays.copyOf(data, data.length - (table[1] - table[0]));
      System.arraycopy(data, table[1], without, table[0], data.length - table[1]);
      damaged.add(without);
    }
    Random random = new Random(data.length);
    for (int i = 0; i < FLIPS; i++) {
      byte[] flipped = data.clone();
      flipped[random.nextInt(data.length)] ^= (byte) (1 << random.nextInt(8));
      damaged.add(flipped);
    }
    return damaged;
  }

  /** The image as it is, but coarser, where it is a JPEG. */
  private static byte[] withOtherTables(byte[] data) {
    byte[] coarser = data.clone();
    for (int[] table : tables(data)) {
      for (int i = table[0] + 5; i < table[1] && data[table[0] + 1] == (byte) DQT; i++) {
        coarser[i] = (byte) Math.min(255, 3 * (data[i] & 0xFF));
      }
    }
    return coarser;
  }

  /** Returns the begins and ends of a JPEG's segments that hold tables. */
  private static List<int[]> tables(byte[] data) {
    List<int[]> tables = new ArrayList<>();
    boolean jpeg = (data[0] & 0xFF) == 0xFF;
    for (int at = 2; jpeg && (data[at + 1] & 0xFF) != SOS; ) {
      int marker = data[at + 1] & 0xFF;
      int end = at + 2 + (((data[at + 2] & 0xFF) << 8) | (data[at + 3] & 0xFF));
      if (marker == DHT || marker == DQT) {
        tables.add(new int[] {at, end});
      }
      at = end;
    }
    return tables;
  }
}
