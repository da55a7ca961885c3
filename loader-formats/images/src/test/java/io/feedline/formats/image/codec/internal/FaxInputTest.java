package io.feedline.formats.image.codec.internal;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.internal.FaxInput.Kind;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

/** Fax whose bits are written down here; whole images are compared with Pillow. */
class FaxInputTest {

  private static byte[] read(Kind kind, int width, int rows, String bits) throws FormatException {
    String whole = bits.replace(" ", "");
    whole += "0".repeat((8 - whole.length() % 8) % 8);
    byte[] data = new BigInteger("1" + whole, 2).toByteArray();
    int start = data.length - whole.length() / 8;
    byte[] pixels = new byte[rows * ((width + 7) / 8)];
    new FaxInput(data, start, data.length, width, kind, "strip 2").read(pixels, 0, pixels.length);
    return pixels;
  }

  @Test
  void shouldReadRowsOfRunsAndOfDifferences() throws FormatException {
    // 3 white, 2 black, 3 white; then as above; then all white.
    byte[] expected = {0b00011000, 0b00011000, 0};

    assertThat(read(Kind.RUNS, 8, 3, "1000 11 1000 000000  1000 11 1000 000000  10011"))
        .isEqualTo(expected);
    assertThat(read(Kind.GROUP_4, 8, 3, "001 1000 11 1   1 1 1   0001 1")).isEqualTo(expected);
    String line = "000000000001";
    assertThat(
            read(
                Kind.GROUP_3_OF_DIFFERENCES,
                8,
                3,
                line + "1 1000 11 1000" + line + "0 1 1 1 0000" + line + "1 10011"))
        .isEqualTo(expected);
  }

  @Test
  void shouldRefuseWhatLibrariesGuess() {
    assertDamaged(Kind.RUNS, "00000000 00000000", "no code begins with its bit");
    assertDamaged(Kind.RUNS, "10011 000000000000000", "no code begins with its bit");
    assertDamaged(Kind.RUNS, "10011 000 10100", "a row has more than 8 pixels");
    assertDamaged(Kind.GROUP_3, "10011", "a row does not begin with the end of a line");
    assertDamaged(Kind.GROUP_4, "1 0000001111", "no code begins with its bit");
    assertDamaged(Kind.GROUP_4, "001 1000 11 1 010 0000010 0000010", "a run ends before it begins");
    assertDamaged(Kind.GROUP_4, "011", "a row has more than 8 pixels");
    assertDamaged(Kind.GROUP_4, "1", "no code begins with its bit");
  }

  private static void assertDamaged(Kind kind, String bits, String why) {
    refused(FormatException.class, () -> read(kind, 8, 2, bits), "strip 2 is damaged: ", why);
  }
}
