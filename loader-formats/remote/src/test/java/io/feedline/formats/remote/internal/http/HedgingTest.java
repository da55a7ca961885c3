package io.feedline.formats.remote.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a request is worth sending twice. */
class HedgingTest {

  @Test
  void shouldWaitLongerThanNinetyNineOfAHundred() {
    Hedging hedging = new Hedging(1, 0.05);
    assertThat(hedging.patienceNanos()).as("at first").isEqualTo(2_000_000_000L);
    for (int i = 1; i <= 64; i++) {
      hedging.answered(1000L * i);
    }
    assertThat(hedging.patienceNanos()).as("of few").isEqualTo(64_000);
    for (int i = 513; i <= 1024; i++) {
      hedging.answered(1000L * i);
    }

    assertThat(hedging.patienceNanos()).as("the 507th of the last 512").isEqualTo(1_019_000);
  }

  @Test
  void shouldNotBeImpatientWhereAnswersAreQuick() {
    Hedging hedging = new Hedging(5_000_000, 0.05);
    for (int i = 0; i < 64; i++) {
      hedging.answered(1000);
    }

    assertThat(hedging.patienceNanos()).isEqualTo(5_000_000);
  }

  @Test
  void shouldAddNoMoreThanItsPart() {
    Hedging hedging = new Hedging(1, 0.05);
    int hedges = 0;
    for (int i = 0; i < 10_000; i++) {
      hedging.sent();
      hedges += hedging.take() ? 1 : 0;
    }

    assertThat(hedges).isBetween(490, 500);
    for (int i = 0; i < 10_000; i++) {
      hedging.sent();
    }
    hedges = 0;
    while (hedging.take()) {
      hedges++;
    }
    assertThat(hedges).as("saved up").isEqualTo(16);
    assertThat(new Hedging(1, 0).take()).isFalse();
  }
}
