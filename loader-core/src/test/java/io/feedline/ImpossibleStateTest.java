package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.Shards;
import io.feedline.internal.Json;
import io.feedline.packing.TokenPacking;
import io.feedline.packing.TokenPacking.Strategy;
import io.feedline.packing.TokenSequence;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.LengthBucketBatchSampler;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.WeightedRandomSampler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each number of a state, changed to one that cannot be. */
class ImpossibleStateTest {

  private static final int SIZE = 40;

  /** Up to two samples beyond the last may be those that a short last batch of three lacks. */
  private static final long[] CHANGES = {-1, 0, SIZE + 3, 1L << 31, Long.MAX_VALUE};

  @TempDir static Path directory;

  @BeforeAll
  static void writeLines() throws IOException {
    for (String name : List.of("a.txt", "b.txt")) {
      List<String> lines = IntStream.range(0, SIZE / 2).mapToObj(i -> name + " " + i).toList();
      Files.write(directory.resolve(name), lines);
    }
  }

  private static Dataset<Long> numbers() {
    return Dataset.of(SIZE, index -> index);
  }

  private static IterableDataset<String> lines() {
    try {
      return IterableDataset.lines(directory.resolve("a.txt"), directory.resolve("b.txt"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static IterableDataset<TokenSequence> sequences() {
    return lines().map(line -> TokenSequence.of(line.chars().toArray()));
  }

  private static Arguments of(String name, Supplier<DataLoaderBuilder<?>> builder) {
    return Arguments.of(name, builder);
  }

  private static DataLoaderBuilder<Long> threes() {
    return DataLoader.builder(numbers()).batchSize(3);
  }

  private static DataLoaderBuilder<String> threeLines() {
    return DataLoader.builder(lines()).batchSize(3);
  }

  private static DataLoaderBuilder<Long> batches(BatchSampler sampler) {
    return DataLoader.builder(numbers()).batchSampler(sampler);
  }

  static Stream<Arguments> loaders() {
    int[] lengths = IntStream.range(0, SIZE).map(i -> i % 7).toArray();
    int[] fours = IntStream.range(0, SIZE).map(index -> 4).toArray();
    Dataset<TokenSequence> ofFour = Dataset.of(SIZE, index -> TokenSequence.of(new int[4]));
    Sampler weighted = WeightedRandomSampler.of(new double[] {1, 2, 3}, SIZE, 1);
    return Stream.of(
        of("in order", () -> threes()),
        of("shuffled", () -> threes().shuffle(true)),
        of("dropLast", () -> threes().dropLast(true)),
        of("sampled", () -> threes().sampler(weighted)),
        of("batches", () -> batches(BatchSampler.of(RandomSampler.of(SIZE, 1), 3, false))),
        of("buckets", () -> batches(LengthBucketBatchSampler.of(lengths, 3, 1))),
        of("ranks", () -> threes().distributed(1, 3)),
        of("lines", () -> threeLines()),
        of("interleaved", () -> threeLines().interleave(2)),
        of("buffered", () -> threeLines().shuffleBuffer(5)),
        of("stream of ranks", () -> threeLines().distributed(1, 3)),
        of(
            "shards of ranks",
            () ->
                DataLoader.builder(Shards.of(20, 20).declaringSizes().seekable())
                    .batchSize(3)
                    .distributed(1, 2)),
        of(
            "packed rows",
            () ->
                DataLoader.builder(TokenPacking.builder(8).build().pack(ofFour, fours))
                    .batchSize(3)),
        of("packed stream", () -> packed(TokenPacking.builder(20).buffer(4))),
        of("cut stream", () -> packed(TokenPacking.builder(20).strategy(Strategy.CONCATENATE))));
  }

  private static DataLoaderBuilder<?> packed(TokenPacking.Builder packing) {
    return DataLoader.builder(packing.build().pack(sequences())).batchSize(3);
  }

  private static Map<String, Object> state(Supplier<DataLoaderBuilder<?>> builder) {
    return Json.read(Samples.stateAfter(build(builder), 2).toJson());
  }

  private static DataLoader<?> build(Supplier<DataLoaderBuilder<?>> builder) {
    return builder.get().collator((samples, batch) -> batch.values("n", samples)).build();
  }

  private static List<Map<String, Object>> changed(Map<String, Object> state) {
    List<Map<String, Object>> all = new ArrayList<>();
    state.forEach(
        (key, value) -> {
          List<?> numbers = value instanceof List<?> list ? list : List.of(value);
          for (int i = 0; i < numbers.size(); i++) {
            for (long change : CHANGES) {
              if (numbers.get(i) instanceof Long was && was != change) {
                List<Object> others = new ArrayList<>(numbers);
                others.set(i, change);
                Map<String, Object> copy = new LinkedHashMap<>(state);
                copy.put(key, value instanceof List<?> ? others : change);
                all.add(copy);
              }
            }
          }
        });
    return all;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("loaders")
  void shouldRefuseAStateThatWasChanged(String name, Supplier<DataLoaderBuilder<?>> builder) {
    List<Map<String, Object>> changed = changed(state(builder));
    assertThat(changed).hasSizeGreaterThan(30);
    for (Map<String, Object> state : changed) {
      assertThatThrownBy(() -> LoaderState.fromJson(Json.write(state)))
          .as("%s", state)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("loader's state");
    }
  }

  /** With the checksum of what it says, a state is refused only by its numbers. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("loaders")
  void shouldNotEndAnEpochForWhatCannotBe(String name, Supplier<DataLoaderBuilder<?>> builder) {
    List<String> emptied = new ArrayList<>();
    for (Map<String, Object> state : changed(state(builder))) {
      try (DataLoader<?> loader = build(builder)) {
        loader.resume(LoaderState.fromJson(ChangedState.checked(Json.write(state))));
        if (samples(loader.iterator()) == 0) {
          emptied.add(state.toString());
        }
        assertThat(loader.state().epoch()).isPositive();
        assertThat(loader.state().values().samples()).isNotNegative();
      } catch (IllegalArgumentException | LoaderException refused) {
        assertThat(refused.getMessage()).isNotBlank();
      }
    }
    assertThat(emptied).isEmpty();
  }

  private static int samples(BatchIterator batches) {
    return Probes.each(() -> batches, Batch::size).stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  void shouldRefuseAPositionBehindTheLastSample() {
    try (DataLoader<?> loader = threes().build()) {
      // Behind a last batch of one sample, which counts as three.
      LoaderState start = loader.state();
      loader.resume(ChangedState.with(start, "position", 42));
      assertThat(samples(loader.iterator())).isZero();
      LoaderState beyond = ChangedState.with(start, "position", 43);
      Refusals.assertRefused(
          () -> loader.resume(beyond),
          "1 rank cannot have used up 43 samples each",
          "epoch 0 has 40 in all");
    }
  }

  /** So no number of these says that a state was changed; only its checksum does. */
  @ParameterizedTest
  @CsvSource({"1, 13, 40", "2, 13, 41", "0, 14, 42"})
  void shouldReachEachPlaceUpToAWholeLastBatch(int single, int threes, int position) {
    LoaderState state =
        Samples.stateAfter(DataLoader.builder(numbers()).batchSize(1).build(), single);
    try (DataLoader<?> loader = threes().build()) {
      loader.resume(state);

      Samples.take(loader.iterator(), threes);
      state = loader.state();
      assertThat(state.position()).isEqualTo(position);
      loader.resume(LoaderState.fromJson(state.toJson()));
      assertThat(samples(loader.iterator())).isZero();
      assertThat(samples(loader.iterator())).isEqualTo(SIZE);
    }
  }

  @Test
  void shouldGoOnFromTheEndInBatchesOfAnotherSizeAndAmongOtherRanks() {
    LoaderState end = Samples.stateAfter(threes().build(), 14);
    assertThat(end.position()).isEqualTo(42);
    for (int ranks : new int[] {7, 1, 3, 1}) {
      try (DataLoader<?> loader =
          DataLoader.builder(numbers()).batchSize(1).distributed(0, ranks).build()) {
        loader.resume(end);
        end = LoaderState.fromJson(loader.state().toJson());
        assertThat(samples(loader.iterator())).isZero();
        assertThat(samples(loader.iterator())).isPositive();
      }
    }
  }

  @Test
  void shouldSayThatAStreamHasFewerSamplesThanTheStateStandsBehind() {
    try (DataLoader<?> loader = threeLines().build()) {
      loader.resume(ChangedState.with(loader.state(), "position", 60));
      BatchIterator batches = loader.iterator();
      Refusals.assertThrown(
          LoaderException.class,
          batches::next,
          "has 40 samples for this rank",
          "the loader's state stands behind 60");
      assertThat(batches.hasNext()).isFalse();
    }
  }
}
