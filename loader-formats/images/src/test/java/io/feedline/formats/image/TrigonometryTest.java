package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.internal.Trigonometry;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Angles, against the GNU C library; glibc.py made the file. */
class TrigonometryTest {

  @Test
  void shouldGiveWhatGlibcGives() throws IOException {
    int others = 0;
    for (String[] words : Golden.lines("glibc.txt")) {
      double angle = Double.parseDouble(words[0]);
      double sine = Double.parseDouble(words[1]);
      assertThat(Trigonometry.sin(angle)).as("sin %s", angle).isEqualTo(sine);
      assertThat(Trigonometry.cos(angle))
          .as("cos %s", angle)
          .isEqualTo(Double.parseDouble(words[2]));
      assertThat(Trigonometry.tan(angle))
          .as("tan %s", angle)
          .isEqualTo(Double.parseDouble(words[3]));
      double ratio = Double.parseDouble(words[4]);
      assertThat(Trigonometry.atan(ratio))
          .as("atan %s", ratio)
          .isEqualTo(Double.parseDouble(words[5]));
      others += StrictMath.sin(angle) == sine ? 0 : 1;
    }
    // Or the class would be superfluous.
    assertThat(others).isPositive();
  }

  @Test
  void shouldTakeEveryNumber() {
    for (double number :
        new double[] {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, 1e300, -1e9, 4e-320}) {
      assertThat(Trigonometry.sin(number)).isEqualTo((Double) StrictMath.sin(number));
      assertThat(Trigonometry.cos(number)).isEqualTo((Double) StrictMath.cos(number));
      assertThat(Trigonometry.tan(number)).isEqualTo((Double) StrictMath.tan(number));
      assertThat(Trigonometry.atan(number)).isEqualTo((Double) StrictMath.atan(number));
    }
  }
}
