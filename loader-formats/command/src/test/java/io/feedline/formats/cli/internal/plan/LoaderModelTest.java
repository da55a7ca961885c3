package io.feedline.formats.cli.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.cli.internal.doctor.DoctorFixture;
import io.feedline.formats.cli.internal.plan.MachineFigures.Speedup;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoaderModelTest {

  @ParameterizedTest
  @CsvSource({"1, 0.02, 0.002", "2, 0.02, 0.002", "4, 0.001, 0.003", "8, 0.0001, 0.005"})
  void shouldHaveEachWorkerWaitAndThenComputeWhereThereIsAProcessorForEach(
      int workers, double wait, double cpu) {
    LoaderModel model = model(8, wait, cpu);

    double expected = workers / (wait + cpu);
    assertThat(model.predict(workers)).isCloseTo(expected, within(1e-9 * expected));
    assertThat(model.workersLimit(workers)).isCloseTo(expected, within(1e-9 * expected));
  }

  @Test
  void shouldStayBelowEachLimitAndComeNearThem() {
    LoaderModel model = model(4, 0.02, 0.002);

    double before = 0;
    for (int workers = 1; workers <= 200; workers++) {
      double predicted = model.predict(workers);
      assertThat(predicted)
          .isGreaterThanOrEqualTo(before * (1 - 1e-9))
          .isLessThanOrEqualTo(model.workersLimit(workers) * (1 + 1e-9))
          .isLessThanOrEqualTo(model.cpuLimit() * (1 + 1e-9));
      before = predicted;
    }
    assertThat(model.cpuLimit()).isEqualTo(2000);
    assertThat(model.predict(200)).isCloseTo(2000, within(1.0));
    assertThat(model.predict(44)).as("where both limits meet").isBetween(1600.0, 1900.0);
  }

  @Test
  void shouldPredictForAsManyWorkersAsALoaderTakes() {
    assertThat(model(2, 10, 0.0001).predict(Plan.MOST_WORKERS)).isCloseTo(409.6, within(0.1));
    assertThat(model(2, 1e-7, 0.1).predict(Plan.MOST_WORKERS)).isCloseTo(20, within(1e-6));
    assertThat(model(2, 0, 0.1).predict(Plan.MOST_WORKERS)).isEqualTo(20);
  }

  @Test
  void shouldNotPredictMoreThanTheStorageGives() {
    assertThat(model(4, 0.01, 0.001).withReadsPerSecond(150).predict(16)).isEqualTo(150);
  }

  @Test
  void shouldComputeWithWhatThreadsWereFoundToBeWorth() {
    MachineFigures busy =
        new MachineFigures(
            4,
            List.of(new Speedup(1, 0.8), new Speedup(4, 2.0)),
            true,
            1e9,
            OptionalDouble.empty());

    assertThat(busy.speedup(1)).isEqualTo(0.8);
    assertThat(busy.speedup(2)).isCloseTo(1.2, within(1e-9));
    assertThat(busy.speedup(100)).isEqualTo(2.0);
    LoaderModel model = new LoaderModel(0, 0.001, 0, busy, Double.POSITIVE_INFINITY);
    assertThat(model.predict(1)).isCloseTo(800, within(1e-6));
    assertThat(model.predict(16)).isCloseTo(2000, within(1e-6));
    LoaderModel waiting = new LoaderModel(0.004, 0.001, 0, busy, Double.POSITIVE_INFINITY);
    assertThat(waiting.predict(1))
        .as("a worker that mostly waits gets its part of a processor at once")
        .isCloseTo(1 / (0.004 + 0.001), within(1e-6));
    assertThat(waiting.workersLimit(2)).isCloseTo(2 / (0.004 + 0.001 * 2 / 1.5), within(1e-6));
  }

  @Test
  void shouldComputeWithWhatWorkersThemselvesGotWhereThatIsKnown() {
    MachineFigures busy =
        new MachineFigures(
            4,
            List.of(new Speedup(1, 0.8), new Speedup(4, 2.0)),
            true,
            1e9,
            OptionalDouble.empty());

    MachineFigures found = busy.with(new Speedup(1, 0.4));
    assertThat(found.speedup(1)).isEqualTo(0.4);
    assertThat(found.speedup(4)).as("in the same proportion").isEqualTo(1.0);
    LoaderModel waiting = new LoaderModel(0.004, 0.001, 0, found, Double.POSITIVE_INFINITY);
    assertThat(waiting.predict(1)).isCloseTo(1 / (0.004 + 0.001 / 0.4), within(1e-6));
  }

  /** Two were measured while the processors were faster than when one was. */
  @Test
  void shouldNotTakeThreadsForMoreThanAsManyTimesOne() {
    MachineFigures machine =
        new MachineFigures(
            2,
            List.of(new Speedup(1, 0.9), new Speedup(2, 2.31)),
            true,
            1e9,
            OptionalDouble.empty());

    assertThat(machine.speedup(2)).isCloseTo(1.8, within(1e-9));
  }

  /**
   * One worker decodes for 2 ms, while another thread reads for 1 ms, where there is a processor.
   */
  @Test
  void shouldHaveOtherThreadsReadAhead() {
    assertThat(model(2, 0.02, 0.003).readingAhead(0.001).predict(1)).isCloseTo(500, within(1e-6));
    assertThat(model(2, 0.02, 0.003).readingAhead(0.001).predict(2))
        .as("2 processors for 3 ms of each image")
        .isCloseTo(2 / 0.003, within(1e-6));
    assertThat(model(1, 0.02, 0.003).readingAhead(0.001).predict(4))
        .isCloseTo(1 / 0.003, within(1e-6));
  }

  private static LoaderModel model(int processors, double wait, double cpu) {
    return new LoaderModel(
        wait, cpu, 0, DoctorFixture.machine(processors), Double.POSITIVE_INFINITY);
  }
}
