package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.DeviceStats;
import io.feedline.stats.Stalls;
import java.io.BufferedReader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reports of an epoch: its copies, the GPU's use, and the gain by free data. */
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
    assertThat(
            EpochReport.copies(
                stats(Transfer.STREAM, 1_000_000_000, 0, 1000),
                stats(Transfer.STREAM, 3_500_000_000L, 2_500_000_000L, 1100)))
        .isEqualTo("2.50 GB from pinned memory at 25.0 GB/s, copying stream idle 1.0 s");
    assertThat(
            EpochReport.copies(
                stats(Transfer.COPY, 0, 0, 0), stats(Transfer.COPY, 600_000_000, 0, 200)))
        .isEqualTo("0.60 GB from host memory at 3.0 GB/s while training waited");
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

  /** Whatever machine this is. */
  @Test
  void shouldWatchNothingOnTheCpuAndAGpuOrSayWhyNot() {
    List<String> said = new ArrayList<>();
    try (GpuUsage usage = GpuUsage.of(Device.cpu(), said::add)) {
      usage.begin();
      assertThat(usage.end()).isEmpty();
      assertThat(usage.watching()).isFalse();
    }
    assertThat(said).isEmpty();
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

  @Test
  void shouldSayWhatAFasterLoaderWouldGain() {
    assertThat(new Headspace("images", 412.3, 824.6, 0.47))
        .hasToString(
            " * headspace: 412.3 images/s with this loader; with free data the training would run"
                + " at 824.6 images/s, 2.00 times as fast: 50% of the time is spent on data. It"
                + " waits for batches, 47% of the time. What helps: more --workers if processors"
                + " are idle; a scan index (feedline index); packed files (feedline convert);"
                + " feedline plan tells what the storage must be able to deliver.");
    assertThat(new Headspace("samples", 75, 100, 0.01).toString())
        .contains("25% of the time is spent on data. It waits for batches only 1% of the time")
        .contains("fewer --workers")
        .doesNotContain("more --workers");
    assertThat(new Headspace("images", 97, 100, 0.03).toString())
        .endsWith("3% of the time is spent on data. No more could be gained by a faster loader.");
    assertThat(new Headspace("images", 100, 98, 0).toString())
        .contains("0.98 times as fast: 0% of the time is spent on data. No more could be gained");
  }

  @Test
  void shouldLeaveOutTheStepsOfWarmingUp() {
    assertThat(report(5).steadyPace().waitingShare()).isGreaterThan(1);
    // The pace of the two steps that followed, whatever the clock says.
    Pace steady = report(7).steadyPace();
    assertThat(Math.round(steady.perSecond() * steady.seconds())).isEqualTo(2 * 10);
  }

  /** Steps of ten samples. */
  private static EpochReport report(int steps) {
    try (NDManager manager = NDManager.newBaseManager(Device.cpu());
        DataLoader<Long> host = DataLoader.builder(Dataset.of(1, index -> index)).build();
        DeviceLoader loader = DeviceLoader.of(host, manager);
        GpuUsage gpu = GpuUsage.of(Device.cpu(), line -> {})) {
      EpochReport report = new EpochReport("images", loader, gpu);
      for (int step = 0; step < steps; step++) {
        report.add(1_000_000_000_000L, 10);
      }
      report.end();
      return report;
    }
  }
}
