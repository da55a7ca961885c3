package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.gpu.DeviceLoader;
import org.junit.jupiter.api.Test;

/** The report on a training with data that cost nothing. */
class HeadspaceTest {

  @Test
  void shouldSayWhatToDoWhereTheTrainingWaits() {
    assertThat(new Headspace("images", 412.3, 824.6, 0.47))
        .hasToString(
            " * headspace: 412.3 images/s with this loader; with free data the training would run"
                + " at 824.6 images/s, 2.00 times as fast: 50% of the time is spent on data. It"
                + " waits for batches, 47% of the time. What helps: more --workers if processors"
                + " are idle; a scan index (feedline index); packed files (feedline convert);"
                + " feedline plan tells what the storage must be able to deliver.");
  }

  @Test
  void shouldSayWhatToDoWhereWorkersTakeTheProcessors() {
    assertThat(new Headspace("samples", 75, 100, 0.01).toString())
        .contains("25% of the time is spent on data. It waits for batches only 1% of the time")
        .contains("fewer --workers")
        .doesNotContain("more --workers");
  }

  @Test
  void shouldSayThatNothingCanBeGained() {
    assertThat(new Headspace("images", 97, 100, 0.03).toString())
        .endsWith("3% of the time is spent on data. No more could be gained by a faster loader.");
    assertThat(new Headspace("images", 100, 98, 0).toString())
        .endsWith(
            "0.98 times as fast: 0% of the time is spent on data. No more could be gained by a"
                + " faster loader.");
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
