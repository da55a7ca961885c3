package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static io.feedline.data.ComposedDatasets.brief;
import static io.feedline.data.ComposedDatasets.files;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.CapturedLog;
import io.feedline.ExpectedLog;
import io.feedline.Samples;
import io.feedline.data.ComposedDatasets.Sample;
import io.feedline.data.Dataset.Fold;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subsets, filters, splits, folds and repetitions of a dataset. */
class SelectionTest {

  private final Dataset<Sample> source = files("a", 11);

  @Nested
  class OfAFilter extends DatasetContract<Sample> {
    @Override
    protected Dataset<Sample> dataset() {
      return files("a", 20).filter(sample -> sample.index() % 3 == 0);
    }
  }

  @Test
  void shouldTakeASubsetInTheGivenOrder() throws Exception {
    long[] indices = {7, 0, 10, 7};
    Dataset<Sample> subset = source.subset(indices);
    indices[0] = 1;

    assertThat(brief(subset)).isEqualTo(brief("a", 7, 0, 10, 7));
    assertThat(subset.describe(2)).isEqualTo("/data/a/10.png");
    assertThat(subset.name()).isEqualTo("a.subset");
    for (long index : new long[] {-1, 11, Long.MAX_VALUE}) {
      assertRefused(
          () -> source.subset(new long[] {3, index}),
          "indices[1] must be from 0 to 10, the last index of a, was " + index);
    }
    assertThat(brief(source.subset(3, 6))).isEqualTo(brief("a", 3, 4, 5));
    assertThat(source.subset(11, 11).size()).isZero();
    assertThat(source.subset(3, 6).name()).isEqualTo("a.subset(3, 6)");
    assertRefused(() -> source.subset(-1, 3), "from -1 to 3", "<= 11");
    assertRefused(() -> source.subset(4, 3), "from 4 to 3", "<= 11");
    assertRefused(() -> source.subset(0, 12), "from 0 to 12", "<= 11");
  }

  @Test
  void shouldKeepWhatSubsetsOfAnySizeAndIndicesOfAnyWidthSay() throws Exception {
    Random random = new Random(1);
    long bound = 1L << 40;
    long[] indices = random.longs(5000, 0, bound).toArray();
    Dataset<Long> wide = Dataset.of(bound, index -> index).subset(indices);
    long[] narrow = random.longs(5000, 0, 1L << 32).toArray();
    Dataset<Long> four = Dataset.of(1L << 32, index -> index).subset(narrow);

    for (int i = 0; i < indices.length; i++) {
      assertThat(wide.get(i)).isEqualTo(indices[i]);
      assertThat(four.get(i)).isEqualTo(narrow[i]);
    }
  }

  @Test
  void shouldFilterByIndexWithoutReading() throws Exception {
    Dataset<Long> unread = Samples.numbers(11, index -> Samples.failIf(true, "read " + index));

    assertThat(unread.filterIndices(i -> i % 4 == 1).size()).isEqualTo(3);
    assertThat(brief(source.filterIndices(i -> i % 4 == 1))).isEqualTo(brief("a", 1, 5, 9));
  }

  @Test
  void shouldReadOnceToFilterBySampleAndOnlyWhenAsked() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Dataset<Sample> counted = source.map(Samples.after(sample -> reads.incrementAndGet()));

    Dataset<Sample> filtered = counted.filter(sample -> sample.index() > 6);
    assertThat(filtered.describe(0)).isEqualTo("index 0");
    assertThat(reads).hasValue(0);

    assertThat(filtered.size()).isEqualTo(4);
    assertThat(filtered.size()).isEqualTo(4);
    assertThat(reads).hasValue(11);
    assertThat(brief(filtered)).isEqualTo(brief("a", 7, 8, 9, 10));
    assertThat(filtered.describe(0)).isEqualTo("/data/a/7.png");
    assertThat(filtered.name()).isEqualTo("a.filter");
  }

  @Test
  void shouldNameTheSampleThatAFilterCouldNotRead() {
    AtomicInteger failures = new AtomicInteger(1);
    Transform<Sample, Sample> brittle =
        Samples.after(
            sample ->
                Samples.failIf(sample.index() == 4 && failures.getAndDecrement() > 0, "truncated"));
    Dataset<Sample> filtered = source.map(brittle).filter(sample -> true);

    assertThatThrownBy(filtered::size)
        .isInstanceOf(LoaderException.class)
        .hasMessageContainingAll("transforming", "4", "/data/a/4.png", "truncated")
        .hasCauseInstanceOf(IOException.class);
    assertThat(filtered.size()).as("a second try").isEqualTo(11);
    assertThrown(
        LoaderException.class,
        source.map((sample, random) -> Sample.of("r", random.nextInt(9))).filter(each -> true)
            ::size,
        "filter first, then map the random transforms");
  }

  @ParameterizedTest
  @CsvSource({
    "11, '.3,.3,.4', '4,3,4'",
    "10, '.5,.5', '5,5'",
    "10, '.7,.2,.1', '7,2,1'",
    "2, '.25,.25,.25,.25', '1,1,0,0'",
    "0, '.5,.5', '0,0'",
    "7, '1', '7'",
    "7, '0,1', '0,7'",
  })
  @ExpectedLog("too few for the fractions")
  void shouldRoundFractionsAsPyTorchDoes(long size, String fractions, String lengths) {
    double[] given = Arrays.stream(fractions.split(",")).mapToDouble(Double::valueOf).toArray();

    List<? extends Dataset<Sample>> parts = files("a", size).split(given, 1);

    assertThat(parts.stream().map(Dataset::size).toList())
        .isEqualTo(Arrays.stream(lengths.split(",")).map(Long::valueOf).toList());
  }

  @Test
  void shouldSplitAtRandomByTheSeedAlone() throws Exception {
    long[] lengths = {60, 40};
    List<String> first = brief(hundred.split(lengths, 3).get(0));

    assertThat(brief(hundred.split(lengths, 3).get(0))).isEqualTo(first);
    assertThat(brief(hundred.split(new double[] {.6, .4}, 3).get(0))).isEqualTo(first);
    assertThat(brief(hundred.split(lengths, 4).get(0))).isNotEqualTo(first);
    assertThat(first).isNotEqualTo(brief("a", LongStream.range(0, 60).toArray()));
    assertThat(hundred.split(lengths, 3).get(1).name()).isEqualTo("a.split[1]");

    double[] halves = {0.5, 0.5};
    int[] labels = LABELS.clone();
    Dataset<Sample> again = hundred.splitStratified(halves, labels, 3).get(0);
    Arrays.fill(labels, 0);
    assertThat(brief(hundred.splitStratified(halves, LABELS, 3).get(0))).isEqualTo(brief(again));
    assertThat(brief(hundred.splitStratified(halves, LABELS, 4).get(0))).isNotEqualTo(brief(again));
  }

  @Test
  void shouldSplitABillionSamplesWithoutAnArray() throws Exception {
    List<? extends Dataset<Long>> parts =
        Dataset.of(5_000_000_000L, index -> index).split(new double[] {0.9, 0.1}, 1);

    assertThat(parts.get(0).size()).isEqualTo(4_500_000_000L);
    assertThat(parts.get(1).get(499_999_999L)).isBetween(0L, 4_999_999_999L);
  }

  @Test
  void shouldRefuseFractionsAndLengthsThatAreNone() {
    assertRefused(() -> source.split(new double[] {0.5, 1.5}, 0), "was 1.5 at position 1");
    assertRefused(() -> source.split(new double[] {-0.5, 1}, 0), "was -0.5 at position 0");
    assertRefused(() -> source.split(new double[] {Double.NaN}, 0), "was NaN at position 0");
    assertRefused(() -> source.split(new double[] {0.5, 0.25}, 0), "[0.5, 0.25] give 0.75");
    assertRefused(() -> source.split(new double[0], 0), "fractions must add up to 1, [] give 0.0");
    assertRefused(() -> source.split(new long[] {12, -1}, 0), "lengths[1] must be 0 or more");
    assertRefused(() -> source.split(new long[] {5, 5}, 0), "size of a, 11, were [5, 5] = 10");
  }

  @Test
  void shouldTakeASplitThatWasMadeElsewhere() throws Exception {
    Dataset<Sample> five = files("a", 5);
    List<? extends Dataset<Sample>> parts = five.split(new long[][] {{4, 0}, {}, {2, 3, 1}});

    assertThat(brief(parts.get(0))).isEqualTo(brief("a", 4, 0));
    assertThat(parts.get(1).size()).isZero();
    assertThat(brief(parts.get(2))).isEqualTo(brief("a", 2, 3, 1));
    assertRefused(
        () -> five.split(new long[][] {{0, 1, 2}, {3, 1}}),
        "indices[1] contains 1, which was given before; the parts of a split share no sample");
    assertRefused(
        () -> five.split(new long[][] {{0, 1, 2}, {3}}),
        "indices must have each of the 5 samples of a once, have 4; use subset for fewer");
    assertRefused(() -> five.split(new long[][] {{0, 1, 2}, {3, 5}}), "indices[1][1] must be from");
  }

  @Test
  void shouldTellOtherSelectionsByTheirFingerprint() {
    List<Supplier<Dataset<Sample>>> selections =
        List.of(
            () -> hundred,
            () -> files("b", 100).subset(0, 50),
            () -> hundred.subset(0, 50),
            () -> hundred.subset(1, 51),
            () -> hundred.subset(new long[] {1, 2}),
            () -> hundred.subset(new long[] {2, 1}),
            () -> hundred.split(new long[] {50, 50}, 1).get(0),
            () -> hundred.split(new long[] {50, 50}, 1).get(1),
            () -> hundred.split(new long[] {50, 50}, 2).get(0),
            () -> hundred.splitStratified(new double[] {.5, .5}, LABELS, 1).get(0),
            () -> hundred.splitStratified(new double[] {.5, .5}, LABELS, 1).get(1),
            () -> hundred.splitStratified(new double[] {.5, .5}, LABELS, 2).get(0),
            () -> hundred.splitStratified(new double[] {.5, .5}, new int[100], 1).get(0),
            () -> hundred.folds(2, 1).get(0).train(),
            () -> hundred.folds(2, 1).get(0).validation(),
            () -> hundred.folds(2, 1).get(1).train(),
            () -> hundred.folds(2, 2).get(0).train(),
            () -> hundred.foldsStratified(2, LABELS, 1).get(0).train(),
            () -> hundred.repeat(2),
            () -> hundred.filterIndices(i -> i % 2 == 0),
            () -> hundred.filter(sample -> sample.index() % 2 == 1),
            () -> Dataset.concat(hundred, files("b", 100)),
            () -> Dataset.concat(files("b", 100), hundred));

    assertThat(selections.stream().map(each -> each.get().fingerprint()))
        .doesNotHaveDuplicates()
        .isEqualTo(selections.stream().map(each -> each.get().fingerprint()).toList());
  }

  @Test
  void shouldRepeat() throws Exception {
    Dataset<Sample> twice = files("a", 3).repeat(2);

    assertThat(brief(twice)).isEqualTo(brief("a", 0, 1, 2, 0, 1, 2));
    assertThat(twice.name()).isEqualTo("a.repeat(2)");
    assertThat(twice.describe(4)).isEqualTo("/data/a/1.png");
    assertThat(files("a", 0).repeat(2).size()).isZero();
    assertRefused(() -> source.repeat(0), "times must be 1 or more, was 0");
    assertThrown(ArithmeticException.class, () -> source.repeat(Long.MAX_VALUE));
    Dataset<Long> drawn = source.<Long>map((sample, random) -> random.nextLong()).repeat(2);
    for (int i = 0; i < 11; i++) {
      assertThat(drawn.get(i)).isNotEqualTo(drawn.get(i + 11));
    }
  }

  /** 100 samples: 60 of class 0, 30 of class 7, 10 of class -1. */
  private static final int[] LABELS =
      IntStream.range(0, 100).map(i -> i % 10 < 6 ? 0 : i % 10 < 9 ? 7 : -1).toArray();

  private final Dataset<Sample> hundred = files("a", 100);

  private static int[] counts(Dataset<Sample> part, int[] labels, int... classes) throws Exception {
    int[] counts = new int[classes.length];
    for (long i = 0; i < part.size(); i++) {
      int label = labels[(int) part.get(i).index()];
      counts[IntStream.range(0, classes.length).filter(c -> classes[c] == label).sum()]++;
    }
    return counts;
  }

  @Test
  @ExpectedLog("too few samples")
  void shouldDealEachSampleToOnePartWithinOneOfItsShareForAnyLabels() throws Exception {
    Random random = new Random(8);
    for (int round = 0; round < 300; round++) {
      int size = random.nextInt(200);
      int classes = 1 + random.nextInt(12);
      int[] labels = random.ints(size, 0, classes).map(c -> c * c / classes).toArray();
      int[] kinds = IntStream.of(labels).distinct().toArray();
      double[] weights = random.doubles(1 + random.nextInt(6), 0, 1).toArray();
      weights[0] = random.nextBoolean() ? 0 : weights[0] + 1e-3;
      weights[weights.length - 1] += 1e-3;
      double sum = Arrays.stream(weights).sum();
      double[] fractions = Arrays.stream(weights).map(weight -> weight / sum).toArray();
      Dataset<Sample> whole = files("a", size);

      List<? extends Dataset<Sample>> parts = whole.splitStratified(fractions, labels, round);

      assertDealt(parts, whole);
      assertDealt(whole.split(TorchRandom.splitLengths(size, fractions), round), whole);
      for (int part = 0; part < fractions.length; part++) {
        int[] counts = counts(parts.get(part), labels, kinds);
        for (int kind = 0; kind < kinds.length; kind++) {
          int label = kinds[kind];
          double all = IntStream.of(labels).filter(each -> each == label).count();
          assertThat(Math.abs(counts[kind] - fractions[part] * all)).isLessThan(1);
        }
        assertThat(Math.abs(parts.get(part).size() - fractions[part] * size)).isLessThan(1);
      }
    }
  }

  /** Fails unless the parts share all samples. */
  private static void assertDealt(List<? extends Dataset<Sample>> parts, Dataset<Sample> whole)
      throws Exception {
    assertThat(brief(Dataset.concat(parts))).containsExactlyInAnyOrderElementsOf(brief(whole));
  }

  /** Each class has 5 samples, of which half of one is owed to the second part. */
  @Test
  void shouldNotRoundSmallClassesAllInFavorOfOnePart() throws Exception {
    int[] labels = IntStream.range(0, 1000).map(i -> i / 5).toArray();
    try (CapturedLog log = new CapturedLog()) {
      List<? extends Dataset<Sample>> parts =
          files("a", 1000).splitStratified(new double[] {0.9, 0.1}, labels, 1);

      assertThat(parts.get(0).size()).isEqualTo(900);
      assertThat(parts.get(1).size()).isEqualTo(100);
      assertThat(log.lines("WARN"))
          .singleElement()
          .asString()
          .contains("a: 100 of 200 classes have too few samples for each of the 2 parts to get one")
          .containsPattern("class \\d+ has 5, and none in part 1");
    }
  }

  @Test
  void shouldMixTheClassesOfAPart() throws Exception {
    int[] labels = IntStream.range(0, 100).map(i -> i / 50).toArray();
    Dataset<Sample> part = hundred.splitStratified(new double[] {0.5, 0.5}, labels, 1).get(0);
    int changes = 0;
    for (int i = 1; i < 50; i++) {
      changes += part.get(i).index() / 50 != part.get(i - 1).index() / 50 ? 1 : 0;
    }
    assertThat(changes).isBetween(15, 35);
  }

  @Test
  void shouldRefuseLabelsFractionsAndFoldsThatDoNotFit() {
    double[] halves = {0.5, 0.5};
    assertRefused(
        () -> hundred.splitStratified(halves, new int[99], 1), "100 samples of a, have 99");
    assertRefused(() -> hundred.foldsStratified(5, new int[101], 1), "100 samples of a, have 101");
    assertRefused(
        () -> hundred.splitStratified(new double[] {0.5, 0.4}, LABELS, 1),
        "fractions must add up to 1, [0.5, 0.4] give 0.9");
    for (int count : new int[] {-1, 0, 1, 101}) {
      String words = "must be from 2 to the size of a, 100, was " + count;
      assertRefused(() -> hundred.folds(count, 1), words);
      assertRefused(() -> hundred.foldsStratified(count, LABELS, 1), words);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 11})
  void shouldValidateWithEachSampleOnceAndTrainWithTheOthers(int count) throws Exception {
    List<? extends Fold<? extends Dataset<Sample>>> folds = source.folds(count, 4);
    List<Dataset<Sample>> validated = new ArrayList<>();
    for (Fold<? extends Dataset<Sample>> fold : folds) {
      assertDealt(List.of(fold.train(), fold.validation()), source);
      assertThat(fold.validation().size())
          .isEqualTo(11 / count + (validated.size() < 11 % count ? 1 : 0));
      validated.add(fold.validation());
    }
    assertThat(validated).hasSize(count);
    assertDealt(validated, source);
    assertThat(brief(Dataset.concat(validated))).isNotEqualTo(brief(source));
    assertThat(folds.get(1).train().name()).isEqualTo("a.fold[1].train");
    assertThat(folds.get(1).validation().name()).isEqualTo("a.fold[1].validation");
    assertThat(brief(source.folds(count, 4).get(0).train()))
        .isEqualTo(brief(folds.get(0).train()))
        .isNotEqualTo(brief(source.folds(count, 5).get(0).train()));
  }

  @Test
  void shouldGiveEachFoldItsShareOfEachClass() throws Exception {
    List<Dataset<Sample>> validated = new ArrayList<>();
    for (Fold<? extends Dataset<Sample>> fold : hundred.foldsStratified(4, LABELS, 6)) {
      int[] validation = counts(fold.validation(), LABELS, 0, 7, -1);
      assertThat(validation[0]).isEqualTo(15);
      assertThat(validation[1]).isBetween(7, 8);
      assertThat(validation[2]).isBetween(2, 3);
      assertThat(fold.validation().size()).isEqualTo(25);
      assertDealt(List.of(fold.train(), fold.validation()), hundred);
      validated.add(fold.validation());
    }
    assertDealt(validated, hundred);
  }

  @Test
  void shouldWarnOfClassesWithFewerSamplesThanFolds() {
    try (CapturedLog log = new CapturedLog()) {
      hundred.foldsStratified(10, LABELS, 1);
      assertThat(log.text()).isEmpty();

      hundred.foldsStratified(11, LABELS, 1);
      assertThat(log.lines("WARN"))
          .singleElement()
          .asString()
          .contains(
              "1 of 3 classes have too few samples for each of the 11 parts", "class -1 has 10");
    }
  }
}
