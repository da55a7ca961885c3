package io.feedline.packing;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.ExpectedLog;
import io.feedline.LoaderState;
import io.feedline.Samples;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.IterableDatasetContract;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.packing.TokenPacking.Overlong;
import io.feedline.packing.TokenPacking.PackedRow;
import io.feedline.packing.TokenPacking.Strategy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of streams: of lines with a sequence each, whose places a state keeps. */
class PackedStreamTest {

  private static final int[] LENGTHS = Sequences.lengths(240, 40, 5);
  private static final int[] FIRST = Arrays.copyOf(LENGTHS, 150);

  @TempDir static Path directory;

  @BeforeAll
  static void writeSequences() throws IOException {
    List<String> lines =
        Sequences.of(LENGTHS).stream()
            .map(
                sequence ->
                    Arrays.stream(sequence.ids())
                        .mapToObj(Integer::toString)
                        .collect(Collectors.joining(" ")))
            .toList();
    Files.write(directory.resolve("a.txt"), lines.subList(0, FIRST.length));
    Files.write(directory.resolve("b.txt"), lines.subList(FIRST.length, lines.size()));
  }

  private static TokenSequence parse(String line) {
    return TokenSequence.of(
        Arrays.stream(line.split(" ", -1)).mapToInt(Integer::parseInt).toArray());
  }

  private static IterableDataset<TokenSequence> sequences() throws IOException {
    return IterableDataset.lines(directory.resolve("a.txt"), directory.resolve("b.txt"))
        .map(PackedStreamTest::parse);
  }

  private static IterableDataset<PackedRow> rows(Strategy strategy) throws IOException {
    TokenPacking.Builder packing = TokenPacking.builder(40).strategy(strategy).seed(2);
    return (strategy == Strategy.CONCATENATE ? packing : packing.buffer(32))
        .build()
        .pack(sequences());
  }

  static List<Named<Callable<IterableDataset<PackedRow>>>> streams() {
    TokenPacking.Builder split = TokenPacking.builder(13).buffer(20).overlong(Overlong.SPLIT);
    return List.of(
        named("first fit", () -> rows(Strategy.FIRST_FIT)),
        named("best fit decreasing", () -> rows(Strategy.BEST_FIT_DECREASING)),
        named("concatenation", () -> rows(Strategy.CONCATENATE)),
        named("split", () -> split.shuffle(false).build().pack(sequences())));
  }

  @Nested
  @ParameterizedClass
  @MethodSource("io.feedline.packing.PackedStreamTest#streams")
  class Promises extends IterableDatasetContract<PackedRow> {
    @Parameter Callable<IterableDataset<PackedRow>> stream;

    @Override
    protected IterableDataset<PackedRow> dataset() throws Exception {
      return stream.call();
    }
  }

  private static List<PackedRow> read(SampleStream<PackedRow> stream) throws Exception {
    List<PackedRow> rows = new ArrayList<>();
    for (PendingSample<PackedRow> row = stream.next(); row != null; row = stream.next()) {
      rows.add(row.get(new SampleContext(0, 0, 0)));
    }
    return rows;
  }

  @ParameterizedTest
  @EnumSource
  void shouldHaveEachTokenOnce(Strategy strategy) throws Exception {
    IterableDataset<PackedRow> packed = rows(strategy);
    List<PackedRow> rows = new ArrayList<>();
    for (int shard = 0; shard < 2; shard++) {
      try (SampleStream<PackedRow> stream = packed.open(shard, 0)) {
        rows.addAll(read(stream));
      }
    }
    assertThat(Sequences.sortedIds(rows)).isEqualTo(Sequences.allIds(LENGTHS));
  }

  @Test
  void shouldPackABufferAsADatasetOfItsSequencesIsPacked() throws Exception {
    TokenPacking packing = TokenPacking.builder(40).buffer(32).shuffle(false).build();
    List<TokenSequence> first = Sequences.of(FIRST);
    PackedDataset dataset = packing.pack(Dataset.of(first), FIRST);
    try (SampleStream<PackedRow> stream = packing.pack(sequences()).open(0, 0)) {
      assertThat(read(stream)).isEqualTo(PackedDatasetTest.rows(dataset));
    }
  }

  @Test
  void shouldGiveTheRowsOfABufferInAnotherOrderInEachEpoch() throws Exception {
    IterableDataset<PackedRow> packed = rows(Strategy.BEST_FIT_DECREASING);
    try (SampleStream<PackedRow> first = packed.open(0, 0);
        SampleStream<PackedRow> second = packed.open(0, 1)) {
      List<PackedRow> rows = read(first);
      List<PackedRow> others = read(second);
      assertThat(others).isNotEqualTo(rows).containsExactlyInAnyOrderElementsOf(rows);
    }
  }

  @Test
  void shouldDrawByTheSeedOfThePackingBeforeIt() throws Exception {
    List<List<PackedRow>> rows = new ArrayList<>();
    IterableDataset<TokenSequence> drawn =
        sequences()
            .map(
                (sequence, random) ->
                    TokenSequence.of(random.ints(sequence.size(), 0, 1 << 30).toArray()));
    for (long[] seedAndEpoch : new long[][] {{1, 0}, {1, 0}, {1, 1}, {2, 0}}) {
      IterableDataset<PackedRow> packed =
          TokenPacking.builder(40).shuffle(false).seed(seedAndEpoch[0]).build().pack(drawn);
      try (SampleStream<PackedRow> stream = packed.open(0, seedAndEpoch[1]);
          SampleStream<PackedRow> other = packed.open(1, seedAndEpoch[1])) {
        rows.add(read(stream));
        rows.add(read(other));
      }
    }
    assertThat(rows.subList(2, 4)).isEqualTo(rows.subList(0, 2));
    rows.subList(2, 4).clear();
    assertThat(rows.stream().map(shard -> shard.get(0).ids()[0])).doesNotHaveDuplicates();
  }

  @Test
  void shouldPackASourceThatCanBeReadOnce() throws Exception {
    List<TokenSequence> first = Sequences.of(FIRST);
    IterableDataset<PackedRow> packed =
        TokenPacking.of(40).pack(IterableDataset.once(() -> SampleStream.of(first.iterator())));
    assertThat(packed.readOnce()).isTrue();
    List<PackedRow> rows = new ArrayList<>();
    try (DataLoader<PackedRow> loader = loader(packed)) {
      rows.addAll(IterableDatasetContract.take(loader.iterator(), 1000));
      assertThrown(
          IllegalStateException.class,
          () -> IterableDatasetContract.take(loader.iterator(), 1),
          "once");
    }
    assertThat(Sequences.sortedIds(rows)).isEqualTo(Sequences.allIds(FIRST));
  }

  @ParameterizedTest
  @EnumSource
  void shouldResumeAtTheBeginningOfABufferAndNotOfTheStream(Strategy strategy) throws Exception {
    AtomicInteger made = new AtomicInteger();
    IterableDataset<TokenSequence> counted =
        sequences().map(Samples.after(sequence -> made.incrementAndGet()));
    TokenPacking.Builder builder = TokenPacking.builder(40).strategy(strategy);
    TokenPacking packing =
        (strategy == Strategy.CONCATENATE ? builder : builder.buffer(32)).build();
    LoaderState state;
    List<PackedRow> expected;
    try (DataLoader<PackedRow> loader = loader(packing.pack(counted))) {
      BatchIterator batches = loader.iterator();
      IterableDatasetContract.take(batches, 20);
      state = LoaderState.fromJson(loader.state().toJson());
      expected = IterableDatasetContract.take(batches, 1000);
    }
    assertThat(state.toJson()).contains("\"stream\"");
    int read = expected.stream().mapToInt(row -> row.lengths().length).sum();
    made.set(0);
    try (DataLoader<PackedRow> loader = loader(packing.pack(counted))) {
      loader.resume(state);
      assertThat(IterableDatasetContract.take(loader.iterator(), 1000)).isEqualTo(expected);
    }
    assertThat(made.get()).isLessThanOrEqualTo(read + 32).isLessThan(LENGTHS.length - 50);
  }

  private static DataLoader<PackedRow> loader(IterableDataset<PackedRow> rows) {
    return DataLoader.builder(rows)
        .batchSize(2)
        .numWorkers(1)
        .prefetchNextEpoch(false)
        .collator((samples, batch) -> batch.values("sample", samples))
        .build();
  }

  // ---- failures -------------------------------------------------------------------------------

  private static IterableDataset<PackedRow> withBrokenLines(Strategy strategy) throws IOException {
    Path file = directory.resolve("broken.txt");
    Files.write(file, List.of("1 2 3", "4 x", "5 6", "7 8 9 10 11 12", "13"));
    return TokenPacking.builder(5)
        .strategy(strategy)
        .build()
        .pack(IterableDataset.lines(file).map(PackedStreamTest::parse));
  }

  @Test
  @ExpectedLog("SKIP")
  void shouldLeaveOutSequencesThatFailOrAreRefused() throws Exception {
    try (DataLoader<PackedRow> loader =
        DataLoader.builder(withBrokenLines(Strategy.BEST_FIT_DECREASING))
            .batchSize(10)
            .numWorkers(0)
            .collator(PackingCollator.of())
            .errorPolicy(ErrorPolicy.skip())
            .build()) {
      Batch batch = loader.iterator().next();
      assertThat(Arrays.stream(batch.tensor("input_ids").toLongArray()).filter(id -> id > 0))
          .containsExactlyInAnyOrder(1L, 2L, 3L, 5L, 6L, 13L);
      batch.close();
      assertThat(loader.quarantine().entries())
          .hasSize(2)
          .anySatisfy(
              entry ->
                  assertThat(entry.toString())
                      .contains("broken.txt:4 has 6 tokens, a row 5", "Overlong.SPLIT"));
    }
  }

  @Test
  void shouldConcatenateWhatDoesNotFail() throws Exception {
    try (SampleStream<PackedRow> stream = withBrokenLines(Strategy.CONCATENATE).open(0, 0)) {
      assertThrown(IOException.class, stream::next);
      assertThat(read(stream))
          .extracting(row -> Arrays.toString(row.ids()) + Arrays.toString(row.lengths()))
          .containsExactly("[1, 2, 3, 5, 6][3, 2]", "[7, 8, 9, 10, 11][5]", "[12, 13][1, 1]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldGoOnBehindEachFailure(Strategy strategy) throws Exception {
    IterableDataset<PackedRow> packed = withBrokenLines(strategy);
    List<String> all = places(packed.open(0, 0));
    assertThat(all.toString()).contains("broken.txt:2 cannot be read", "\"x\"");
    for (int read = 0; read <= all.size(); read++) {
      try (SampleStream<PackedRow> stream = packed.open(0, 0);
          SampleStream<PackedRow> other = packed.open(0, 0)) {
        stream.skip(read);
        other.goTo(read, stream.mark());
        assertThat(places(other)).isEqualTo(all.subList(read, all.size()));
      }
    }
  }

  /** Returns the element at each place: a row or a failure. */
  private static List<String> places(SampleStream<PackedRow> stream) throws Exception {
    List<String> places = new ArrayList<>();
    while (true) {
      try {
        PendingSample<PackedRow> pending = stream.next();
        if (pending == null) {
          return places;
        }
        places.add(Arrays.toString(pending.get(new SampleContext(0, 0, 0)).ids()));
      } catch (IOException e) {
        places.add(e.getMessage());
      }
    }
  }

  @Test
  void shouldRefuseADamagedMarkAndSeveralPackings() throws Exception {
    for (List<Long> mark : List.of(List.of(1L, 0L, 0L), List.of(1L, -1L, 0L, 7L))) {
      try (SampleStream<PackedRow> stream = rows(Strategy.FIRST_FIT).open(0, 0)) {
        assertThrown(IOException.class, () -> stream.goTo(0, mark), mark.toString());
      }
    }
    TokenPacking twice = TokenPacking.builder(8).packings(2).build();
    assertRefused(() -> twice.pack(sequences()), "packings(2)");
  }

  @Test
  void shouldSayThatTheShardHasBeenChanged() throws Exception {
    try (SampleStream<PackedRow> bins = rows(Strategy.FIRST_FIT).open(1, 0);
        SampleStream<PackedRow> cuts = rows(Strategy.CONCATENATE).open(1, 0)) {
      String changed = "has been changed";
      assertThrown(IOException.class, () -> bins.goTo(5000, List.of(0L, 0L, 5000L, 0L)), changed);
      assertThrown(IOException.class, () -> cuts.goTo(1, List.of(0L, 5000L, 0L, 0L)), changed);
    }
  }
}
