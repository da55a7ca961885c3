package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.feedline.bench.StepTurns.Step;
import io.feedline.bench.Utilization.Stretch;
import io.feedline.formats.internal.VectorApi;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values that benchmarks print, in a locale with other digits. */
class FiguresTest {

  private static final Locale LOCALE = Locale.getDefault();

  @BeforeAll
  static void useOtherDigits() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
  }

  @AfterAll
  static void restoreLocale() {
    Locale.setDefault(LOCALE);
  }

  // ---- lines --------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.25, -0.25",
    "1234567.891, 1234567.89",
    "0.000012345678912, 0.0000123456789",
    "1e21, 1000000000000000000000",
    "1e-7, 0.0000001",
    "NaN, null",
    "Infinity, null",
    "-Infinity, null",
  })
  void shouldWriteNumbersPlainly(double value, String expected) {
    assertThat(new JsonLine().put("x", value)).hasToString("{\"x\":" + expected + "}");
  }

  @Test
  void shouldWriteJsonInTheOrderOfTheKeys() {
    assertThat(new JsonLine()).hasToString("{}");
    assertThat(
            new JsonLine()
                .put("b", 1234567)
                .put("a", OptionalDouble.of(2))
                .put("none", OptionalDouble.empty())
                .put("x", "a \"b\" c:\\d\n\u0001é")
                .put("y", true))
        .hasToString(
            "{\"b\":1234567,\"a\":2,\"none\":null,\"x\":\"a \\\"b\\\" c:\\\\d\\u000a\\u0001é\",\"y\":true}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "12", "12 ", "12 x", "1.5 2", "0 1", "-1 1", "1 0", "1 NaN", "1 2 3", "error"})
  void shouldReadATimingAndRefuseAnythingElse(String line) throws IOException {
    assertThat(Timing.parse("3944 2.500000000")).isEqualTo(new Timing(3944, 2.5));
    assertThat(new Timing(3944, 2.5).perCpuSecond()).isEqualTo(1577.6);
    assertThatIOException()
        .isThrownBy(() -> Timing.parse(line))
        .withMessage("expected a count and seconds, got: " + line);
  }

  // ---- quantiles and sequences --------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"1, 10", "33, 10", "34, 20", "50, 20", "66, 20", "67, 30", "99, 30", "100, 30"})
  void shouldGiveAMeasuredValueForAnyPercentage(int percent, long expected) {
    assertThat(Percentiles.of(30, 10, 20).at(percent)).hasValue(expected);
    long[] descending = LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray();
    assertThat(Percentiles.of(descending).at(percent)).hasValue(percent);
    assertThat(Percentiles.of(descending).max()).hasValue(100);
    assertThat(descending).startsWith(100, 99);
    assertThat(Percentiles.of().at(percent)).isEmpty();
    assertThat(Percentiles.of().max()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 101})
  void shouldRefuseOtherPercentages(int percent) {
    Percentiles percentiles = Percentiles.of(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> percentiles.at(percent))
        .withMessageContaining("was " + percent);
  }

  /** The numbers are those of {@code hashed(sequence, (3,), 2)} in {@code peers/train_step.py}. */
  @Test
  void shouldHashTheNumbersOfThePeer() {
    assertThat(HashedNumbers.of(0, 3, 2)).containsExactly(-2.0f, -1.020332f, 1.6800917f);
    assertThat(HashedNumbers.of(61, 3, 2)).containsExactly(-1.5329832f, -0.8550304f, 0.19960313f);
    int[] tenths = new int[10];
    for (float number : HashedNumbers.of(3, 100_000, 0.5)) {
      assertThat(number).isBetween(-0.5f, 0.5f);
      tenths[(int) Math.min(9, 10 * (number + 0.5))]++;
    }
    for (int count : tenths) {
      assertThat(count).isBetween(9_500, 10_500);
    }
  }

  // ---- the machine and the process ----------------------------------------------------------

  @Test
  void shouldNameTheProcessorAndTheJdk() throws IOException {
    assertThat(Machine.model(List.of("processor : 0", "model name\t: Fast: 9", "model name\t: B")))
        .isEqualTo("Fast: 9");
    assertThat(Machine.model(List.of("processor : 0"))).isEqualTo(System.getProperty("os.arch"));
    Machine machine = Machine.here();
    assertThat(machine.jdk()).contains(System.getProperty("java.vendor"), Runtime.version() + "");
    assertThat(machine.kernels()).isEqualTo(VectorApi.inUse() ? "vector" : "plain");
    assertThat(machine.processors()).isPositive();
    assertThat(machine.toString()).contains(machine.jdk(), machine.processor());
  }

  @Test
  void shouldFindAValueOfTheStatusFile() {
    List<String> lines =
        List.of("Name:\tjava", "VmHWMx:\t 7 kB", "VmHWM:\t  123456 kB", "VmRSS:\t 99 kB");
    assertThat(ProcessMeter.kibibytes("VmHWM", lines)).hasValue(123456);
    assertThat(ProcessMeter.kibibytes("Name", lines)).isEmpty();
    assertThat(ProcessMeter.kibibytes("VmPeak", lines)).isEmpty();
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux tells the peak of a process's memory")
  void shouldKnowTheMemoryOfThisProcess() {
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    assertThat(ProcessMeter.peakRssMebibytes().orElseThrow()).isGreaterThan((double) (heap >> 20));
  }

  @Test
  void shouldCountTheWorkOfThisProcess() {
    long before = ProcessMeter.cpuNanos();
    long sum = 0;
    // Ends by work done, however long that takes: the clock of CPU time steps by 10 ms.
    do {
      sum += System.identityHashCode(new Object());
    } while (ProcessMeter.cpuNanos() - before < 20_000_000);
    assertThat(sum).isNotZero();
  }

  // ---- reports ------------------------------------------------------------------------------

  @Test
  void shouldReportRatesAndWaitsOfAnEpochAndNullWithoutAFigure() {
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
    EpochReport empty =
        new EpochReport(
            1, 0, 1_000_000, 0, OptionalLong.empty(), 0, Percentiles.of(), OptionalDouble.empty());
    assertThat(empty.toJson())
        .isEqualTo(
            "{\"epoch\":1,\"images\":0,\"seconds\":0.001,\"cpu_seconds\":0,"
                + "\"images_per_second\":0,\"images_per_cpu_second\":null,"
                + "\"jvm_to_first_batch_ms\":null,\"first_batch_ms\":0,\"p50_ms\":null,\"p99_ms\":null,\"max_ms\":null,"
                + "\"peak_rss_mb\":null}");
  }

  private static Stretch stretch(double percent, double seconds, boolean bySamples) {
    return new Stretch(OptionalDouble.of(percent), seconds, bySamples);
  }

  private static StepFigures.Round steps(int loadedMillis) {
    return new StepFigures.Round(
        new StepFigures.Turn(5, 5_000_000L * loadedMillis, 5_000_000 * 16),
        new StepFigures.Turn(5, 5_000_000 * 10, 5_000_000 * 4));
  }

  /** Steps of 12, 20 and 11 ms beside 10, 10 and 10: ratios 1.2, 2 and 1.1. */
  @Test
  void shouldReportTheMediansOfTheRoundsOfSteps() {
    StepFigures figures =
        new StepFigures(
            8,
            List.of(steps(12), steps(20), steps(11)),
            Percentiles.of(1_000, 3_000, 2_000),
            Percentiles.of(500),
            Utilization.of(stretch(98.5, 31, true), stretch(99, 30.5, true)),
            6.9);
    assertThat(figures.addTo(new JsonLine()))
        .hasToString(
            "{\"rounds\":3,\"step_ms\":12,\"step_ms_min\":11,\"step_ms_max\":20,"
                + "\"synthetic_step_ms\":10,\"synthetic_step_ms_min\":10,\"synthetic_step_ms_max\":10,"
                + "\"ratio\":1.2,\"ratio_min\":1.1,\"ratio_max\":2,"
                + "\"images_per_second\":666.666667,\"synthetic_images_per_second\":800,"
                + "\"images_per_cpu_second\":500,\"synthetic_images_per_cpu_second\":2000,"
                + "\"next_p50_us\":2,\"next_p99_us\":3,\"ready_p50_us\":0.5,\"ready_p99_us\":0.5,"
                + "\"gpu_busy_percent\":98.5,\"synthetic_gpu_busy_percent\":99,"
                + "\"busy_seconds\":30.5,\"busy_source\":\"samples\",\"busy_unknown\":null,"
                + "\"loss\":6.9}");
    List<String> lines = figures.toTable().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines).allMatch(line -> line.chars().filter(c -> c == '|').count() == 7);
    assertThat(lines.get(2))
        .isEqualTo(
            "| 12.00 (11.00 - 20.00) | 10.00 (10.00 - 10.00) | **1.200 (1.100 - 2.000)** | 666.7 | 800.0 | 0.5, 0.5 |");
  }

  private static CopyFigures.Turn copies(int gigabytesPerSecond, long... calls) {
    return new CopyFigures.Turn(gigabytesPerSecond * 1_000_000L, 1_000_000, Percentiles.of(calls));
  }

  /** 40, 10 and 24 GB/s beside 50, 20 and 40: ratios 0.8, 0.5 and 0.6. */
  @Test
  void shouldReportTheMediansOfTheRoundsOfCopies() {
    CopyFigures pinned =
        new CopyFigures(
            CopyKind.PINNED,
            6_000_000,
            List.of(
                new CopyFigures.Round(copies(40, 1_000, 2_000, 9_000), copies(50)),
                new CopyFigures.Round(copies(10, 3_000), copies(20)),
                new CopyFigures.Round(copies(24, 4_500), copies(40))));
    assertThat(pinned.toRow())
        .isEqualTo(
            "| pinned | 6.0 | 24.0 (10.0 - 40.0) | **0.600 (0.500 - 0.800)** | 0.250 | 3.0 |");
    List<String> header = CopyFigures.HEADER.lines().toList();
    assertThat(header).hasSize(2);
    assertThat(header.get(0).chars().filter(c -> c == '|')).hasSize(7);
    assertThat(pinned.addTo(new JsonLine().put("gpu", "g")))
        .hasToString(
            "{\"gpu\":\"g\",\"kind\":\"pinned\",\"bytes\":6000000,\"rounds\":3,"
                + "\"gb_per_second\":24,\"gb_per_second_min\":10,\"gb_per_second_max\":40,"
                + "\"ratio\":0.6,\"ratio_min\":0.5,\"ratio_max\":0.8,"
                + "\"batch_ms\":0.25,\"held_up_us\":3}");
    CopyFigures.Turn turn = copies(50);
    CopyFigures ceiling =
        new CopyFigures(CopyKind.CEILING, 1_000, List.of(new CopyFigures.Round(turn, turn)));
    assertThat(ceiling.ratio()).isEqualTo(new Spread(1, 1, 1));
    assertThat(ceiling.addTo(new JsonLine()).toString()).contains("\"held_up_us\":null");
    assertThat(ceiling.toRow())
        .startsWith("| ceiling | 0.0 | 50.0 (50.0 - 50.0) | 1 |")
        .endsWith("|  |");
  }

  // ---- the utilization of a GPU -------------------------------------------------------------

  private final List<String> calls = new ArrayList<>();

  private long nanos;

  /** A GPU that reports the number of requests, and since the second one samples. */
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
    assertThat(stretch).isEqualTo(stretch(2, 0.16, true));
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
  void shouldSayHowTheUtilizationIsKnown() {
    Stretch sampled = stretch(95.25, 30.5, true);
    Stretch polled = stretch(99, 31.5, false);
    assertThat(Utilization.of(sampled, sampled).source()).hasValue("samples");
    assertThat(Utilization.of(sampled, polled).source()).hasValue("polls");
    assertThat(Utilization.of(polled, sampled).seconds()).hasValue(30.5);
    assertThat(Utilization.of(sampled, sampled))
        .hasToString(
            "GPU busy: 95.3% with the loader, 95.3% with one tensor, in 30.5 s or more each, by"
                + " samples of the driver");
    assertThat(Utilization.of(sampled, new Stretch(OptionalDouble.empty(), 30.5, true)))
        .hasToString("GPU busy: not known: the driver measured nothing in 30.5 s");
    assertThat(Utilization.unknown("no NVML").addTo(new JsonLine()))
        .hasToString(
            "{\"gpu_busy_percent\":null,\"synthetic_gpu_busy_percent\":null,\"busy_seconds\":null,"
                + "\"busy_source\":null,\"busy_unknown\":\"no NVML\"}");
  }
}
