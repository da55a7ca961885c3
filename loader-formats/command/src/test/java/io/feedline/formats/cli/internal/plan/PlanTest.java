package io.feedline.formats.cli.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
  private static final long KB = 1024;
  private static final double MB = 1024 * KB;
  private static final Storage OBJECT_STORE = new Storage.Converter().convert("object-store");

  /**
   * The worked examples of the articles on sizing storage for training. Their KB is 1024 bytes and
   * their MB 1024 KB, but their GB 1000 MB. They cut figures off instead of rounding them, and some
   * do not follow from the inputs beside them; both figures are given then.
   *
   * <p>On a V100, 87 ms a step: ResNet-50, n = 128: 1457 images/s; ResNet-152, n = 64: 730, where t
   * is not told. Steps of 87.85 and 87.67 ms, which 87 may be cut from, give these. Four V100s with
   * ResNet-50: 5885 reads/s and 367 MB/s. Small files, n = 256, t = 0.2 s: 25 600 to 51 200
   * reads/s, 1.6 to 3.2 GB/s. Large files: 640 to 1280 reads/s and 0.6 to 1.28 GB/s; the quotient
   * is 1 MB for each read, and n and t are not told, so they are 32 examples a second. 0.6 is 0.64
   * cut off.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 128, 0.087, 64, 1471.26, 0.09195",
    "1, 128, 0.08785, 64, 1457.03, 0.09106",
    "1, 64, 0.087, 64, 735.63, 0.04598",
    "1, 64, 0.08767, 64, 730.01, 0.04563",
    "4, 128, 0.087, 64, 5885.06, 0.36782",
    "20, 256, 0.2, 64, 25600, 1.6",
    "40, 256, 0.2, 64, 51200, 3.2",
    "20, 32, 1, 1024, 640, 0.64",
    "40, 32, 1, 1024, 1280, 1.28"
  })
  void shouldComputeWhatGpusRead(
      int gpus, int batchSize, double step, long kb, double reads, double gigabytes) {
    Plan plan = plan(loaders(gpus, work(batchSize, step, kb * KB)), null);

    assertThat(plan.examplesPerSecond()).isEqualTo(reads, within(0.01));
    assertThat(plan.bytesPerSecond() / MB / 1000).isEqualTo(gigabytes, within(1e-5));
  }

  /** 1500 images/s from an object store that answers in 30 ms: 45 reads in flight. */
  @Test
  void shouldComputeReadsInFlightByLittlesLaw() {
    Plan plan = plan(work(1500, 1, 64 * KB), OBJECT_STORE);

    assertThat(plan.storage().limits().get(0).needed()).isEqualTo(45, within(1e-9));
    assertThat(plan.workers().needed()).isEqualTo(45);
  }

  @ParameterizedTest
  @CsvSource({
    "50, 1000, 1000000, 20, SUFFICES, READS_IN_FLIGHT, 0.5",
    "700, 1000, 1000000, 4096, SUFFICES, READS_PER_SECOND, 0.7",
    "701, 1000, 1000000, 4096, TIGHT, READS_PER_SECOND, 0.701",
    "1000, 1000, 1000000, 4096, TIGHT, READS_PER_SECOND, 1",
    "1500, 1000, 1000000, 4096, TOO_SLOW, READS_PER_SECOND, 1.5",
    "1000, 2000, 1000000, 16, TOO_SLOW, READS_IN_FLIGHT, 12.5",
    "1000, 2000, 300000, 4096, TOO_SLOW, BANDWIDTH, 3.3333",
  })
  void shouldNameTheNearestLimitAndItsFactor(
      int rate,
      double readsPerSecond,
      double bytesPerSecond,
      int workers,
      Plan.Verdict verdict,
      Plan.Kind limit,
      double load) {
    Plan.Demand demand =
        plan(
                work(rate, 1, 1000, null, workers),
                new Storage("box", 0.2, readsPerSecond, bytesPerSecond, "given"))
            .storage();

    assertThat(demand.nearest().kind()).isEqualTo(limit);
    assertThat(demand.nearest().load()).isEqualTo(load, within(1e-4));
    assertThat(demand.verdict()).isEqualTo(verdict);
  }

  @Test
  void shouldNotPackWhatIsLargeAlready() {
    assertThat(plan(work(9, 1, 8192 * KB), OBJECT_STORE).packed()).isNull();
    assertThat(plan(work(9, 1, 8191 * KB), OBJECT_STORE).packed()).isNotNull();
  }

  @Test
  void shouldLetTheSlowestPartDecideHowBusyGpusAre() {
    Storage half = new Storage("half", 0.001, 1000, 1e12, "given");

    assertThat(plan(loaders(2, work(1000, 1, 1000)), null).busy()).isEqualTo(1);
    assertThat(plan(loaders(2, work(1000, 1, 1000)), half).busy()).isEqualTo(0.5);

    Plan fewWorkers = plan(loaders(2, work(1000, 1, 1000, 0.019, 5)), half);
    assertThat(fewWorkers.workers().load()).isEqualTo(4, within(1e-9));
    assertThat(fewWorkers.busy()).isEqualTo(0.25, within(1e-9));
  }

  /** A worker waits for its read, and then decodes. */
  @Test
  void shouldNeedWorkersForWaitingAndForDecoding() {
    Plan.Workload training = loaders(2, work(1000, 1, 1000));
    assertThat(plan(training, null).workers()).isNull();

    Plan.Workers waiting = plan(training, OBJECT_STORE).workers();
    assertThat(waiting.needed()).isEqualTo(30);
    assertThat(waiting.processors()).isNull();

    Plan.Workload decoded = loaders(2, work(1000, 1, 1000, 0.0025, null));
    Plan.Workers decoding = plan(decoded, null).workers();
    assertThat(decoding.needed()).as("2.5, rounded up").isEqualTo(3);
    assertThat(decoding.processors()).isEqualTo(5, within(1e-9));

    Plan.Workers both = plan(decoded, OBJECT_STORE).workers();
    assertThat(both.needed()).as("32.5, rounded up").isEqualTo(33);
    assertThat(both.processors()).isEqualTo(5, within(1e-9));
  }

  /** The memory of an actual loader with these options. */
  @ParameterizedTest
  @CsvSource({"128, 4", "128, 64", "128, 65", "8, 16", "1, 3"})
  void shouldPrefetchAsALoaderDoes(int batchSize, int workers) {
    Plan plan = plan(new Plan.Workload(batchSize, 0.087, 3, 1000, 5000L, null, workers), null);

    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(1, index -> index))
            .batchSize(batchSize)
            .numWorkers(workers)
            .build()) {
      assertThat(plan.prefetch()).isEqualTo(loader.options().prefetch());
      int slots = loader.options().prefetch() + loader.options().maxOpenBatches();
      assertThat(plan.prefetchBytes()).isEqualTo(5000.0 * slots * batchSize);
    }
    assertThat(plan(work(4, 1, 1000), null).prefetchBytes())
        .as("as stored")
        .isEqualTo((2 + 2) * 4 * 1000);
  }

  @Test
  void shouldTakeNoMoreWorkersThanALoaderDoes() {
    assertThatThrownBy(
            () ->
                DataLoader.builder(Dataset.of(1, index -> index))
                    .numWorkers(Plan.MOST_WORKERS + 1)
                    .build())
        .hasMessageContaining("" + Plan.MOST_WORKERS);

    assertThat(
            plan(work(1000, 1, 1000), new Storage("far", 10, 1e9, 1e12, "given"))
                .storage()
                .nearest())
        .isEqualTo(new Plan.Limit(Plan.Kind.READS_IN_FLIGHT, 10_000, Plan.MOST_WORKERS));
  }

  /** One read after the other is not more than the storage gives at once. */
  @Test
  void shouldHaveFiguresThatAgree() {
    assertThat(Storage.TYPICAL)
        .allSatisfy(
            storage -> {
              assertThat(storage.readsPerSecond() * storage.latencySeconds())
                  .isGreaterThanOrEqualTo(1);
              assertThat(storage.readsPerSecond() * Plan.PACKED_READ)
                  .as("packed, bandwidth is the limit")
                  .isGreaterThan(storage.bytesPerSecond());
            });
  }

  private static Plan plan(Plan.Workload work, @Nullable Storage storage) {
    return Plan.of(work, storage);
  }

  private static Plan.Workload work(int batchSize, double step, long bytes) {
    return work(batchSize, step, bytes, null, null);
  }

  private static Plan.Workload work(
      int batchSize, double step, long bytes, @Nullable Double cpu, @Nullable Integer workers) {
    return new Plan.Workload(batchSize, step, 1, bytes, null, cpu, workers);
  }

  private static Plan.Workload loaders(int gpus, Plan.Workload of) {
    return new Plan.Workload(
        of.batchSize(),
        of.stepSeconds(),
        gpus,
        of.exampleBytes(),
        of.tensorBytes(),
        of.cpuSeconds(),
        of.workers());
  }
}
