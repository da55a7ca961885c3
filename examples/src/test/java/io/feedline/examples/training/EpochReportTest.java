package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.DeviceStats;
import io.feedline.stats.Stalls;
import java.io.BufferedReader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The report of a GPU's run, in words. */
class EpochReportTest {

  private static DeviceStats stats(Transfer transfer, long bytes, long pinned, long millis) {
    return new DeviceStats(
        Map.of(
            "transfer",
            transfer.name(),
            "batches",
            bytes / 1000,
            "bytes",
            bytes,
            "pinned_bytes",
            pinned,
            "copying_seconds",
            millis / 1e3,
            "copy_idle_seconds",
            millis / 1e2,
            "waited_seconds",
            0),
        new Stalls(Map.of(), List.of()));
  }

  @Test
  void shouldTellOfTheCopiesOfOneEpochAlone() {
    DeviceStats before = stats(Transfer.STREAM, 1_000_000_000, 0, 1000);
    DeviceStats after = stats(Transfer.STREAM, 3_500_000_000L, 2_500_000_000L, 1100);

    assertThat(EpochReport.copies(before, after))
        .isEqualTo("2.50 GB from pinned memory at 25.0 GB/s, copying stream idle 1.0 s");
  }

  @Test
  void shouldTellOfCopiesThatTrainingWaitedFor() {
    DeviceStats before = stats(Transfer.COPY, 0, 0, 0);
    DeviceStats after = stats(Transfer.COPY, 600_000_000, 0, 200);

    assertThat(EpochReport.copies(before, after))
        .isEqualTo("0.60 GB from host memory at 3.0 GB/s while training waited");
  }

  @Test
  void shouldSayNothingOfCopiesWhereThereAreNone() {
    DeviceStats views = stats(Transfer.VIEW, 0, 0, 0);

    assertThat(EpochReport.copies(views, views)).isEmpty();
  }

  @Test
  void shouldTellHowBusyTheGpuWas() {
    List<String> said = new ArrayList<>();
    try (GpuUsage usage = new GpuUsage(said::add)) {
      usage.read(new BufferedReader(new StringReader("100, 1, 81920\n")));
      usage.begin();
      usage.read(new BufferedReader(new StringReader("98, 11768, 81920\n99, 11768, 81920\n")));
      assertThat(usage.end()).isEqualTo("GPU 98.5% busy, 12.3 of 85.9 GB in use");
      usage.begin();
      assertThat(usage.end()).isEqualTo("GPU not measured in so short a time");
      usage.read(new BufferedReader(new StringReader("[N/A], 1, 2\n")));
      assertThat(usage.end()).isEmpty();
    }
    assertThat(said).containsExactly("GPU utilisation is not shown: [N/A], 1, 2");
  }

  @Test
  void shouldWatchNothingOnTheCpu() {
    List<String> said = new ArrayList<>();
    try (GpuUsage usage = GpuUsage.of(Device.cpu(), said::add)) {
      usage.begin();
      assertThat(usage.end()).isEmpty();
      assertThat(usage.watching()).isFalse();
    }
    assertThat(said).isEmpty();
  }

  /** Whatever machine this is. */
  @Test
  void shouldWatchAGpuOrSayWhyNot() {
    List<String> said = new ArrayList<>();
    try (GpuUsage usage = GpuUsage.of(Device.gpu(), said::add)) {
      if (usage.watching()) {
        assertThat(usage.end()).startsWith("GPU ");
        assertThat(said).isEmpty();
      } else {
        assertThat(usage.end()).isEmpty();
        assertThat(said).hasSize(1).first().asString().startsWith("GPU utilisation is not shown: ");
      }
    }
  }
}
