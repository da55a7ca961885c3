package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.store.FormatException;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** Codes of 9 bits that no writer makes. */
class LzwInputTest {

  private static final int CLEAR = 256;

  private static byte[] read(int length, int... codes) throws FormatException {
    return readInParts(length, length, codes);
  }

  private static byte[] readInParts(int length, int part, int... codes) throws FormatException {
    BigInteger bits = BigInteger.ONE;
    for (int code : codes) {
      bits = bits.shiftLeft(9).or(BigInteger.valueOf(code));
    }
    // Behind a byte of one that keeps leading zeros.
    byte[] data = bits.shiftLeft(7 - (9 * codes.length + 7) % 8).toByteArray();
    byte[] result = new byte[length];
    LzwInput input = new LzwInput(data, 1, data.length, "strip 3");
    for (int at = 0; at < length; at += part) {
      input.read(result, at, Math.min(part, length - at));
    }
    return result;
  }

  @Test
  void shouldReadStringsAndTheOneThatIsJustBeingMade() throws Exception {
    assertThat(read(6, CLEAR, 'a', 258, 'b', 'c', 0)).asString().isEqualTo("aaabc\0");
  }

  @Test
  void shouldReadStringsThatDoNotEndWithARow() throws Exception {
    for (int part = 1; part <= 7; part++) {
      assertThat(readInParts(7, part, CLEAR, 'a', 'b', 258, 260))
          .as("rows of %d bytes", part)
          .asString()
          .isEqualTo("abababa");
    }
  }

  @Test
  void shouldRefuseACodeThatIsNotInTheTable() {
    for (int code : new int[] {259, 300, 511}) {
      assertThatThrownBy(() -> read(9, CLEAR, 'a', code, 'b', 'c', 'd'))
          .hasMessageContainingAll("strip 3", "code " + code, "the table of 258");
    }
  }

  @Test
  void shouldRefuseAStringBehindAnEmptyTable() {
    for (int code : new int[] {257, 258, 300}) {
      assertThatThrownBy(() -> read(9, CLEAR, CLEAR, code, 'b', 'c', 'd'))
          .hasMessageContainingAll("strip 3", "code " + code, "empty table");
    }
  }
}
