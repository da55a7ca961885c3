package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static io.feedline.data.ComposedDatasets.augmented;
import static io.feedline.data.ComposedDatasets.brief;
import static io.feedline.data.ComposedDatasets.files;
import static io.feedline.data.Dataset.StoppingRule.ALL_EXHAUSTED;
import static io.feedline.data.Dataset.StoppingRule.FIRST_EXHAUSTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Named.named;

import io.feedline.DataLoader;
import io.feedline.Samples;
import io.feedline.batch.DType;
import io.feedline.batch.Probes;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.ComposedDatasets.Sample;
import io.feedline.data.Dataset.StoppingRule;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Datasets of lists and tensors, and several datasets as one: in a row and side by side. */
class JoinTest {

  @Test
  void shouldConcatenate() throws Exception {
    Dataset<Sample> joined = Dataset.concat(files("a", 2), files("b", 0), files("c", 1));

    assertThat(brief(joined)).containsExactly("a0", "a1", "c0");
    assertThat(joined.describe(2)).isEqualTo("/data/c/0.png");
    assertThat(joined.name()).isEqualTo("concat(a, b, c)");
    assertRefused(() -> Dataset.concat(List.<Dataset<Sample>>of()), "concat needs at least one");
    assertRefused(Dataset::concat);
  }

  @Test
  void shouldConcatenateAnyNumberOfAnySizes() throws Exception {
    Random random = new Random(11);
    for (int round = 0; round < 50; round++) {
      List<Dataset<Sample>> members = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      int count = 1 + random.nextInt(20);
      for (int i = 0; i < count; i++) {
        Dataset<Sample> member = files("m" + i + "_", random.nextInt(4));
        members.add(member);
        expected.addAll(brief(member));
      }

      assertThat(brief(Dataset.concat(members))).isEqualTo(expected);
    }
  }

  @Test
  void shouldConcatenateBeyondTheRangeOfAnInt() throws Exception {
    long large = 3_000_000_000L;
    Dataset<Sample> joined = Dataset.concat(files("a", large), files("b", large));

    assertThat(joined.size()).isEqualTo(2 * large);
    assertThat(joined.get(large - 1)).isEqualTo(Sample.of("a", large - 1));
    assertThat(joined.get(large)).isEqualTo(Sample.of("b", 0));
    assertThat(joined.get(2 * large - 1)).isEqualTo(Sample.of("b", large - 1));
  }

  @Test
  void shouldNameTheMemberOfASampleThatHasOnlyANumber() {
    Dataset<Long> joined = Dataset.concat(Dataset.of(2, i -> i), Dataset.of(5, i -> i));

    assertThat(joined.describe(3)).isEqualTo("index 1 of Dataset.of(5)");
    assertThat(joined.describe(7)).isEqualTo("index 7");
    assertThat(Dataset.concat(Collections.nCopies(9, files("m", 1))).name())
        .isEqualTo("concat(m, m, m, and 6 more)");
  }

  @Test
  void shouldZip() throws Exception {
    Dataset<Sample> a = files("a", 3);
    Dataset<Dataset.Pair<Sample, Sample>> zipped = a.zip(files("b", 3));

    assertThat(zipped.get(2)).isEqualTo(new Dataset.Pair<>(Sample.of("a", 2), Sample.of("b", 2)));
    assertThat(zipped.describe(2)).isEqualTo("/data/a/2.png and /data/b/2.png");
    assertThat(zipped.name()).isEqualTo("zip(a, b)");
    assertThat(a.zip(files("b", 3), (left, right) -> left.checksum() ^ right.checksum()).get(1))
        .isEqualTo(Sample.checksum("a", 1) ^ Sample.checksum("b", 1));
    assertRefused(() -> a.zip(files("b", 4)), "zip needs datasets of one size: a has 3 samples");
  }

  @Test
  void shouldDrawDifferentNumbersOnTheTwoSidesOfAZip() throws Exception {
    Dataset<Long> draws = files("a", 20).map((sample, random) -> random.nextLong());

    for (long i = 0; i < 20; i++) {
      Dataset.Pair<Long, Long> pair = draws.zip(draws).get(i);
      assertThat(pair.first()).isNotEqualTo(pair.second());
    }
  }

  @Test
  void shouldStackInTheMapsOrderOrSorted() throws Exception {
    Map<String, Dataset<?>> members = new LinkedHashMap<>();
    members.put("z", files("a", 2));
    members.put("b", Dataset.of(2, index -> index * 10));
    Dataset<Map<String, Object>> stacked = Dataset.stack(members);
    members.clear();

    assertThat(stacked.size()).isEqualTo(2);
    assertThat(stacked.get(1))
        .containsExactly(Map.entry("z", Sample.of("a", 1)), Map.entry("b", 10L));
    assertThat(stacked.describe(1)).isEqualTo("/data/a/1.png, index 1");
    assertThat(stacked.name()).isEqualTo("stack('z' a, 'b' Dataset.of(2))");
    Dataset<Sample> one = files("x", 1);
    assertThat(Dataset.stack(Map.of("c", one, "a", one, "b", one)).get(0).keySet())
        .containsExactly("a", "b", "c");
  }

  @Test
  void shouldRefuseToStackNothingOrUnequalSizes() {
    assertRefused(() -> Dataset.stack(Map.of()), "stack needs at least one dataset");
    assertRefused(
        () -> Dataset.stack(Map.of("a", files("x", 3), "b", files("y", 4))),
        "stack needs datasets of one size: 'a' 3 samples, 'b' 4 samples");
  }

  @Test
  void shouldLeadErrorsThroughAllLayersToThePath() {
    Dataset<Long> broken =
        files("b", 4)
            .map(Sample::index)
            .map(Samples.after(index -> Samples.failIf(index == 2, "truncated")));
    Dataset<Long> layers =
        Dataset.concat(files("a", 3).map(Sample::index), broken).subset(1, 7).repeat(2);

    try (DataLoader<Long> loader = DataLoader.builder(layers).batchSize(12).build()) {
      assertThrown(
          LoaderException.class,
          () -> loader.iterator().next(),
          "transforming",
          "4",
          "/data/b/2.png",
          "truncated");
    }
  }

  /** Three samples: rows (0, 1), (2, 3), (4, 5) with the labels 7, 8, 9. */
  private static Map<String, Tensor> columns() {
    Map<String, Tensor> columns = new LinkedHashMap<>();
    columns.put("x", Tensor.of(new float[] {0, 1, 2, 3, 4, 5}, 3, 2));
    columns.put("label", Tensor.of(new long[] {7, 8, 9}));
    return columns;
  }

  @Nested
  class OfAList extends DatasetContract<String> {
    @Override
    protected Dataset<String> dataset() {
      return Dataset.of(List.of("a", "b", "c"));
    }
  }

  @Nested
  class OfTensors extends DatasetContract<Map<String, Tensor>> {
    @Override
    protected Dataset<Map<String, Tensor>> dataset() {
      return Dataset.ofTensors(columns());
    }
  }

  @Test
  void shouldGiveTheElementsOfTheListAsItWas() throws Exception {
    List<String> list = new ArrayList<>(List.of("a", "b"));
    Dataset<CharSequence> dataset = Dataset.of(list);
    list.set(0, "changed");

    assertThat(dataset.get(0)).isEqualTo("a");
    assertThat(dataset.size()).isEqualTo(2);
    assertThat(dataset.name()).isEqualTo("Dataset.of(list of 2)");
    assertThrown(NullPointerException.class, () -> Dataset.of(Arrays.asList("a", null)));
    assertThat(dataset.describe(1)).isEqualTo("index 1, 'b'");
    assertThat(Dataset.of(List.of(Path.of("c", "d.txt"))).describe(0))
        .isEqualTo("index 0, '%s'".formatted(Path.of("c", "d.txt")));
    assertThat(Dataset.of(List.of("x".repeat(1000))).describe(0)).hasSizeLessThan(230);
    assertThat(Dataset.of(List.of(new Object())).describe(0)).isEqualTo("index 0");
  }

  @Test
  void shouldTellOtherContentsByTheirFingerprint() {
    Map<String, Tensor> other = columns();
    other.put("label", Tensor.of(new long[] {7, 8, 10}));
    Supplier<Stream<String>> fingerprints =
        () ->
            Stream.of(
                    Dataset.of(List.of("a", "bc")),
                    Dataset.of(List.of("ab", "c")),
                    Dataset.of(List.of("bc", "a")),
                    Dataset.of(List.of(1, 2)),
                    Dataset.of(List.of(new Object(), new Object())),
                    Dataset.ofTensors(columns()),
                    Dataset.ofTensors(other),
                    Dataset.ofTensors(new TreeMap<>(columns())))
                .map(Dataset::fingerprint);
    assertThat(fingerprints.get())
        .doesNotHaveDuplicates()
        .containsExactlyElementsOf(fingerprints.get().toList());
  }

  @Test
  void shouldGiveTheRowsOfTensorsWithoutACopy() throws Exception {
    ByteBuffer memory = ByteBuffer.allocateDirect(12);
    Tensor column = Tensor.of(DType.INT16, Shape.of(3, 1, 2), memory);
    Dataset<Map<String, Tensor>> dataset = Dataset.ofTensors(Map.of("c", column));

    Tensor row = dataset.get(2).get("c");
    memory.put(9, (byte) 5);

    assertThat(row.shape()).isEqualTo(Shape.of(1, 2));
    assertThat(row.dtype()).isEqualTo(DType.INT16);
    assertThat(row.toByteArray()).containsExactly(0, 5, 0, 0);
    assertThat(dataset.get(1).get("c").toByteArray()).containsExactly(0, 0, 0, 0);
  }

  @Test
  void shouldCollateRowsByTheirNames() {
    try (DataLoader<Map<String, Tensor>> loader =
        DataLoader.builder(Dataset.ofTensors(columns())).batchSize(2).numWorkers(0).build()) {
      assertThat(
              Probes.each(
                  loader,
                  batch ->
                      batch.tensors().keySet()
                          + Arrays.toString(batch.tensor("x").toFloatArray())
                          + Arrays.toString(batch.tensor("label").toLongArray())))
          .containsExactly("[x, label][0.0, 1.0, 2.0, 3.0][7, 8]", "[x, label][4.0, 5.0][9]");
    }
  }

  @Test
  void shouldTakeTensorsWithoutRowsOrElements() throws Exception {
    Tensor rowless = Tensor.of(new float[0], 0, 4);
    Tensor hollow = Tensor.of(new float[0], 2, 0);
    assertThat(Dataset.ofTensors(Map.of("x", rowless)).size()).isZero();
    assertThat(Dataset.ofTensors(Map.of("x", hollow)).get(1).get("x").shape())
        .isEqualTo(Shape.of(0));
  }

  @Test
  void shouldRefuseTensorsThatHaveNoCommonRows() {
    Map<String, Tensor> columns = columns();
    columns.put("weight", Tensor.of(new float[2]));
    assertRefused(
        () -> Dataset.ofTensors(columns),
        "tensors must have first axes of one length: 'x' (3, 2), 'label' (3), 'weight' (2)");
    Tensor scalar = Tensor.zeros(DType.FLOAT32, Shape.SCALAR);
    assertRefused(() -> Dataset.ofTensors(Map.of("x", scalar)), "'x'", "scalar");
    assertRefused(() -> Dataset.ofTensors(Map.of()), "one or more");
  }

  static List<Named<Supplier<Dataset<?>>>> datasets() {
    Dataset<Map<String, Object>> nine = augmented("a", 9);
    int[] labels = {1, 1, 0, 1, 0, 1, 0, 1, 1};
    double[] parts = {0.4, 0.6};
    return List.of(
        named("subset", () -> nine.subset(new long[] {8, 2, 2, 5})),
        named("range", () -> nine.subset(3, 7)),
        named("split", () -> nine.split(parts, 1).get(1)),
        named("stratified split", () -> nine.splitStratified(parts, labels, 1).get(1)),
        named("fold to train with", () -> nine.folds(3, 1).get(1).train()),
        named("fold to validate with", () -> nine.folds(3, 1).get(1).validation()),
        named("filter of indices", () -> nine.filterIndices(i -> i % 2 == 1)),
        named("repetition", () -> augmented("a", 3).repeat(3)),
        named(
            "concatenation",
            () -> Dataset.concat(augmented("a", 1), augmented("b", 0), augmented("c", 4))),
        named(
            "mixture",
            () ->
                Dataset.mix(List.of(augmented("a", 3), nine), new double[] {1, 2}, ALL_EXHAUSTED)),
        named("zip", () -> nine.zip(files("b", 9))),
        named("stack", () -> Dataset.stack(Map.of("image", nine, "mask", files("b", 9)))));
  }

  /** Whatever is made of datasets is a dataset. */
  @Nested
  @ParameterizedClass
  @MethodSource("io.feedline.data.JoinTest#datasets")
  class Composed extends DatasetContract<Object> {
    @Parameter Supplier<Dataset<?>> maker;

    @Override
    @SuppressWarnings("unchecked") // A dataset only gives samples.
    protected Dataset<Object> dataset() {
      return (Dataset<Object>) maker.get();
    }

    @Test
    void shouldHandTheLoadersContextOn() throws Exception {
      Dataset<?> dataset = dataset();
      SampleContext context = new SampleContext(7, 3, 1);

      Object sample = dataset.get(1, context);

      assertThat(content(sample))
          .isEqualTo(content(dataset.get(1, new SampleContext(7, 3, 1))))
          .isNotEqualTo(content(dataset.get(1, new SampleContext(7, 4, 1))))
          .isNotEqualTo(content(dataset.get(1, new SampleContext(8, 3, 1))));
      assertThat(context.randomTransforms()).isPositive();
    }

    @Test
    void shouldDescribeSamplesByTheirPath() {
      assertThat(dataset().describe(1)).contains("/data/", ".png");
    }
  }

  @Test
  void shouldInterleaveByWeightUntilTheFirstIsExhausted() throws Exception {
    Dataset<Sample> mixed =
        Dataset.mix(List.of(files("a", 4), files("b", 9)), new double[] {2, 1}, FIRST_EXHAUSTED);

    assertThat(brief(mixed)).containsExactly("a0", "a1", "b0", "a2", "a3", "b1");
    assertThat(mixed.describe(5)).isEqualTo("/data/b/1.png");
    assertThat(mixed.name()).isEqualTo("mix(a, b)");
  }

  @Test
  void shouldBeginTheShorterAgainUntilAllAreExhausted() throws Exception {
    assertThat(brief(mix(2, 3, 0.5, 0.5))).containsExactly("a0", "b0", "a1", "b1", "a0", "b2");
  }

  /** Counting by hand what the route computes: for any index which sample of which dataset. */
  @Test
  void shouldGiveEachDatasetInItsOrderAndByItsWeightInEveryPrefix() {
    Random random = new Random(17);
    for (int round = 0; round < 60; round++) {
      int datasets = 1 + random.nextInt(6);
      double[] weights = random.doubles(datasets, 0.01, 1).toArray();
      if (round % 2 == 0) {
        Arrays.setAll(weights, i -> 1 + random.nextInt(12));
      }
      double total = Arrays.stream(weights).sum();
      long[] sizes = random.longs(datasets, 1, 40).toArray();
      StoppingRule rule = random.nextBoolean() ? FIRST_EXHAUSTED : ALL_EXHAUSTED;
      MixRoute route = new MixRoute(weights, sizes, rule);
      long[] given = new long[datasets];

      for (long i = 0; i < route.size(); i++) {
        int member = route.member(i);
        assertThat(route.indexIn(member, i)).isEqualTo(given[member] % sizes[member]);
        given[member]++;
        for (int d = 0; d < datasets; d++) {
          // A rounded weight adds at most 1/65536 per sample.
          double share = (i + 1) * weights[d] / total;
          assertThat((double) given[d]).isCloseTo(share, within(1 + (i + 1) / 65536.0));
        }
      }

      for (int d = 0; d < datasets; d++) {
        if (rule == FIRST_EXHAUSTED) {
          assertThat(given[d]).isLessThanOrEqualTo(sizes[d]);
        } else {
          assertThat(given[d]).isGreaterThanOrEqualTo(sizes[d]);
        }
      }
      int last = route.member(route.size() - 1);
      if (rule == ALL_EXHAUSTED) {
        assertThat(given[last]).as("ends with what was missing").isEqualTo(sizes[last]);
      } else {
        int lacking = route.member(route.size());
        assertThat(given[lacking]).as("goes on as long as it can").isEqualTo(sizes[lacking]);
      }
    }
  }

  @Test
  void shouldHaveTheWeightsExactlyInTheShortestBlock() {
    assertThat(MixRoute.shares(new double[] {0.7, 0.2, 0.1})).containsExactly(7, 2, 1);
    assertThat(MixRoute.shares(new double[] {3, 6})).containsExactly(1, 2);
    assertThat(MixRoute.shares(new double[] {1, 1, 1})).containsExactly(1, 1, 1);
    assertThat(MixRoute.shares(new double[] {0.999, 0.001})).containsExactly(999, 1);
  }

  @Test
  void shouldRoundOtherWeightsToTheLongestBlock() {
    int[] shares = MixRoute.shares(new double[] {Math.PI, Math.E, Math.sqrt(2)});
    double total = Math.PI + Math.E + Math.sqrt(2);

    assertThat(Arrays.stream(shares).sum()).isEqualTo(MixRoute.LONGEST_BLOCK);
    assertThat(shares[0] / 65536.0).isCloseTo(Math.PI / total, within(1 / 65536.0));
    assertThat(shares[2] / 65536.0).isCloseTo(Math.sqrt(2) / total, within(1 / 65536.0));
  }

  @Test
  void shouldMixSizesBeyondTheRangeOfAnInt() throws Exception {
    long large = 6_000_000_000L;
    Dataset<Sample> mixed =
        Dataset.mix(
            List.of(files("a", large), files("b", large)), new double[] {1, 2}, ALL_EXHAUSTED);
    long position = mixed.size() - 1;

    assertThat(mixed.size()).isBetween(3 * large - 3, 3 * large);
    assertThat(mixed.get(position)).isEqualTo(Sample.of("a", large - 1));
  }

  private static Dataset<Sample> mix(int first, int second, double... weights) {
    return Dataset.mix(List.of(files("a", first), files("b", second)), weights, ALL_EXHAUSTED);
  }

  @Test
  void shouldRefuseWeightsThatCannotBeObserved() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertRefused(() -> mix(1, 1, 1, bad), "weights[1] must be positive and finite, was " + bad);
    }
    assertRefused(() -> mix(1, 1, 1e-9, 1), "weights[0] = 1.0E-9 is less than 1/65536");
    assertRefused(() -> mix(1, 1, 1), "one weight for each dataset: 2 datasets, weights [1.0]");
    assertRefused(() -> mix(1, 0, 1, 1), "dataset 1 of the mixture, b, is empty");
    assertRefused(
        () -> Dataset.mix(List.<Dataset<Sample>>of(), new double[0], ALL_EXHAUSTED),
        "mix needs at least one dataset, was given none");
  }
}
