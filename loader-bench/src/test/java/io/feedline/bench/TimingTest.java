package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {

  @Test
  void shouldReadACountAndSeconds() throws IOException {
    Timing timing = Timing.parse("3944 2.500000000");
    assertThat(timing).isEqualTo(new Timing(3944, 2.5));
    assertThat(timing.perCpuSecond()).isEqualTo(1577.6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "12",
        "12 ",
        "12 x",
        "1.5 2",
        "0 1",
        "-1 1",
        "1 0",
        "1 NaN",
        "1 2 3",
        "error not understood: run fast 1"
      })
  void shouldRefuseAnythingElseByShowingIt(String line) {
    assertThatIOException()
        .isThrownBy(() -> Timing.parse(line))
        .withMessage("expected a count and seconds, got: " + line);
  }
}
