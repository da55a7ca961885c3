package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.data.ComposedDatasets.brief;
import static io.feedline.data.ComposedDatasets.files;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.CapturedLog;
import io.feedline.ExpectedLog;
import io.feedline.data.ComposedDatasets.Sample;
import io.feedline.data.Dataset.Fold;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a dataset with the same share of each class, and the folds of a cross-validation. */
class StratificationTest {

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
  void shouldGiveEachPartItsShareOfEachClass() throws Exception {
    List<? extends Dataset<Sample>> parts =
        hundred.splitStratified(new double[] {0.7, 0.2, 0.1}, LABELS, 3);

    assertThat(counts(parts.get(0), LABELS, 0, 7, -1)).containsExactly(42, 21, 7);
    assertThat(counts(parts.get(1), LABELS, 0, 7, -1)).containsExactly(12, 6, 2);
    assertThat(counts(parts.get(2), LABELS, 0, 7, -1)).containsExactly(6, 3, 1);
    assertThat(parts.get(2).name()).isEqualTo("a.split[2]");
    assertThat(parts.get(2).describe(0)).startsWith("/data/a/");
  }

  @Test
  @ExpectedLog("too few samples")
  void shouldDealEachSampleOnceWithinOneOfItsShareForAnyLabels() throws Exception {
    Random random = new Random(8);
    for (int round = 0; round < 300; round++) {
      int size = random.nextInt(200);
      int classes = 1 + random.nextInt(12);
      int[] labels = random.ints(size, 0, classes).map(c -> c * c / classes).toArray();
      double[] weights = random.doubles(1 + random.nextInt(6), 0, 1).toArray();
      weights[0] = random.nextBoolean() ? 0 : weights[0] + 1e-3;
      weights[weights.length - 1] += 1e-3;
      double sum = Arrays.stream(weights).sum();
      double[] fractions = Arrays.stream(weights).map(weight -> weight / sum).toArray();

      List<? extends Dataset<Sample>> parts =
          files("a", size).splitStratified(fractions, labels, round);

      List<String> all = new ArrayList<>();
      for (int part = 0; part < fractions.length; part++) {
        all.addAll(brief(parts.get(part)));
        int[] kinds = IntStream.of(labels).distinct().toArray();
        int[] counts = counts(parts.get(part), labels, kinds);
        for (int kind = 0; kind < kinds.length; kind++) {
          int label = kinds[kind];
          double share =
              fractions[part] * IntStream.of(labels).filter(each -> each == label).count();
          assertThat(Math.abs(counts[kind] - share)).isLessThan(1);
        }
        assertThat(Math.abs(parts.get(part).size() - fractions[part] * size)).isLessThan(1);
      }
      assertThat(all)
          .containsExactlyInAnyOrderElementsOf(brief("a", LongStream.range(0, size).toArray()));
    }
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

    int[] order = new int[50];
    for (int i = 0; i < 50; i++) {
      order[i] = labels[(int) part.get(i).index()];
    }
    assertThat(IntStream.range(1, 50).filter(i -> order[i] != order[i - 1]).count())
        .isBetween(15L, 35L);
  }

  @Test
  void shouldStratifyByTheSeedAlone() throws Exception {
    double[] fractions = {0.5, 0.5};
    List<String> first = brief(hundred.splitStratified(fractions, LABELS, 3).get(0));
    int[] labels = LABELS.clone();
    Dataset<Sample> again = hundred.splitStratified(fractions, labels, 3).get(0);
    Arrays.fill(labels, 0);

    assertThat(brief(again)).isEqualTo(first);
    assertThat(brief(hundred.splitStratified(fractions, LABELS, 4).get(0))).isNotEqualTo(first);
  }

  @Test
  void shouldTakeClassesOfOneSampleAndNone() throws Exception {
    assertThat(files("a", 0).splitStratified(new double[] {0.5, 0.5}, new int[0], 1))
        .extracting(Dataset::size)
        .containsExactly(0L, 0L);
    assertThat(files("a", 3).splitStratified(new double[] {0, 1}, new int[] {4, 5, 6}, 1))
        .extracting(Dataset::size)
        .containsExactly(0L, 3L);
  }

  @Test
  void shouldRefuseLabelsAndFractionsThatDoNotFit() {
    assertRefused(
        () -> hundred.splitStratified(new double[] {1}, new int[99], 1),
        "labels must have one for each of the 100 samples of a, have 99");
    assertRefused(
        () -> hundred.foldsStratified(5, new int[101], 1),
        "labels must have one for each of the 100 samples of a, have 101");
    assertRefused(
        () -> hundred.splitStratified(new double[] {0.5, 0.4}, LABELS, 1),
        "fractions must add up to 1, [0.5, 0.4] give 0.9");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 11})
  void shouldValidateWithEachSampleOnceAndTrainWithTheOthers(int count) throws Exception {
    Dataset<Sample> eleven = files("a", 11);
    List<String> all = brief(eleven);
    List<String> validated = new ArrayList<>();
    List<? extends Fold<? extends Dataset<Sample>>> folds = eleven.folds(count, 4);

    assertThat(folds).hasSize(count);
    for (int i = 0; i < count; i++) {
      List<String> validation = brief(folds.get(i).validation());
      List<String> together = new ArrayList<>(brief(folds.get(i).train()));
      together.addAll(validation);
      validated.addAll(validation);

      assertThat(validation).hasSize(11 / count + (i < 11 % count ? 1 : 0));
      assertThat(together).containsExactlyInAnyOrderElementsOf(all);
    }
    assertThat(validated).containsExactlyInAnyOrderElementsOf(all).isNotEqualTo(all);
    assertThat(folds.get(1).train().name()).isEqualTo("a.fold[1].train");
    assertThat(folds.get(1).validation().name()).isEqualTo("a.fold[1].validation");
    assertThat(brief(eleven.folds(count, 4).get(0).train()))
        .isEqualTo(brief(folds.get(0).train()))
        .isNotEqualTo(brief(eleven.folds(count, 5).get(0).train()));
  }

  @Test
  void shouldGiveEachFoldItsShareOfEachClass() throws Exception {
    List<? extends Fold<? extends Dataset<Sample>>> folds = hundred.foldsStratified(4, LABELS, 6);

    List<String> validated = new ArrayList<>();
    for (Fold<? extends Dataset<Sample>> fold : folds) {
      int[] validation = counts(fold.validation(), LABELS, 0, 7, -1);
      int[] train = counts(fold.train(), LABELS, 0, 7, -1);
      assertThat(validation[0]).isEqualTo(15);
      assertThat(validation[1]).isBetween(7, 8);
      assertThat(validation[2]).isBetween(2, 3);
      assertThat(fold.validation().size()).isEqualTo(25);
      assertThat(train[0] + validation[0]).isEqualTo(60);
      assertThat(train[1] + validation[1]).isEqualTo(30);
      assertThat(train[2] + validation[2]).isEqualTo(10);
      validated.addAll(brief(fold.validation()));
    }
    assertThat(validated).containsExactlyInAnyOrderElementsOf(brief(hundred));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 101})
  void shouldRefuseANumberOfFoldsThatIsNone(int count) {
    assertRefused(
        () -> hundred.folds(count, 1),
        "the number of folds must be from 2 to the size of a, 100, was " + count);
    assertRefused(
        () -> hundred.foldsStratified(count, LABELS, 1),
        "the number of folds must be from 2 to the size of a, 100, was " + count);
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
