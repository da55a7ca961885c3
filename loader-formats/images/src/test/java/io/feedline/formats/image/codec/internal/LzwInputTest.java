package io.feedline.formats.image.codec.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Codes of 9 bits that no writer makes. */
class LzwInputTest {

  private static final int CLEAR = 256;

  private static byte[] read(int length, int... codes) throws FormatException {
    byte[] result = new byte[length];
    input(codes).read(result, 0, length);
    return result;
  }

  private static LzwInput input(int... codes) {
    BigInteger bits = BigInteger.ONE;
    for (int code : codes) {
      bits = bits.shiftLeft(9).or(BigInteger.valueOf(code));
    }
    // Behind a byte of one that keeps leading zeros.
    byte[] data = bits.shiftLeft(7 - (9 * codes.length + 7) % 8).toByteArray();
    return new LzwInput(data, 1, data.length, "strip 3");
  }

  @Test
  void shouldReadStringsAndTheOneThatIsJustBeingMade() throws Exception {
    assertThat(read(6, CLEAR, 'a', 258, 'b', 'c', 0)).asString().isEqualTo("aaabc\0");
  }

  @Test
  void shouldReadStringsThatDoNotEndWithARow() throws Exception {
    for (int part = 1; part <= 7; part++) {
      byte[] result = new byte[7];
      LzwInput input = input(CLEAR, 'a', 'b', 258, 260);
      for (int at = 0; at < 7; at += part) {
        input.read(result, at, Math.min(part, 7 - at));
      }
      assertThat(result).as("rows of %d bytes", part).asString().isEqualTo("abababa");
    }
  }

  /** A writer that does not count the last string ends with 9 bits where readers expect 10. */
  @Test
  void shouldEndWhereTheLastStringHasMadeTheCodesLonger() throws Exception {
    int[] codes = new int[257];
    Arrays.fill(codes, 0, 255, 'a');
    codes[0] = CLEAR;
    codes[255] = 257; // the end; a code of 0 follows as padding
    LzwInput input = input(codes);
    byte[] read = new byte[254];

    input.read(read, 0, read.length);
    input.finish(1);

    assertThat(read).containsOnly('a');
  }

  @ParameterizedTest
  @CsvSource({
    "97, 259, the table of 258",
    "97, 300, the table of 258",
    "97, 511, the table of 258",
    "256, 257, empty table",
    "256, 258, empty table",
    "256, 300, empty table"
  })
  void shouldRefuseACodeThatIsNotInTheTable(int before, int code, String message) {
    assertThatThrownBy(() -> read(9, CLEAR, before, code, 'b', 'c', 'd'))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("strip 3", "code " + code, message);
  }
}
