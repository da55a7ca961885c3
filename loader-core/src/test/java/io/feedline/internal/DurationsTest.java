package io.feedline.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT0.000000001S, 1 ns",
    "PT0.00000085S, 850 ns",
    "PT0.0000123S, 12.3 us",
    "PT0.0009996S, 1 ms",
    "PT0.03S, 30 ms",
    "PT0.12345S, 123 ms",
    "PT0.99949S, 999 ms",
    "PT0.99951S, 1 s",
    "PT1.34S, 1.3 s",
    "PT59.94S, 59.9 s",
    "PT59.96S, 1 min",
    "PT60.4S, 1 min",
    "PT1M59.6S, 2 min",
    "PT2M5S, 2 min 5 s",
    "PT59M59.6S, 1 h",
    "PT3H12M29S, 3 h 12 min",
    "PT23H59M31S, 1 d",
    "PT51H, 2 d 3 h",
    "PT-2M-5S, -2 min 5 s",
    "PT-0.5S, -500 ms",
  })
  void shouldWriteDurationsAsPeopleDo(Duration duration, String words) {
    assertThat(Durations.words(duration)).isEqualTo(words);
  }

  @Test
  void shouldHaveWordsForAnyDurationInAnyLocale() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(Durations.words(Duration.ofMillis(1500))).isEqualTo("1.5 s");
    } finally {
      Locale.setDefault(before);
    }
    assertThat(Durations.words(Duration.ofNanos(Long.MAX_VALUE))).isEqualTo("106752 d");
    assertThat(Durations.words(Duration.ofSeconds(Long.MAX_VALUE))).endsWith(" h");
    assertThat(Durations.words(Duration.ofSeconds(Long.MIN_VALUE))).startsWith("-");
  }
}
