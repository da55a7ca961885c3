package io.feedline.formats.store.internal.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PythonFloatTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "-1.5, -1.5",
    "+.5, 0.5",
    "3., 3",
    "1e-3, 0.001",
    "-0, -0.0",
    "' 2\n', 2",
    "nan, NaN",
    "-NaN, NaN",
    "inf, Infinity",
    "-Infinity, -Infinity",
    "1e400, Infinity"
  })
  void shouldReadWhatPythonReads(String text, Double number) {
    assertThat(PythonFloat.parse(text)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "1f", "2d", "0x10", "0x1p3", "\0.0", "1\0", "1e", "1 2", "--1", "n", "١"})
  void shouldRefuseWhatPythonRefuses(String text) {
    assertThatThrownBy(() -> PythonFloat.parse(text)).isInstanceOf(NumberFormatException.class);
  }
}
