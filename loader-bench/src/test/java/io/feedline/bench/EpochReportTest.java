package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EpochReportTest {

  @Test
  void shouldStateRatesAndWaits() {
    Percentiles waits = Percentiles.of(4_000_000, 1_500_000, 2_000_000);
    EpochReport report =
        new EpochReport(
            0,
            1000,
            2_000_000_000L,
            4_000_000_000L,
            OptionalLong.of(812_000_000),
            7_250_000,
            waits,
            OptionalDouble.of(300.5));
    assertThat(report.toJson())
        .isEqualTo(
            "{\"epoch\":0,\"images\":1000,\"seconds\":2,\"cpu_seconds\":4,"
                + "\"images_per_second\":500,\"images_per_cpu_second\":250,"
                + "\"jvm_to_first_batch_ms\":812,"
                + "\"first_batch_ms\":7.25,\"p50_ms\":2,\"p99_ms\":4,\"max_ms\":4,"
                + "\"peak_rss_mb\":300.5}");
  }

  @Test
  void shouldSayNullWhereThereIsNoFigure() {
    EpochReport report =
        new EpochReport(
            1, 0, 1_000_000, 0, OptionalLong.empty(), 0, Percentiles.of(), OptionalDouble.empty());
    assertThat(report.toJson())
        .isEqualTo(
            "{\"epoch\":1,\"images\":0,\"seconds\":0.001,\"cpu_seconds\":0,"
                + "\"images_per_second\":0,\"images_per_cpu_second\":null,"
                + "\"jvm_to_first_batch_ms\":null,\"first_batch_ms\":0,\"p50_ms\":null,\"p99_ms\":null,\"max_ms\":null,"
                + "\"peak_rss_mb\":null}");
  }
}
