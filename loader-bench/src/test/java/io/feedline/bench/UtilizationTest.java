package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.bench.StepTurns.Step;
import io.feedline.bench.Utilization.Stretch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class UtilizationTest {

  /** The calls, in order. */
  private final List<String> calls = new ArrayList<>();

  private long nanos;

  /** A GPU that says how often it has been asked. */
  private final GpuWatch gpu =
      new GpuWatch() {
        private int asked;

        @Override
        public Optional<String> silence() {
          return Optional.empty();
        }

        @Override
        public void poll() {
          calls.add("poll");
        }

        @Override
        public OptionalDouble utilization() {
          calls.add("ask");
          return OptionalDouble.of(++asked);
        }

        @Override
        public boolean bySamples() {
          return asked > 1;
        }

        @Override
        public void close() {}
      };

  private Step lasting(Duration duration) {
    return last -> {
      nanos += duration.toNanos();
      calls.add(last ? "last" : "step");
    };
  }

  @Test
  void shouldWatchNothingButTheStretchItself() {
    Stretch stretch =
        Stretch.of(lasting(Duration.ofMillis(40)), 2, gpu, Duration.ofMillis(100), () -> nanos);
    assertThat(calls).containsExactly("step", "last", "ask", "step", "step", "step", "last", "ask");
    assertThat(stretch).isEqualTo(new Stretch(OptionalDouble.of(2), 0.16, true));
  }

  @Test
  void shouldPollNowAndThen() {
    Stretch.of(lasting(Duration.ofMillis(100)), 0, gpu, Duration.ofSeconds(30), () -> nanos);
    assertThat(calls.subList(1, 12))
        .containsExactly(
            "step", "step", "step", "poll", "step", "step", "step", "poll", "step", "step", "step");
    assertThat(calls).filteredOn("poll"::equals).hasSize(99);
  }

  @Test
  void shouldSayHowItIsKnown() {
    Stretch sampled = new Stretch(OptionalDouble.of(95), 30, true);
    Stretch polled = new Stretch(OptionalDouble.of(99), 31.5, false);
    assertThat(Utilization.of(sampled, sampled).source()).hasValue("samples");
    assertThat(Utilization.of(sampled, polled).source()).hasValue("polls");
    assertThat(Utilization.of(polled, sampled).seconds()).hasValue(30);
  }

  @Test
  void shouldBeInWordsInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      Stretch stretch = new Stretch(OptionalDouble.of(95.25), 30.5, true);
      Stretch silent = new Stretch(OptionalDouble.empty(), 30.5, true);
      assertThat(Utilization.of(stretch, stretch))
          .hasToString(
              "GPU busy: 95.3% with the loader, 95.3% with one tensor, in 30.5 s or more each, by"
                  + " samples of the driver");
      assertThat(Utilization.of(stretch, silent))
          .hasToString("GPU busy: not known: the driver measured nothing in 30.5 s");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void shouldSayWhyItIsNotKnown() {
    assertThat(Utilization.unknown("no NVML").addTo(new JsonLine()))
        .hasToString(
            "{\"gpu_busy_percent\":null,\"synthetic_gpu_busy_percent\":null,\"busy_seconds\":null,"
                + "\"busy_source\":null,\"busy_unknown\":\"no NVML\"}");
  }
}
