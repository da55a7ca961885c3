package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.bench.StepFigures.Round;
import io.feedline.bench.Utilization.Stretch;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class StepFiguresTest {

  /** Steps of 12, 20 and 11 ms beside 10, 10 and 10: ratios 1.2, 2 and 1.1. */
  private static final StepFigures FIGURES =
      new StepFigures(
          8,
          List.of(
              new Round(turn(12, 16), turn(10, 4)),
              new Round(turn(20, 16), turn(10, 4)),
              new Round(turn(11, 16), turn(10, 4))),
          Percentiles.of(1_000, 3_000, 2_000),
          Percentiles.of(500),
          Utilization.of(
              new Stretch(OptionalDouble.of(98.5), 31, true),
              new Stretch(OptionalDouble.of(99), 30.5, true)),
          6.9);

  /** Five steps. */
  private static StepFigures.Turn turn(long millis, long cpuMillis) {
    return new StepFigures.Turn(5, 5_000_000 * millis, 5_000_000 * cpuMillis);
  }

  @Test
  void shouldTakeTheMedianOfTheRoundsRatios() {
    assertThat(FIGURES.loadedMillis()).isEqualTo(new Spread(12, 11, 20));
    assertThat(FIGURES.syntheticMillis()).isEqualTo(new Spread(10, 10, 10));
    assertThat(FIGURES.ratio()).isEqualTo(new Spread(1.2, 1.1, 2));
  }

  @Test
  void shouldAddItsFiguresToALine() {
    assertThat(FIGURES.addTo(new JsonLine()))
        .hasToString(
            "{\"rounds\":3,\"step_ms\":12,\"step_ms_min\":11,\"step_ms_max\":20,"
                + "\"synthetic_step_ms\":10,\"synthetic_step_ms_min\":10,\"synthetic_step_ms_max\":10,"
                + "\"ratio\":1.2,\"ratio_min\":1.1,\"ratio_max\":2,"
                + "\"images_per_second\":666.666667,\"synthetic_images_per_second\":800,"
                + "\"images_per_cpu_second\":500,\"synthetic_images_per_cpu_second\":2000,"
                + "\"next_p50_us\":2,\"next_p99_us\":3,\"ready_p50_us\":0.5,\"ready_p99_us\":0.5,"
                + "\"gpu_busy_percent\":98.5,\"synthetic_gpu_busy_percent\":99,"
                + "\"busy_seconds\":30.5,\"busy_source\":\"samples\",\"busy_unknown\":null,"
                + "\"loss\":6.9}");
  }

  @Test
  void shouldBeATableInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      List<String> lines = FIGURES.toTable().lines().toList();
      assertThat(lines).hasSize(3);
      for (String line : lines) {
        assertThat(line.chars().filter(c -> c == '|')).as(line).hasSize(7);
      }
      assertThat(lines.get(2))
          .isEqualTo(
              "| 12.00 (11.00 - 20.00) | 10.00 (10.00 - 10.00) | **1.200 (1.100 - 2.000)** | 666.7 | 800.0 | 0.5, 0.5 |");
    } finally {
      Locale.setDefault(before);
    }
  }
}
