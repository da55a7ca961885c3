package io.feedline.formats.cli.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
  private static final long KB = 1024;
  private static final double MB = 1024 * KB;
  private static final Duration STEP = Duration.ofMillis(87);

  /**
   * The worked examples of the articles on sizing storage for training. Their KB is 1024 bytes and
   * their MB 1024 KB, but their GB 1000 MB. They cut figures off instead of rounding them, and some
   * do not follow from the inputs beside them; both figures are given then.
   */
  @Nested
  class OfTheArticles {

    /** ResNet-50 on a V100, n = 128, t = 0.087 s: the article says 1457 images/s. */
    @Test
    void shouldComputeWhatResNet50Needs() {
      assertThat(plan(new Builder(64 * KB).steps(128, STEP)).examplesPerSecond())
          .as("128 / 0.087, which is not the article's 1457")
          .isEqualTo(1471.26, within(0.01));

      Duration unrounded = Duration.ofNanos(87_850_000);
      assertThat(plan(new Builder(64 * KB).steps(128, unrounded)).examplesPerSecond())
          .as("a step of 87.85 ms, which 0.087 s may be cut from, gives it")
          .isEqualTo(1457, within(0.5));
      assertThat(plan(new Builder(64 * KB).examplesPerSecondOfGpu(1457)).examplesPerSecond())
          .isEqualTo(1457);
    }

    /** ResNet-152 on a V100, n = 64: 730 images/s; t is not told beside it. */
    @Test
    void shouldComputeWhatResNet152Needs() {
      assertThat(plan(new Builder(64 * KB).steps(64, STEP)).examplesPerSecond())
          .as("64 / 0.087, with the t of ResNet-50, is not the article's 730")
          .isEqualTo(735.63, within(0.01));

      Duration unrounded = Duration.ofNanos(87_670_000);
      assertThat(plan(new Builder(64 * KB).steps(64, unrounded)).examplesPerSecond())
          .isEqualTo(730, within(0.1));
    }

    /** Four V100s, ResNet-50, 64 KB an image: 5885 reads/s and 367 MB/s. */
    @Test
    void shouldComputeWhatFourGpusRead() {
      Plan plan = plan(new Builder(64 * KB).steps(128, STEP).gpus(4));

      assertThat(Math.floor(plan.examplesPerSecond()))
          .as("4 * 128 / 0.087, and not four times the article's own 1457, which is 5828")
          .isEqualTo(5885);
      assertThat(Math.floor(plan.bytesPerSecond() / MB)).isEqualTo(367);

      double inPowersOf1000 = plan.examplesPerSecond() * 64_000 / 1e6;
      assertThat(Math.floor(inPowersOf1000)).as("so its KB is not 1000 bytes").isEqualTo(376);
    }

    /** Small files, n = 256, t = 0.2 s, 4 GPUs: 25 600 to 51 200 reads/s, 1.6 to 3.2 GB/s. */
    @ParameterizedTest
    @CsvSource({"5, 25600, 1.6, 1.5625", "10, 51200, 3.2, 3.125"})
    void shouldComputeWhatExperimentsOnSmallFilesRead(
        int experiments, double reads, double gigabytes, double gibibytes) {
      Plan plan =
          plan(
              new Builder(64 * KB)
                  .steps(256, Duration.ofMillis(200))
                  .gpus(4)
                  .experiments(experiments));

      assertThat(plan.examplesPerSecond()).isEqualTo(reads);
      assertThat(plan.bytesPerSecond() / MB / 1000).as("GB of 1000 MB").isEqualTo(gigabytes);
      assertThat(plan.bytesPerSecond() / MB / 1024).as("GB of 1024 MB").isEqualTo(gibibytes);
    }

    /**
     * Large files: 640 to 1280 reads/s and 0.6 to 1.28 GB/s. The quotient is 1 MB for each read; n
     * and t are not told, so they stand here as 32 examples a second of each of 4 GPUs in 5 to 10
     * experiments. 0.6 is 0.64 cut off.
     */
    @ParameterizedTest
    @CsvSource({"5, 640, 0.64, 0.625", "10, 1280, 1.28, 1.25"})
    void shouldComputeWhatExperimentsOnLargeFilesRead(
        int experiments, double reads, double gigabytes, double gibibytes) {
      Plan plan =
          plan(new Builder(1024 * KB).examplesPerSecondOfGpu(32).gpus(4).experiments(experiments));

      assertThat(plan.examplesPerSecond()).isEqualTo(reads);
      assertThat(plan.bytesPerSecond() / MB / 1000).as("GB of 1000 MB").isEqualTo(gigabytes);
      assertThat(plan.bytesPerSecond() / MB / 1024).as("GB of 1024 MB").isEqualTo(gibibytes);
    }

    /** 1500 images/s from an object store that answers in 30 ms: 45 reads in flight. */
    @Test
    void shouldComputeReadsInFlightByLittlesLaw() {
      Plan plan =
          plan(new Builder(64 * KB).examplesPerSecondOfGpu(1500), Storage.named("object-store"));

      assertThat(plan.storage().orElseThrow().readsInFlight()).isEqualTo(45, within(1e-9));
      assertThat(plan.workers().orElseThrow().needed()).isEqualTo(45);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "50, 1000, 1000000, 20, SUFFICES, LATENCY, 0.5",
    "700, 1000, 1000000, 4096, SUFFICES, READS, 0.7",
    "701, 1000, 1000000, 4096, TIGHT, READS, 0.701",
    "1000, 1000, 1000000, 4096, TIGHT, READS, 1",
    "1500, 1000, 1000000, 4096, TOO_SLOW, READS, 1.5",
    "1000, 2000, 1000000, 16, TOO_SLOW, LATENCY, 12.5",
    "1000, 2000, 300000, 4096, TOO_SLOW, BANDWIDTH, 3.3333",
  })
  void shouldNameTheNearestLimitAndItsFactor(
      double rate,
      double readsPerSecond,
      double bytesPerSecond,
      int workers,
      Plan.Verdict verdict,
      Plan.Kind limit,
      double load) {
    Plan.Check check =
        plan(
                new Builder(1000).examplesPerSecondOfGpu(rate).workers(workers),
                new Storage("box", 0.2, readsPerSecond, bytesPerSecond, "given"))
            .storage()
            .orElseThrow();

    assertThat(check.nearest().kind()).isEqualTo(limit);
    assertThat(check.nearest().load()).isEqualTo(load, within(1e-4));
    assertThat(check.verdict()).isEqualTo(verdict);
  }

  @Test
  void shouldCountTheWorkersOfAllGpusAsReadsInFlight() {
    Plan.Check check =
        plan(
                new Builder(1000).examplesPerSecondOfGpu(100).gpus(4).experiments(2).workers(3),
                new Storage("box", 0.06, 1e6, 1e9, "given"))
            .storage()
            .orElseThrow();

    Plan.Limit latency = check.limits().get(0);
    assertThat(latency.needed()).isEqualTo(8 * 100 * 0.06, within(1e-9));
    assertThat(latency.given()).isEqualTo(8 * 3);
  }

  @Test
  void shouldTurnReadsIntoBandwidthWhereExamplesArePacked() {
    Plan plan = plan(new Builder(64 * KB).steps(128, STEP).gpus(4), Storage.named("object-store"));
    Plan.Packed packed = plan.packed().orElseThrow();
    Plan.Check before = plan.storage().orElseThrow();
    Plan.Check after = packed.storage().orElseThrow();

    assertThat(before.verdict()).isEqualTo(Plan.Verdict.TOO_SLOW);
    assertThat(before.nearest().kind()).isEqualTo(Plan.Kind.READS);
    assertThat(packed.readsPerSecond())
        .as("8 MiB are 128 examples")
        .isEqualTo(plan.examplesPerSecond() / 128);
    assertThat(after.verdict()).isEqualTo(Plan.Verdict.SUFFICES);
    assertThat(after.nearest().kind()).isEqualTo(Plan.Kind.BANDWIDTH);
    assertThat(after.nearest().needed()).isEqualTo(plan.bytesPerSecond());
    double transfer = 8 * MB / after.storage().bytesPerSecond();
    assertThat(after.readsInFlight())
        .isEqualTo(packed.readsPerSecond() * (0.030 + transfer), within(1e-6));
  }

  @Test
  void shouldNotPackWhatIsLargeAlready() {
    assertThat(plan(new Builder(8192 * KB).examplesPerSecondOfGpu(9)).packed()).isEmpty();
    assertThat(plan(new Builder(8191 * KB).examplesPerSecondOfGpu(9)).packed()).isPresent();
  }

  @Test
  void shouldTellHowLongAnEpochOfOneExperimentTakes() {
    Builder imagenet =
        new Builder(100_000).examplesPerSecondOfGpu(1000).gpus(2).examples(1_200_000);

    assertThat(plan(imagenet).epochSeconds()).isEqualTo(OptionalDouble.of(600));
    assertThat(plan(imagenet.experiments(3)).epochSeconds()).isEqualTo(OptionalDouble.of(600));
    assertThat(plan(new Builder(1).examplesPerSecondOfGpu(1)).epochSeconds()).isEmpty();
  }

  @Test
  void shouldSayHowFarTheSlowestPartLets() {
    Storage half = new Storage("half", 0.001, 1000, 1e12, "given");
    Builder training = new Builder(1000).examplesPerSecondOfGpu(1000).gpus(2);

    assertThat(plan(training).busy()).isEqualTo(1);
    assertThat(plan(training, half).examplesPerSecond() * plan(training, half).busy())
        .isEqualTo(1000);
    assertThat(plan(training, half).busy()).isEqualTo(0.5);

    Plan fewWorkers = plan(training.cpuPerExample(Duration.ofMillis(19)).workers(5), half);
    assertThat(fewWorkers.workersLoad()).isEqualTo(4, within(1e-9));
    assertThat(fewWorkers.examplesPerSecond() * fewWorkers.busy()).isEqualTo(500, within(1e-9));
  }

  /** A worker waits for its read, and then decodes. */
  @Test
  void shouldNeedWorkersForWaitingAndForDecoding() {
    Builder training = new Builder(1000).examplesPerSecondOfGpu(1000).gpus(2);
    assertThat(plan(training).workers()).isEmpty();

    Storage store = Storage.named("object-store");
    Plan.Workers waiting = plan(training, store).workers().orElseThrow();
    assertThat(waiting.needed()).isEqualTo(30);
    assertThat(waiting.processors()).isEmpty();

    training.cpuPerExample(Duration.ofNanos(2_500_000));
    Plan.Workers decoding = plan(training).workers().orElseThrow();
    assertThat(decoding.needed()).as("2.5, rounded up").isEqualTo(3);
    assertThat(decoding.processors().orElseThrow()).isEqualTo(5, within(1e-9));

    Plan.Workers both = plan(training, store).workers().orElseThrow();
    assertThat(both.needed()).as("32.5, rounded up").isEqualTo(33);
    assertThat(both.processors().orElseThrow()).isEqualTo(5, within(1e-9));
  }

  /** The memory of an actual loader with these options. */
  @ParameterizedTest
  @CsvSource({"128, 4", "128, 64", "128, 65", "8, 16", "1, 3"})
  void shouldPrefetchAsALoaderDoes(int batchSize, int workers) {
    Plan.Prefetch prefetch =
        plan(new Builder(1000).steps(batchSize, STEP).gpus(3).rowBytes(5000).workers(workers))
            .prefetch()
            .orElseThrow();

    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(1, index -> index))
            .batchSize(batchSize)
            .numWorkers(workers)
            .build()) {
      assertThat(prefetch.batches()).isEqualTo(loader.options().prefetch());
      int slots = loader.options().prefetch() + loader.options().maxOpenBatches();
      assertThat(prefetch.bytesOfLoader()).isEqualTo(5000.0 * slots * batchSize);
    }
    assertThat(prefetch.hiddenSeconds()).isEqualTo(prefetch.batches() * 0.087, within(1e-9));
  }

  @Test
  void shouldTakeNoMoreWorkersThanALoaderDoes() {
    assertThatThrownBy(
            () ->
                DataLoader.builder(Dataset.of(1, index -> index))
                    .numWorkers(Plan.MOST_WORKERS + 1)
                    .build())
        .hasMessageContaining("" + Plan.MOST_WORKERS);

    Storage far = new Storage("far", 10, 1e9, 1e12, "given");
    Plan.Check check =
        plan(new Builder(1000).examplesPerSecondOfGpu(1000), far).storage().orElseThrow();
    assertThat(check.nearest())
        .isEqualTo(new Plan.Limit(Plan.Kind.LATENCY, 10_000, Plan.MOST_WORKERS));
    assertThat(check.verdict()).isEqualTo(Plan.Verdict.TOO_SLOW);
  }

  @Test
  void shouldNotKnowTheMemoryOfBatchesOfUnknownSize() {
    assertThat(plan(new Builder(1000).examplesPerSecondOfGpu(10)).prefetch()).isEmpty();
    Plan.Prefetch asStored =
        plan(new Builder(1000).examplesPerSecondOfGpu(10).batchSize(4)).prefetch().orElseThrow();
    assertThat(asStored.bytesOfLoader()).isEqualTo((2 + 2) * 4 * 1000);
    assertThat(asStored.hiddenSeconds()).isEqualTo(2 * 4 / 10.0);
  }

  /** One read after the other is not more than the storage gives at once. */
  @Test
  void shouldHaveFiguresThatAgree() {
    assertThat(Storage.TYPICAL)
        .allSatisfy(
            storage -> {
              assertThat(storage.readsPerSecond() * storage.latencySeconds())
                  .isGreaterThanOrEqualTo(1);
              assertThat(
                      storage.readingPiecesOf(Plan.PACKED_READ).readsPerSecond() * Plan.PACKED_READ)
                  .as("packed, bandwidth is the limit")
                  .isGreaterThan(storage.bytesPerSecond());
              assertThat(storage.source()).isNotBlank();
            });
  }

  private static Plan plan(Builder workload) {
    return Plan.of(workload.build(), Optional.empty());
  }

  private static Plan plan(Builder workload, Storage storage) {
    return Plan.of(workload.build(), Optional.of(storage));
  }

  /** A workload that is being described; what is not set is 1, or not known. */
  private static final class Builder {
    private final long exampleBytes;
    private OptionalInt batchSize = OptionalInt.empty();
    private double rate;
    private int gpus = 1;
    private int experiments = 1;
    private OptionalLong rowBytes = OptionalLong.empty();
    private OptionalLong examples = OptionalLong.empty();
    private OptionalDouble cpuSeconds = OptionalDouble.empty();
    private OptionalInt workers = OptionalInt.empty();

    Builder(long exampleBytes) {
      this.exampleBytes = exampleBytes;
    }

    Builder steps(int size, Duration step) {
      return batchSize(size).examplesPerSecondOfGpu(size / (step.toNanos() / 1e9));
    }

    Builder batchSize(int size) {
      batchSize = OptionalInt.of(size);
      return this;
    }

    Builder examplesPerSecondOfGpu(double perSecond) {
      rate = perSecond;
      return this;
    }

    Builder gpus(int count) {
      gpus = count;
      return this;
    }

    Builder experiments(int count) {
      experiments = count;
      return this;
    }

    Builder rowBytes(long bytes) {
      rowBytes = OptionalLong.of(bytes);
      return this;
    }

    Builder examples(long count) {
      examples = OptionalLong.of(count);
      return this;
    }

    Builder cpuPerExample(Duration time) {
      cpuSeconds = OptionalDouble.of(time.toNanos() / 1e9);
      return this;
    }

    Builder workers(int count) {
      workers = OptionalInt.of(count);
      return this;
    }

    Workload build() {
      return new Workload(
          batchSize,
          rate,
          gpus,
          experiments,
          exampleBytes,
          rowBytes,
          examples,
          cpuSeconds,
          workers);
    }
  }
}
