package io.feedline.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The pace of the last five seconds. */
class PaceTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void shouldForgetASlowStart() {
    Pace pace = new Pace(0, 0);
    pace.at(4 * SECOND, 1, 1);
    assertThat(pace.unitsPerSecond(4 * SECOND)).isEqualTo(0.25);
    for (int i = 1; i <= 600; i++) {
      pace.at(4 * SECOND + i * SECOND / 100, 1 + i, 1 + i);
    }
    assertThat(pace.unitsPerSecond(10 * SECOND)).isCloseTo(100, within(0.1));
    assertThat(pace.timeFor(800, 10 * SECOND))
        .isBetween(Duration.ofMillis(7990), Duration.ofMillis(8010));
  }

  @Test
  void shouldSlowDownWhileNothingIsDone() {
    Pace pace = new Pace(0, 0);
    for (int i = 1; i <= 500; i++) {
      pace.at(i * SECOND / 100, i, i);
    }
    assertThat(pace.unitsPerSecond(5 * SECOND)).isEqualTo(100);
    assertThat(pace.unitsPerSecond(10 * SECOND)).isEqualTo(50);
  }

  @Test
  void shouldCountFromTheEndOfAnEarlierRun() {
    Pace pace = new Pace(0, 100);
    assertThat(pace.timeFor(30, SECOND)).isNull();
    pace.at(5 * SECOND, 110, 10);
    assertThat(pace.timeFor(20, 5 * SECOND)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void shouldJudgeStepsOfMinutesByTheLast() {
    Pace pace = new Pace(0, 0);
    pace.at(100 * SECOND, 1, 8);
    pace.at(160 * SECOND, 2, 16);
    pace.at(190 * SECOND, 3, 24);
    assertThat(pace.timeFor(2, 190 * SECOND)).isEqualTo(Duration.ofSeconds(60));
  }
}
