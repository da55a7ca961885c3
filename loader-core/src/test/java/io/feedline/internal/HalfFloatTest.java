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
  void shouldKeepEveryHalf() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      short half = (short) bits;
      float value = HalfFloat.toFloat(half);
      if (!Float.isNaN(value)) {
        assertThat(HalfFloat.ofFloat(value)).as("%04x", bits).isEqualTo(half);
      }
    }
    assertThat(HalfFloat.toFloat((short) 0x3555)).isEqualTo(0.33325195f);
    assertThat(HalfFloat.toFloat((short) 1)).isEqualTo(0x1p-24f);
    assertThat(HalfFloat.toFloat((short) 0x7C01)).isNaN();
    assertThat(HalfFloat.toFloat(HalfFloat.ofFloat(Float.NaN))).isNaN();
  }

  /** Halfway between two neighbors the even one is taken, beside it the nearer one. */
  @Test
  void shouldRoundToTheNearestHalf() {
    for (int bits = 0; bits < 0x7C00 - 1; bits++) {
      float lower = HalfFloat.toFloat((short) bits);
      float upper = HalfFloat.toFloat((short) (bits + 1));
      float middle = lower + (upper - lower) / 2;
      assertThat(HalfFloat.ofFloat(middle)).isEqualTo((short) (bits % 2 == 0 ? bits : bits + 1));
      assertThat(HalfFloat.ofFloat(Math.nextDown(middle))).isEqualTo((short) bits);
      assertThat(HalfFloat.ofFloat(Math.nextUp(middle))).isEqualTo((short) (bits + 1));
    }
    assertThat(HalfFloat.ofFloat(65519)).isEqualTo((short) 0x7BFF);
    assertThat(HalfFloat.ofFloat(65520)).isEqualTo((short) 0x7C00);
    assertThat(HalfFloat.ofFloat(-1e30f)).isEqualTo((short) 0xFC00);
  }

  @Test
  void shouldRoundToTheNearestBfloat() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float value = HalfFloat.ofBfloat((short) bits);
      if (Float.isNaN(value)) {
        assertThat(HalfFloat.ofBfloat(HalfFloat.toBfloat(value))).isNaN();
        continue;
      }
      assertThat(HalfFloat.toBfloat(value)).isEqualTo((short) bits);
      if (Float.isFinite(value)) {
        float middle = Float.intBitsToFloat(bits << 16 | 0x8000);
        assertThat(HalfFloat.toBfloat(middle)).isEqualTo((short) (bits + bits % 2));
        assertThat(HalfFloat.toBfloat(Float.intBitsToFloat(bits << 16 | 0x7FFF)))
            .isEqualTo((short) bits);
        assertThat(HalfFloat.toBfloat(Float.intBitsToFloat(bits << 16 | 0x8001)))
            .isEqualTo((short) (bits + 1));
      }
    }
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
