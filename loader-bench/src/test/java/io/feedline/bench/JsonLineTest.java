package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLineTest {

  @Test
  void shouldKeepTheOrderOfTheKeys() {
    assertThat(new JsonLine().put("b", 1).put("a", 0.5).put("c", OptionalDouble.of(2)))
        .hasToString("{\"b\":1,\"a\":0.5,\"c\":2}");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.25, -0.25",
    "1234567.891, 1234567.89",
    "0.000012345678912, 0.0000123456789",
    "1e21, 1000000000000000000000",
    "1e-7, 0.0000001",
  })
  void shouldWriteNumbersPlainly(double value, String expected) {
    assertThat(new JsonLine().put("x", value)).hasToString("{\"x\":" + expected + "}");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void shouldWriteNullForWhatIsNoNumber(double value) {
    assertThat(new JsonLine().put("x", value)).hasToString("{\"x\":null}");
  }

  @Test
  void shouldWriteNullForWhatIsNotKnown() {
    assertThat(new JsonLine().put("x", OptionalDouble.empty())).hasToString("{\"x\":null}");
  }

  @Test
  void shouldWriteTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(new JsonLine().put("n", 1234567).put("x", 1234.5))
          .hasToString("{\"n\":1234567,\"x\":1234.5}");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void shouldEscapeWhatTextMayNotHold() {
    assertThat(new JsonLine().put("x", "a \"b\" c:\\d\n\u0001é").put("y", true))
        .hasToString("{\"x\":\"a \\\"b\\\" c:\\\\d\\u000a\\u0001é\",\"y\":true}");
  }

  @Test
  void shouldBeAnObjectWithoutKeys() {
    assertThat(new JsonLine()).hasToString("{}");
  }
}
