package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.bench.CopyFigures.Round;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class CopyFiguresTest {
  private static final CopyFigures.Turn NO_CALLS = new CopyFigures.Turn(1, 1, Percentiles.of());

  /** 40, 10 and 24 GB/s beside 50, 20 and 40: ratios 0.8, 0.5 and 0.6. */
  private static final CopyFigures PINNED =
      new CopyFigures(
          CopyKind.PINNED,
          6_000_000,
          List.of(
              new Round(turn(40, 1_000, 2_000, 9_000), turn(50)),
              new Round(turn(10, 3_000), turn(20)),
              new Round(turn(24, 4_500), turn(40))));

  private static CopyFigures.Turn turn(int gigabytesPerSecond, long... calls) {
    return new CopyFigures.Turn(gigabytesPerSecond * 1_000_000L, 1_000_000, Percentiles.of(calls));
  }

  @Test
  void shouldCountBytesPerNanosecondAsGigabytesPerSecond() {
    assertThat(new CopyFigures.Turn(77_070_336, 1.5e6, Percentiles.of()).gigabytesPerSecond())
        .isEqualTo(77.070336 / 1.5);
    assertThat(NO_CALLS.gigabytesPerSecond()).isEqualTo(1);
  }

  @Test
  void shouldTakeTheMedianOfTheRoundsRatios() {
    assertThat(PINNED.gigabytesPerSecond()).isEqualTo(new Spread(24, 10, 40));
    assertThat(PINNED.ratio()).isEqualTo(new Spread(0.6, 0.5, 0.8));
    assertThat(PINNED.millisPerBatch()).isEqualTo(0.25);
    assertThat(PINNED.microsHeldUp()).isEqualTo(3);
  }

  @Test
  void shouldBeARowUnderItsHeaderInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(PINNED.toRow())
          .isEqualTo(
              "| pinned | 6.0 | 24.0 (10.0 - 40.0) | **0.600 (0.500 - 0.800)** | 0.250 | 3.0 |");
    } finally {
      Locale.setDefault(before);
    }
    List<String> header = CopyFigures.HEADER.lines().toList();
    assertThat(header).hasSize(2);
    assertThat(header.get(0).chars().filter(c -> c == '|')).hasSize(7);
    assertThat(PINNED.toRow().chars().filter(c -> c == '|')).hasSize(7);
  }

  @Test
  void shouldAddItsFiguresToALine() {
    assertThat(PINNED.addTo(new JsonLine().put("gpu", "g")))
        .hasToString(
            "{\"gpu\":\"g\",\"kind\":\"pinned\",\"bytes\":6000000,\"rounds\":3,"
                + "\"gb_per_second\":24,\"gb_per_second_min\":10,\"gb_per_second_max\":40,"
                + "\"ratio\":0.6,\"ratio_min\":0.5,\"ratio_max\":0.8,"
                + "\"batch_ms\":0.25,\"held_up_us\":3}");
  }

  @Test
  void shouldBeItsOwnCeiling() {
    CopyFigures.Turn turn = turn(50);
    CopyFigures ceiling = new CopyFigures(CopyKind.CEILING, 1_000, List.of(new Round(turn, turn)));
    assertThat(ceiling.ratio()).isEqualTo(new Spread(1, 1, 1));
    assertThat(ceiling.microsHeldUp()).isNaN();
    assertThat(ceiling.addTo(new JsonLine()).toString()).contains("\"held_up_us\":null");
    assertThat(ceiling.toRow())
        .startsWith("| ceiling | 0.0 | 50.0 (50.0 - 50.0) | 1 |")
        .endsWith("|  |");
  }
}
