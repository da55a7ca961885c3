package io.feedline.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class HalfFloatTest {

  @Test
  void shouldKeepEveryHalfAndBfloat() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      short half = (short) bits;
      float value = HalfFloat.toFloat(half);
      float bfloat = HalfFloat.ofBfloat(half);
      assertThat(Float.isNaN(value) || HalfFloat.ofFloat(value) == half).as("%04x", bits).isTrue();
      assertThat(Float.isNaN(bfloat) || HalfFloat.toBfloat(bfloat) == half).isTrue();
    }
    assertThat(HalfFloat.toFloat((short) 0x3555)).isEqualTo(0.33325195f);
    assertThat(HalfFloat.toFloat((short) 1)).isEqualTo(0x1p-24f);
    assertThat(HalfFloat.toFloat((short) 0x7C01)).isNaN();
    assertThat(HalfFloat.ofBfloat((short) 0x3FC0)).isEqualTo(1.5f);
    assertThat(HalfFloat.ofFloat(65519)).isEqualTo((short) 0x7BFF);
    assertThat(HalfFloat.ofFloat(65520)).isEqualTo((short) 0x7C00);
    assertThat(HalfFloat.ofFloat(-1e30f)).isEqualTo((short) 0xFC00);
  }

  /** The floats of half.py: ties, their neighbors, subnormal numbers, overflows. */
  @Test
  void shouldEqualTheCastsOfPyTorch() throws IOException {
    try (InputStream golden = HalfFloatTest.class.getResourceAsStream("half.txt")) {
      List<String> lines = new String(golden.readAllBytes(), UTF_8).lines().toList();
      assertThat(lines).hasSize(13);
      for (String line : lines) {
        String[] words = line.split(" ", -1);
        int lower = Integer.parseInt(words[0]);
        assertThat(crc(lower, HalfFloat::ofFloat)).as(line).isEqualTo(Long.parseLong(words[1]));
        assertThat(crc(lower, HalfFloat::toBfloat)).as(line).isEqualTo(Long.parseLong(words[2]));
      }
    }
  }

  private static long crc(int lower, Function<Float, Short> cast) {
    ByteBuffer bytes = ByteBuffer.allocate(2 << 16).order(ByteOrder.LITTLE_ENDIAN);
    for (int upper = 0; upper < 1 << 16; upper++) {
      float value = Float.intBitsToFloat(upper << 16 | lower);
      if (!Float.isNaN(value)) {
        bytes.putShort(cast.apply(value));
      }
    }
    CRC32 crc = new CRC32();
    crc.update(bytes.flip());
    return crc.getValue();
  }

  /** The results of PyTorch's scalar casts; its vector loops have others, by the processor. */
  @Test
  void shouldMakeQuietNansOfNans() {
    for (int bits : new int[] {0x7FC00000, 0x7F800001, 0x7FFFFFFF}) {
      float nan = Float.intBitsToFloat(bits);
      float negative = Float.intBitsToFloat(bits | Integer.MIN_VALUE);
      assertThat(HalfFloat.ofFloat(nan)).isEqualTo((short) 0x7E00);
      assertThat(HalfFloat.ofFloat(negative)).isEqualTo((short) 0xFE00);
      assertThat(HalfFloat.toBfloat(nan)).isEqualTo((short) 0x7FC0);
      assertThat(HalfFloat.toBfloat(negative)).isEqualTo((short) 0x7FC0);
    }
  }
}
