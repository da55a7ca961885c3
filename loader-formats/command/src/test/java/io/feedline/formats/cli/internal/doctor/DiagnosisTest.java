package io.feedline.formats.cli.internal.doctor;

import static io.feedline.formats.cli.internal.doctor.DoctorFixture.decoding;
import static io.feedline.formats.cli.internal.doctor.DoctorFixture.figures;
import static io.feedline.formats.cli.internal.doctor.DoctorFixture.need;
import static io.feedline.formats.cli.internal.doctor.DoctorFixture.reads;
import static io.feedline.formats.cli.internal.doctor.DoctorFixture.saturated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.cli.internal.doctor.Diagnosis.Bottleneck;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Change;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Figures;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Kind;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Cost;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Flight;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DiagnosisTest {

  private static final double MS = 0.001;

  @Test
  void shouldNameTheProcessorsWhereMoreWorkersWouldTakeTurns() {
    Figures figures = figures(2, reads(0), decoding(3 * MS, 2 * MS));

    Diagnosis diagnosis = Diagnosis.of(figures, need(2000, 2), Epoch.LATER);

    assertThat(diagnosis.bottleneck()).isEqualTo(Bottleneck.CPU);
    assertThat(diagnosis.predicted()).isCloseTo(1000, within(1e-6));
    assertThat(busy(diagnosis)).isCloseTo(0.5, within(1e-6));
    assertThat(diagnosis.processorsNeeded()).isCloseTo(4, within(1e-6));
    assertThat(diagnosis.recommended()).isEqualTo(2);
  }

  @Test
  void shouldNameTheWorkersWhereProcessorsAreIdle() {
    Figures figures = figures(4, reads(0), decoding(3 * MS, 2 * MS));

    Diagnosis diagnosis = Diagnosis.of(figures, need(1900, 1), Epoch.LATER);

    assertThat(diagnosis.bottleneck()).isEqualTo(Bottleneck.WORKERS);
    assertThat(diagnosis.predicted()).isCloseTo(500, within(1e-6));
    assertThat(diagnosis.recommended()).isEqualTo(4);
    assertThat(gains(diagnosis).get(Kind.WORKERS)).isCloseTo(4, within(1e-6));
  }

  @Test
  void shouldNameTheLatencyWhereWorkersWaitMostOfTheirTime() {
    Figures figures = figures(2, reads(20 * MS), decoding(3 * MS, 2 * MS));

    Diagnosis diagnosis = Diagnosis.of(figures, need(500, 2), Epoch.LATER);

    assertThat(diagnosis.bottleneck()).isEqualTo(Bottleneck.READ_LATENCY);
    assertThat(diagnosis.predicted()).isCloseTo(2 / 0.022, within(1e-6));
    assertThat(diagnosis.recommended()).isBetween(16, 30);
    assertThat(diagnosis.changes().get(0).kind()).isEqualTo(Kind.CACHE);
    assertThat(gains(diagnosis))
        .hasEntrySatisfying(
            Kind.PACKING, gain -> assertThat(gain).isCloseTo(22 / (2 + 20.0 / 128), within(0.01)))
        .hasEntrySatisfying(Kind.CACHE, gain -> assertThat(gain).isCloseTo(11, within(0.01)))
        .hasEntrySatisfying(
            Kind.READING_AHEAD,
            gain -> assertThat(gain).as("2 at work").isCloseTo(11, within(0.01)))
        .containsKey(Kind.WORKERS)
        .doesNotContainKey(Kind.SMALLER_IMAGES)
        .doesNotContainKey(Kind.SCAN_INDEX);
  }

  /** Loading and computing take turns: 500 and 2000 images/s are 400 together. */
  @Test
  void shouldReckonWithoutWorkersThatTheGpuStandsStillMeanwhile() {
    Figures figures = figures(4, reads(0), decoding(3 * MS, 2 * MS));

    Diagnosis none = Diagnosis.of(figures, need(2000, 1), 0, Epoch.LATER, 4);
    Diagnosis slow = Diagnosis.of(figures, need(50, 1), 0, Epoch.LATER, 1);

    assertThat(none.bottleneck()).isEqualTo(Bottleneck.WORKERS);
    assertThat(none.predicted()).as("while it loads").isCloseTo(500, within(1e-6));
    assertThat(busy(none)).isCloseTo(400 / 2000.0, within(1e-6));
    assertThat(none.changes().get(0).kind()).isEqualTo(Kind.WORKERS);
    assertThat(none.changes().get(0).gain()).isCloseTo(2000 / 400.0, within(1e-6));
    assertThat(none.shown()).containsExactly(0, 1, 2, 3, 4);
    assertThat(slow.bottleneck()).as("even a slow GPU waits").isEqualTo(Bottleneck.WORKERS);
    assertThat(busy(slow)).isCloseTo(500 / 550.0, within(1e-6));
  }

  @Test
  void shouldNameAPipelineThatTakesMostOfTheTime() {
    Figures computing = figures(2, reads(0), DoctorFixture.transforming(MS, 9 * MS, 0));
    Figures waiting = figures(2, reads(MS), DoctorFixture.transforming(MS, 0, 8 * MS));
    Figures little = figures(2, reads(0), DoctorFixture.transforming(2 * MS, MS, 0));

    Diagnosis busy = Diagnosis.of(computing, need(2000, 2), Epoch.LATER);
    Diagnosis idle = Diagnosis.of(waiting, need(2000, 2), Epoch.LATER);

    assertThat(busy.bottleneck()).isEqualTo(Bottleneck.TRANSFORM);
    assertThat(busy.predicted()).isCloseTo(200, within(1e-6));
    assertThat(gains(busy).get(Kind.TRANSFORM)).isCloseTo(10, within(1e-6));
    assertThat(idle.bottleneck()).isEqualTo(Bottleneck.TRANSFORM);
    assertThat(idle.predicted()).isCloseTo(200, within(1e-6));
    assertThat(gains(idle).get(Kind.TRANSFORM)).isCloseTo(5, within(1e-6));
    assertThat(gains(idle).getOrDefault(Kind.READING_AHEAD, 1.0))
        .as("it hides the read, not the transform")
        .isCloseTo(10 / 9.0, within(1e-6));
    assertThat(Diagnosis.of(little, need(2000, 2), Epoch.LATER).bottleneck())
        .isEqualTo(Bottleneck.CPU);
  }

  @Test
  void shouldReckonWithReadsAheadOfWorkersWhereALoaderBeginsThem() {
    Figures waiting = figures(2, reads(80 * MS), decoding(3 * MS, 2 * MS));
    Figures ahead = new Figures(waiting.reads(), waiting.decoding(), waiting.machine(), true);

    Diagnosis diagnosis = Diagnosis.of(ahead, need(2000, 2), Epoch.LATER);

    assertThat(diagnosis.predicted()).as("64 reads in 80 ms").isCloseTo(800, within(1e-6));
    assertThat(gains(diagnosis)).doesNotContainKey(Kind.READING_AHEAD);
  }

  /** The rest is not known, and not multiplied. */
  @Test
  void shouldPromiseNoMoreReadsThanWereSeen() {
    Cost cost = new Cost(80 * MS, 0);
    ReadFigures few = new ReadFigures(100, 65536, cost, cost, DoctorFixture.flights(80 * MS, 1, 4));
    Figures near = figures(2, few, decoding(3 * MS, 2 * MS));
    Figures ahead = new Figures(few, near.decoding(), near.machine(), true);

    Diagnosis diagnosis = Diagnosis.of(ahead, need(2000, 2), Epoch.LATER);

    assertThat(diagnosis.predicted()).as("4 reads in 80 ms").isCloseTo(50, within(1e-6));
    assertThat(gains(Diagnosis.of(near, need(2000, 2), Epoch.LATER)).get(Kind.READING_AHEAD))
        .isCloseTo(50 / (2 / 0.082), within(1e-6));
  }

  /**
   * As measured: one read at a time takes much of a processor, since it is idle in between; more
   * workers, and reads ahead, keep it busy. A worker that has its images read ahead decodes only.
   */
  @Test
  void shouldPromiseOfReadsThatWaitWhatProcessorsDoWhileTheyAreBusy() {
    Cost alone = new Cost(30 * MS, 0.6 * MS);
    ReadFigures reads =
        new ReadFigures(
            100,
            DoctorFixture.BYTES,
            alone,
            alone,
            List.of(
                new Flight(1, 1000 / 30.6, 0.6 * MS, 30 * MS),
                new Flight(64, 2100, 0.1 * MS, 30 * MS)));
    Figures figures = figures(2, reads, decoding(0.4 * MS, 0.4 * MS));

    Diagnosis one = Diagnosis.of(figures, need(3000, 1), 1, Epoch.FIRST, 64);
    Diagnosis two = Diagnosis.of(figures, need(3500, 2), 2, Epoch.FIRST, 64);

    assertThat(one.predicted()).isCloseTo(1000 / 31.0, within(1e-6));
    assertThat(change(one, Kind.WORKERS).imagesPerSecond())
        .as("64 in 31 ms each")
        .isBetween(0.98 * 64 / 0.031, 64 / 0.031);
    Change ahead = change(one, Kind.READING_AHEAD);
    assertThat(ahead.imagesPerSecond())
        .as("64 reads in 30.5 ms")
        .isCloseTo(64 / 0.0305, within(1.));
    assertThat(ahead.most()).as("one worker decodes").isCloseTo(2500, within(1e-6));
    assertThat(change(two, Kind.READING_AHEAD).most())
        .as("two processors read and decode")
        .isCloseTo(4000, within(1e-6));
    assertThat(change(two, Kind.CACHE).imagesPerSecond()).isCloseTo(4000, within(1e-6));
  }

  @Test
  void shouldNotReadAheadWhatDoesNotWait() {
    Cost read = new Cost(0.03 * MS, 0.05 * MS);
    ReadFigures near =
        new ReadFigures(
            100,
            DoctorFixture.BYTES,
            read,
            read,
            List.of(new Flight(1, 12_000, 0.05 * MS, 0.03 * MS)));

    Diagnosis diagnosis =
        Diagnosis.of(figures(2, near, decoding(0.4 * MS, 0.4 * MS)), need(5000, 1), Epoch.LATER);

    assertThat(gains(diagnosis)).doesNotContainKey(Kind.READING_AHEAD);
  }

  private static Change change(Diagnosis diagnosis, Kind kind) {
    return diagnosis.changes().stream()
        .filter(each -> each.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldNameTheBandwidthWhereTheStorageGivesNoMore() {
    Figures figures = figures(8, saturated(10 * MS, 200), decoding(3 * MS, 2 * MS));

    Diagnosis diagnosis = Diagnosis.of(figures, need(1000, 32), Epoch.LATER);

    assertThat(diagnosis.bottleneck()).isEqualTo(Bottleneck.READ_BANDWIDTH);
    assertThat(diagnosis.predicted()).isEqualTo(200);
    assertThat(gains(diagnosis))
        .as("a quarter of the bytes, or none of the storage's")
        .hasEntrySatisfying(Kind.SMALLER_IMAGES, gain -> assertThat(gain).isEqualTo(4))
        .containsKey(Kind.CACHE)
        .doesNotContainKeys(Kind.WORKERS, Kind.PACKING);
  }

  @Test
  void shouldNameNothingWhereTheStepIsSlower() {
    Figures figures = figures(4, reads(0), decoding(3 * MS, 2 * MS));

    Diagnosis diagnosis = Diagnosis.of(figures, need(1000, 4), Epoch.LATER);

    assertThat(diagnosis.bottleneck()).isEqualTo(Bottleneck.NONE);
    assertThat(busy(diagnosis)).isEqualTo(1);
    assertThat(diagnosis.changes()).isEmpty();
    assertThat(diagnosis.recommended()).as("a need of 1000, at 70%% of 2000").isEqualTo(3);
  }

  @Test
  void shouldComputeWithTheFiguresOfTheEpoch() {
    ReadFigures reads =
        new ReadFigures(
            100,
            DoctorFixture.BYTES,
            new Cost(9 * MS, MS),
            new Cost(0, MS),
            List.of(new Flight(1, 100, MS, 9 * MS), new Flight(4, 400, MS, 9 * MS)));
    Figures figures = figures(2, reads, decoding(3 * MS, 2 * MS));

    Diagnosis first = Diagnosis.of(figures, need(2000, 1), Epoch.FIRST);
    Diagnosis later = Diagnosis.of(figures, need(2000, 1), Epoch.LATER);

    assertThat(first.predicted()).isCloseTo(1 / 0.013, within(1e-6));
    assertThat(later.predicted()).isCloseTo(1 / 0.003, within(1e-6));
    assertThat(gains(first))
        .hasEntrySatisfying(
            Kind.SCAN_INDEX, gain -> assertThat(gain).isCloseTo(13 / 12.0, within(1e-6)))
        .as("of later epochs, in which images have scan indexes")
        .hasEntrySatisfying(Kind.CACHE, gain -> assertThat(gain).isCloseTo(12 / 3.0, within(1e-6)));
    assertThat(gains(later)).doesNotContainKeys(Kind.SCAN_INDEX, Kind.CACHE);
  }

  @Test
  void shouldOfferSmallerImagesAndBytesWhereDecodingIsTheLimit() {
    Figures figures = figures(2, reads(0), decoding(3 * MS, 2 * MS));

    Diagnosis diagnosis = Diagnosis.of(figures, need(2000, 2), Epoch.LATER);

    assertThat(gains(diagnosis))
        .hasSize(2)
        .hasEntrySatisfying(
            Kind.SMALLER_IMAGES, gain -> assertThat(gain).isCloseTo(2, within(1e-6)))
        .hasEntrySatisfying(
            Kind.BYTES_TO_DEVICE, gain -> assertThat(gain).isCloseTo(1 / 0.9, within(1e-6)));
    assertThat(diagnosis.changes().get(0).kind()).isEqualTo(Kind.SMALLER_IMAGES);
  }

  /** A second measurement of images that are small already differs by chance. */
  @Test
  void shouldNotOfferSmallerImagesWhereNoneWouldChange() {
    DecodeFigures large = decoding(3 * MS, 2 * MS);
    DecodeFigures.Smaller unchanged = new DecodeFigures.Smaller(256, 0, DoctorFixture.BYTES, MS);
    DecodeFigures small =
        new DecodeFigures(
            large.imageSize(),
            large.kinds(),
            large.firstSeconds(),
            large.laterSeconds(),
            large.byteRowsSeconds(),
            unchanged,
            0,
            0,
            false,
            false);

    Diagnosis diagnosis = Diagnosis.of(figures(2, reads(0), small), need(2000, 2), Epoch.LATER);

    assertThat(gains(diagnosis)).containsOnlyKeys(Kind.BYTES_TO_DEVICE);
  }

  /** Doctor does not change the result of a user's own pipeline. */
  @Test
  void shouldNotOfferBytesInPlaceOfAUsersOwnPipeline() {
    Figures figures = figures(2, reads(0), decoding(3 * MS, 2 * MS, true));

    Diagnosis diagnosis = Diagnosis.of(figures, need(2000, 2), Epoch.LATER);

    assertThat(gains(diagnosis)).containsOnlyKeys(Kind.SMALLER_IMAGES);
  }

  @Test
  void shouldShowOneWorkerToAProcessorEachAndThoseInQuestion() {
    Figures figures = figures(2, reads(20 * MS), decoding(3 * MS, 2 * MS));

    Diagnosis diagnosis = Diagnosis.of(figures, need(100, 9), Epoch.LATER);

    assertThat(diagnosis.shown()).contains(1, 2, 9, diagnosis.recommended()).isSorted();
    assertThat(
            Diagnosis.of(figures(64, reads(0), decoding(MS, MS)), need(1, 3), Epoch.LATER).shown())
        .containsExactly(1, 2, 3, 4, 8, 16, 32, 64);
  }

  private static double busy(Diagnosis diagnosis) {
    double trained =
        Diagnosis.trained(diagnosis.predicted(), diagnosis.workers(), diagnosis.need());
    return Math.min(1, trained / diagnosis.need());
  }

  private static Map<Kind, Double> gains(Diagnosis diagnosis) {
    Map<Kind, Double> gains = new TreeMap<>();
    for (Change change : diagnosis.changes()) {
      if (diagnosis.epoch() == Epoch.LATER) {
        assertThat(change.gain())
            .isCloseTo(change.imagesPerSecond() / diagnosis.predicted(), within(1e-9));
      }
      gains.put(change.kind(), change.gain());
    }
    return gains;
  }
}
