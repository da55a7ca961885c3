package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentilesTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "50, 50", "51, 51", "99, 99", "100, 100"})
  void shouldGiveTheRankOfAHundredValues(int percent, long expected) {
    long[] descending = LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray();
    assertThat(Percentiles.of(descending).at(percent)).hasValue(expected);
  }

  @ParameterizedTest
  @CsvSource({"1, 10", "33, 10", "34, 20", "50, 20", "66, 20", "67, 30", "99, 30", "100, 30"})
  void shouldGiveAMeasuredValueForAnyPercentage(int percent, long expected) {
    assertThat(Percentiles.of(30, 10, 20).at(percent)).hasValue(expected);
  }

  @Test
  void shouldGiveTheGreatestValue() {
    assertThat(Percentiles.of(3, 9, 1).max()).hasValue(9);
  }

  @Test
  void shouldBeEmptyWithoutValues() {
    assertThat(Percentiles.of().at(50)).isEmpty();
    assertThat(Percentiles.of().max()).isEmpty();
  }

  @Test
  void shouldLeaveTheCallersArrayAlone() {
    long[] values = {2, 1};
    assertThat(Percentiles.of(values).max()).hasValue(2);
    assertThat(values).containsExactly(2, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 101})
  void shouldRefuseOtherPercentages(int percent) {
    Percentiles percentiles = Percentiles.of(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> percentiles.at(percent))
        .withMessageContaining("was " + percent);
  }
}
