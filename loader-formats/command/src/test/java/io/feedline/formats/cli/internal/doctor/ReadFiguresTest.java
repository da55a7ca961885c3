package io.feedline.formats.cli.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.cli.internal.doctor.ReadFigures.Caching;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Cost;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Flight;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadFiguresTest {

  private static final double US = 1e-6;

  @ParameterizedTest
  @CsvSource({
    "5, 45, 1, 40, CACHED",
    "0, 60, 0, 30, CACHED",
    "200, 60, 1, 40, SECOND_READS",
    "20000, 60, 20000, 60, NOT_CACHED",
    "20000, 60, 100, 60, SECOND_READS",
  })
  void shouldTellFromSecondReadsWhereFirstOnesCameFrom(
      double firstWait, double firstCpu, double againWait, double againCpu, Caching expected) {
    ReadFigures reads =
        new ReadFigures(
            100,
            1000,
            new Cost(firstWait * US, firstCpu * US),
            new Cost(againWait * US, againCpu * US),
            List.of(new Flight(1, 1000, 0, 0)));

    assertThat(reads.caching()).isEqualTo(expected);
  }

  /** A collection stopped the thread in one of the laps, for longer than all the reads took. */
  @Test
  void shouldNotTakeAStopOfTheThreadForAWait() {
    Cost usual = new Cost(2 * US, 50 * US);

    Cost cost = Cost.typicalOf(List.of(usual, usual, new Cost(900 * US, 60 * US), usual));

    assertThat(cost.waitSeconds()).isEqualTo(2 * US);
    assertThat(cost.cpuSeconds()).isCloseTo(52.5 * US, within(1e-12));
    Cost far = new Cost(20_000 * US, 50 * US);
    assertThat(Cost.typicalOf(List.of(far, far, usual)).waitSeconds()).isEqualTo(20_000 * US);
    assertThat(Cost.typicalOf(List.of(far, usual)).waitSeconds()).isEqualTo(2 * US);
  }

  /** 30 ms away: alone it takes 575 us of a processor, among 64 others 80. */
  @Test
  void shouldTakeForWaitingWhatAProcessorThatWasIdleTakesLonger() {
    Cost alone = new Cost(30_000 * US, 575 * US);
    ReadFigures far =
        new ReadFigures(
            100,
            1000,
            alone,
            alone,
            List.of(new Flight(1, 33, 560 * US, 30_000 * US), new Flight(64, 2100, 80 * US, 0.03)));

    Cost busy = far.onBusyProcessors(alone);

    assertThat(busy.cpuSeconds()).isEqualTo(80 * US);
    assertThat(busy.latencySeconds()).isCloseTo(alone.latencySeconds(), within(1e-12));
    Cost near = new Cost(0, 575 * US);
    assertThat(far.onBusyProcessors(near)).isEqualTo(near);
  }

  @Test
  void shouldFindNoLimitWhereEachThreadAddsItsReads() {
    assertThat(reads(new Flight(1, 50, 0, 0.02), new Flight(4, 190, 0, 0.021)).mostReadsPerSecond())
        .isEmpty();
  }

  @Test
  void shouldFindTheLimitOfAStorageThatThreadsWaitFor() {
    assertThat(
            reads(
                    new Flight(1, 50, 0, 0.02),
                    new Flight(2, 80, 0, 0.025),
                    new Flight(4, 78, 0, 0.05))
                .mostReadsPerSecond())
        .hasValue(80);
  }

  @Test
  void shouldNotTakeTheProcessorsForTheStorage() {
    Flight single = new Flight(1, 20_000, 50 * US, 0);
    Flight four = new Flight(4, 40_000, 50 * US, 5 * US);

    assertThat(reads(single, four).mostReadsPerSecond()).isEmpty();
  }

  private static ReadFigures reads(Flight... flights) {
    Cost cost = new Cost(0, 0);
    return new ReadFigures(100, 1000, cost, cost, List.of(flights));
  }
}
