package io.feedline.formats.cli.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes, rates and times on the command line. */
class UnitsTest {

  @ParameterizedTest
  @CsvSource({
    "800, 800",
    "800B, 800",
    "64K, 65536",
    "64kb, 65536",
    "64KiB, 65536",
    "1.5G, 1610612736",
    "110.25K, 112896",
    "2.5, 3",
    "8388607T, 9223370937343148032",
  })
  void shouldReadSizesInPowersOf1024(String text, long bytes) {
    assertThat(new ByteSize().convert(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "K", "-1", "64X", "1.", ".5K", "1e3", "0x10", "64 K", "١٢"})
  void shouldShowWhatIsNoSize(String text) {
    assertRefused(new ByteSize(), text, "'" + text + "' is not a size", "64K");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0.2", "8388608T", "999999999999999T"})
  void shouldShowASizeThatIsOutOfRange(String text) {
    assertRefused(new ByteSize(), text, "at least 1 byte", "'" + text + "'");
  }

  private static void assertRefused(ITypeConverter<?> converter, String text, String... words) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContainingAll(words);
  }

  @ParameterizedTest
  @CsvSource({
    "87ms, 87000000",
    "0.087s, 87000000",
    "87 MS, 87000000",
    "100us, 100000",
    "100µs, 100000",
    "5ns, 5",
    "2min, 120000000000",
    "1.5h, 5400000000000",
    "0.0000000015s, 2",
    "1000h, 3600000000000000",
  })
  void shouldReadTimes(String text, long nanos) {
    assertThat(new TimeSpan().convert(text)).isEqualTo(Duration.ofNanos(nanos));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "87", "ms", "-1ms", "1m", "1e3ms", "0,087s", "PT1S", "٨٧ms"})
  void shouldShowWhatIsNoTime(String text) {
    assertRefused(new TimeSpan(), text, "'" + text + "' is not a time", "87ms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "0.4ns", "1000.1h", "999999999999999h"})
  void shouldShowATimeThatIsOutOfRange(String text) {
    assertRefused(new TimeSpan(), text, "1000h", "'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "0.00000005, 50 ns",
    "0.0001, 100 us",
    "0.00126, 1.3 ms",
    "0.02998, 30 ms",
    "0.087, 87 ms",
    "0.9996, 1000 ms",
    "14.56, 14.6 s",
    "119, 119 s",
    "870, 14.5 min",
    "7200, 2 h",
    "172800, 2 days",
    "8640000, 100 days",
  })
  void shouldSayTimesInWords(double seconds, String words) {
    assertThat(TimeSpan.words(seconds)).isEqualTo(words);
  }
}
