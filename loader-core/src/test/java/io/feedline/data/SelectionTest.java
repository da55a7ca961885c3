package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.data.ComposedDatasets.brief;
import static io.feedline.data.ComposedDatasets.files;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.ExpectedLog;
import io.feedline.data.ComposedDatasets.Sample;
import io.feedline.sampler.TorchRandom;
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

/** Some of a dataset's samples: subsets, filters, splits, repetitions. */
class SelectionTest {

  private static final int[] EVEN_AND_ODD = IntStream.range(0, 100).map(i -> i % 2).toArray();

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
    assertThat(source.subset(new long[0]).size()).isZero();
  }

  @Test
  void shouldTakeARange() throws Exception {
    assertThat(brief(source.subset(3, 6))).isEqualTo(brief("a", 3, 4, 5));
    assertThat(source.subset(11, 11).size()).isZero();
    assertThat(source.subset(3, 6).name()).isEqualTo("a.subset(3, 6)");
  }

  @ParameterizedTest
  @CsvSource({"-1, 3", "4, 3", "0, 12"})
  void shouldRefuseARangeThatIsNone(long from, long to) {
    assertRefused(() -> source.subset(from, to), "from %d to %d".formatted(from, to), "<= 11");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 11, Long.MAX_VALUE})
  void shouldRefuseAnIndexOutsideNamingItsPlace(long index) {
    assertRefused(
        () -> source.subset(new long[] {3, index}),
        "indices[1] must be from 0 to 10, the last index of a, was " + index);
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
    Dataset<Sample> unread =
        Dataset.of(
            11,
            index -> {
              throw new IOException("read " + index);
            });

    assertThat(unread.filterIndices(i -> i % 4 == 1).size()).isEqualTo(3);
    assertThat(brief(source.filterIndices(i -> i % 4 == 1))).isEqualTo(brief("a", 1, 5, 9));
  }

  @Test
  void shouldReadOnceToFilterBySampleAndOnlyWhenAsked() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    Dataset<Sample> counted =
        source.map(
            sample -> {
              reads.incrementAndGet();
              return sample;
            });

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
    Dataset<Sample> broken =
        source.map(
            sample -> {
              if (sample.index() == 4 && failures.getAndDecrement() > 0) {
                throw new IOException("truncated");
              }
              return sample;
            });
    Dataset<Sample> filtered = broken.filter(sample -> true);

    assertThatThrownBy(filtered::size)
        .isInstanceOf(LoaderException.class)
        .hasMessageContainingAll("transforming", "4", "/data/a/4.png", "truncated")
        .hasCauseInstanceOf(IOException.class);
    assertThat(filtered.size()).as("a second try").isEqualTo(11);
  }

  @Test
  void shouldRefuseToFilterRandomSamples() {
    Dataset<Sample> filtered =
        source.map((sample, random) -> Sample.of("r", random.nextInt(9))).filter(sample -> true);

    assertThatThrownBy(filtered::size)
        .isInstanceOf(LoaderException.class)
        .hasMessageContaining("filter first, then map the random transforms");
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
  void shouldDealEachSampleToOnePartForAnyFractions() throws Exception {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      double[] weights = random.doubles(1 + random.nextInt(6), 0, 1).toArray();
      double sum = Arrays.stream(weights).sum();
      double[] fractions = Arrays.stream(weights).map(weight -> weight / sum).toArray();
      long size = random.nextInt(40);

      List<String> all = new ArrayList<>();
      long[] lengths = TorchRandom.splitLengths(size, fractions);
      for (Dataset<Sample> part : files("a", size).split(lengths, round)) {
        all.addAll(brief(part));
      }

      assertThat(all)
          .containsExactlyInAnyOrderElementsOf(brief("a", LongStream.range(0, size).toArray()));
    }
  }

  @Test
  void shouldSplitAtRandomByTheSeedAlone() throws Exception {
    long[] lengths = {60, 40};
    Dataset<Sample> hundred = files("a", 100);
    List<String> first = brief(hundred.split(lengths, 3).get(0));

    assertThat(brief(hundred.split(lengths, 3).get(0))).isEqualTo(first);
    assertThat(brief(hundred.split(new double[] {.6, .4}, 3).get(0))).isEqualTo(first);
    assertThat(brief(hundred.split(lengths, 4).get(0))).isNotEqualTo(first);
    assertThat(first).isNotEqualTo(brief("a", LongStream.range(0, 60).toArray()));
    assertThat(hundred.split(lengths, 3).get(1).name()).isEqualTo("a.split[1]");
  }

  @Test
  void shouldSplitABillionSamplesWithoutAnArray() throws Exception {
    Dataset<Long> billions = Dataset.of(5_000_000_000L, index -> index);

    List<? extends Dataset<Long>> parts = billions.split(new double[] {0.9, 0.1}, 1);

    assertThat(parts.get(0).size()).isEqualTo(4_500_000_000L);
    assertThat(parts.get(1).get(499_999_999L)).isBetween(0L, 4_999_999_999L);
  }

  @Test
  void shouldRefuseFractionsAndLengthsThatAreNone() {
    assertRefused(
        () -> source.split(new double[] {0.5, 1.5}, 0),
        "fractions must be from 0 to 1, was 1.5 at position 1");
    assertRefused(
        () -> source.split(new double[] {-0.5, 1}, 0),
        "fractions must be from 0 to 1, was -0.5 at position 0");
    assertRefused(
        () -> source.split(new double[] {Double.NaN}, 0),
        "fractions must be from 0 to 1, was NaN at position 0");
    assertRefused(
        () -> source.split(new double[] {0.5, 0.25}, 0),
        "fractions must add up to 1, [0.5, 0.25] give 0.75");
    assertRefused(() -> source.split(new double[0], 0), "fractions must add up to 1, [] give 0.0");
    assertRefused(
        () -> source.split(new long[] {12, -1}, 0), "lengths[1] must be 0 or more, was -1");
    assertRefused(
        () -> source.split(new long[] {5, 5}, 0),
        "lengths must sum to the size of a, 11, were [5, 5] = 10");
  }

  @Test
  void shouldTakeASplitThatWasMadeElsewhere() throws Exception {
    List<? extends Dataset<Sample>> parts =
        files("a", 5).split(new long[][] {{4, 0}, {}, {2, 3, 1}});

    assertThat(brief(parts.get(0))).isEqualTo(brief("a", 4, 0));
    assertThat(parts.get(1).size()).isZero();
    assertThat(brief(parts.get(2))).isEqualTo(brief("a", 2, 3, 1));
  }

  @Test
  void shouldTellOtherSelectionsByTheirFingerprint() {
    Dataset<Sample> hundred = files("a", 100);
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
            () -> hundred.splitStratified(new double[] {.5, .5}, EVEN_AND_ODD, 1).get(0),
            () -> hundred.splitStratified(new double[] {.5, .5}, EVEN_AND_ODD, 1).get(1),
            () -> hundred.splitStratified(new double[] {.5, .5}, EVEN_AND_ODD, 2).get(0),
            () -> hundred.splitStratified(new double[] {.5, .5}, new int[100], 1).get(0),
            () -> hundred.folds(2, 1).get(0).train(),
            () -> hundred.folds(2, 1).get(0).validation(),
            () -> hundred.folds(2, 1).get(1).train(),
            () -> hundred.folds(2, 2).get(0).train(),
            () -> hundred.foldsStratified(2, EVEN_AND_ODD, 1).get(0).train(),
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
  void shouldRefuseASplitThatSharesOrLosesSamples() {
    Dataset<Sample> five = files("a", 5);
    assertRefused(
        () -> five.split(new long[][] {{0, 1, 2}, {3, 1}}),
        "indices[1] contains 1, which was given before; the parts of a split share no" + " sample");
    assertRefused(
        () -> five.split(new long[][] {{0, 1, 2}, {3}}),
        "indices must have each of the 5 samples of a once, have 4; use subset for fewer");
    assertRefused(
        () -> five.split(new long[][] {{0, 1, 2}, {3, 5}}),
        "indices[1][1] must be from 0 to 4, the last index of a, was 5");
  }

  @Test
  void shouldRepeat() throws Exception {
    Dataset<Sample> twice = files("a", 3).repeat(2);

    assertThat(brief(twice)).isEqualTo(brief("a", 0, 1, 2, 0, 1, 2));
    assertThat(twice.name()).isEqualTo("a.repeat(2)");
    assertThat(twice.describe(4)).isEqualTo("/data/a/1.png");
    assertThat(files("a", 0).repeat(2).size()).isZero();
    assertRefused(() -> source.repeat(0), "times must be 1 or more, was 0");
    assertThatThrownBy(() -> source.repeat(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void shouldAugmentARepeatedSampleInTwoWays() throws Exception {
    Dataset<Long> twice = files("a", 50).<Long>map((sample, random) -> random.nextLong()).repeat(2);

    for (int i : IntStream.range(0, 50).toArray()) {
      assertThat(twice.get(i)).isNotEqualTo(twice.get(i + 50));
    }
  }
}
