package io.feedline.internal;

import static org.assertj.core.api.Assertions.assertThat;

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
}
