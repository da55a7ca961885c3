package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TiffStripsTest {

  /** A bilevel image in one strip, whose number of bytes is not told if it is negative. */
  private static byte[] tiff(int compression, int offset, int bytes) {
    int[][] entries = {
      {256, 8},
      {257, 8},
      {258, 1},
      {259, compression},
      {262, 0},
      {273, offset},
      {278, 8},
      {279, bytes}
    };
    int count = bytes < 0 ? entries.length - 1 : entries.length;
    ByteBuffer out = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8).putShort((short) count);
    for (int i = 0; i < count; i++) {
      out.putShort((short) entries[i][0]).putShort((short) 4).putInt(1).putInt(entries[i][1]);
    }
    return out.array();
  }

  @ParameterizedTest
  @CsvSource({
    "4, -1, -1",
    "4, 201, -1",
    "4, -1, 8",
    "4, 199, 8",
    "32773, -1, 0",
    "1, -1, 8",
    "1, 199, 8"
  })
  void shouldRefuseAStripThatLiesBehindTheData(int compression, int offset, int bytes) {
    byte[] data = tiff(compression, offset, bytes);
    assertThatThrownBy(
            () ->
                EncodedSource.of(data, DecodeOptions.DEFAULT, ScanIndexStore.Place.NOWHERE)
                    .decode(new Region(0, 0, 8, 8))
                    .close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("truncated");
  }
}
