package io.feedline.packing;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.ErrorPolicy;
import io.feedline.ExpectedLog;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.Dataset.ReadAhead;
import io.feedline.data.DatasetContract;
import io.feedline.packing.TokenPacking.Overlong;
import io.feedline.packing.TokenPacking.PackedRow;
import io.feedline.packing.TokenPacking.Strategy;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.SamplerContract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PackedDatasetTest extends DatasetContract<PackedRow> {

  private static final int[] LENGTHS = Sequences.lengths(300, 64, 3);
  private static final List<TokenSequence> SEQUENCES = Sequences.of(LENGTHS);

  @Override
  protected Dataset<PackedRow> dataset() {
    return packed(TokenPacking.of(64));
  }

  private static PackedDataset packed(TokenPacking packing) {
    return packing.pack(Dataset.of(SEQUENCES), LENGTHS);
  }

  static List<PackedRow> rows(PackedDataset dataset) throws Exception {
    List<PackedRow> rows = new ArrayList<>();
    for (long row = 0; row < dataset.size(); row++) {
      rows.add(dataset.get(row));
    }
    return rows;
  }

  // ---- plans --------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void shouldHaveEachTokenOnceInRowsOfItsSequences(Strategy strategy) throws Exception {
    for (int rowLength : new int[] {64, 100, 1000}) {
      for (boolean shuffle : new boolean[] {true, false}) {
        PackedDataset dataset =
            packed(TokenPacking.builder(rowLength).strategy(strategy).shuffle(shuffle).build());
        List<PackedRow> rows = rows(dataset);
        assertThat(Sequences.sortedIds(rows)).isEqualTo(Sequences.allIds(LENGTHS));
        for (int i = 0; i < rows.size(); i++) {
          PackedRow row = rows.get(i);
          assertThat(row.size()).isBetween(1, rowLength);
          assertThat(Arrays.stream(row.lengths()).sum()).isEqualTo(row.size());
          assertThat(dataset.sequences(i)).hasSameSizeAs(row.lengths());
          if (strategy != Strategy.CONCATENATE) {
            assertThat(Arrays.stream(dataset.sequences(i)).map(index -> LENGTHS[(int) index]))
                .containsExactlyElementsOf(
                    Arrays.stream(row.lengths()).mapToObj(Long::valueOf).toList());
          }
        }
      }
    }
  }

  @Test
  void shouldCutAConcatenationAfterEachFullRow() throws Exception {
    int[] lengths = {2, 0, 9, 1, 4, 1};
    TokenPacking.Builder packing = TokenPacking.builder(4).strategy(Strategy.CONCATENATE);
    PackedDataset dataset =
        packing.shuffle(false).build().pack(Dataset.of(Sequences.of(lengths)), lengths);
    assertThat(rows(dataset))
        .extracting(row -> Arrays.toString(row.ids()) + Arrays.toString(row.lengths()))
        .containsExactly(
            "[1, 2, 3, 4][2, 2]",
            "[5, 6, 7, 8][4]",
            "[9, 10, 11, 12][3, 1]",
            "[13, 14, 15, 16][4]",
            "[17][1]");
    assertThat(dataset.sequences(2)).containsExactly(2, 3);
  }

  @Test
  void shouldPackWithinABufferOfNeighbors() {
    PackedDataset dataset = packed(TokenPacking.builder(64).buffer(50).shuffle(false).build());
    Set<Long> buffers = new HashSet<>();
    for (long row = 0; row < dataset.size(); row++) {
      long[] sequences = dataset.sequences(row);
      buffers.add(sequences[0] / 50);
      assertThat(LongStream.of(sequences)).allMatch(each -> each / 50 == sequences[0] / 50);
    }
    assertThat(buffers).hasSize(6);
  }

  @Test
  void shouldFillNinetyNinePercentOfTheRowsOfTextsOfUsualLengths() {
    int[] lengths = Sequences.lengths(20_000, 2048, 1);
    Dataset<TokenSequence> sequences = Dataset.of(Sequences.of(lengths));
    for (Strategy strategy : List.of(Strategy.FIRST_FIT_DECREASING, Strategy.BEST_FIT_DECREASING)) {
      PackedDataset.Stats stats =
          TokenPacking.builder(2048).strategy(strategy).build().pack(sequences, lengths).stats();
      assertThat(stats.fillRate()).as(stats.toString()).isBetween(0.99, 1.0);
      assertThat(stats.sequences()).isEqualTo(lengths.length);
      assertThat(stats.tokens()).isEqualTo(Arrays.stream(lengths).sum());
    }
  }

  @Test
  void shouldBeTheSameForEqualOptionsAndOtherwiseDiffer() throws Exception {
    TokenPacking packing = TokenPacking.builder(64).seed(1).build();
    PackedDataset dataset = packed(packing);
    assertThat(rows(packed(packing))).isEqualTo(rows(dataset));
    assertThat(packed(packing).fingerprint()).isEqualTo(dataset.fingerprint());
    PackedDataset other = packed(TokenPacking.builder(64).seed(2).build());
    assertThat(rows(other)).isNotEqualTo(rows(dataset));
    assertThat(other.fingerprint()).isNotEqualTo(dataset.fingerprint());
    int[] swapped = LENGTHS.clone();
    swapped[0] = LENGTHS[1];
    swapped[1] = LENGTHS[0];
    assertThat(packing.pack(Dataset.of(SEQUENCES), swapped).fingerprint())
        .isNotEqualTo(dataset.fingerprint());
  }

  @Test
  void shouldKeepTheRowsOfEarlierVersions() {
    int[] lengths = {5, 3, 9, 2, 7, 1, 8, 4, 6, 5};
    Dataset<TokenSequence> sequences = Dataset.of(Sequences.of(lengths));
    assertThat(rowsOf(TokenPacking.builder(10).shuffle(false).build().pack(sequences, lengths)))
        .isEqualTo("[2, 5] [3, 6] [1, 4] [7, 8] [0, 9]");
    assertThat(rowsOf(TokenPacking.builder(10).seed(7).buffer(6).build().pack(sequences, lengths)))
        .isEqualTo("[5, 2] [8, 3] [0, 9] [6] [4, 1] [7]");
  }

  private static String rowsOf(PackedDataset dataset) {
    return LongStream.range(0, dataset.size())
        .mapToObj(row -> Arrays.toString(dataset.sequences(row)))
        .collect(Collectors.joining(" "));
  }

  // ---- sequences that are longer than a row ---------------------------------------------------

  private static PackedDataset overlong(Overlong overlong) {
    int[] lengths = {3, 25, 0, 4, 10};
    return TokenPacking.builder(10)
        .overlong(overlong)
        .shuffle(false)
        .build()
        .pack(Dataset.of(Sequences.of(lengths)), lengths);
  }

  @Test
  void shouldRefuseASequenceThatIsLongerThanARowNamingItsIndex() {
    assertRefused(
        () -> overlong(Overlong.REFUSE), "index 1", "25 tokens", "a row 10", "Overlong.CUT");
  }

  @Test
  void shouldCutASequenceThatIsLongerThanARow() throws Exception {
    PackedDataset dataset = overlong(Overlong.CUT);
    assertThat(dataset.stats()).isEqualTo(new PackedDataset.Stats(4, 3, 27, 10, 15));
    assertThat(dataset.stats())
        .hasToString("4 sequences, 27 tokens in 3 rows of 10: 90.00% filled, 15 tokens cut off");
    assertThat(dataset.get(0).ids()).containsExactly(4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    assertThat(Sequences.sortedIds(rows(dataset))).doesNotContain(14, 28).contains(29);
  }

  @Test
  void shouldSplitASequenceThatIsLongerThanARow() throws Exception {
    PackedDataset dataset = overlong(Overlong.SPLIT);
    assertThat(dataset.stats()).isEqualTo(new PackedDataset.Stats(4, 5, 42, 10, 0));
    assertThat(Sequences.sortedIds(rows(dataset))).isEqualTo(Sequences.allIds(3, 25, 0, 4, 10));
    assertThat(rowsOf(dataset)).isEqualTo("[1] [1] [4] [1, 3] [0]");
    assertThat(dataset.get(1).ids()).startsWith(14).endsWith(23);
    assertThat(dataset.get(3).ids()).containsExactly(24, 25, 26, 27, 28, 29, 30, 31, 32);
  }

  @Test
  void shouldCountMoreTokensThanAnIntHolds() {
    int[] lengths = {1 << 30, 1 << 30, Integer.MAX_VALUE};
    int rowLength = 1 << 20;
    TokenPacking.Builder cut = TokenPacking.builder(rowLength).strategy(Strategy.CONCATENATE);
    TokenPacking.Builder split = TokenPacking.builder(rowLength).overlong(Overlong.SPLIT);
    for (TokenPacking packing : List.of(cut.shuffle(false).build(), split.build())) {
      PackedDataset dataset = packing.pack(Dataset.of(3, i -> TokenSequence.of()), lengths);
      assertThat(dataset.stats())
          .isEqualTo(new PackedDataset.Stats(3, 4096, (1L << 32) - 1, rowLength, 0));
      assertThat(LongStream.range(0, 4096).map(row -> dataset.sequences(row).length))
          .containsOnly(1L);
    }
  }

  // ---- packings -------------------------------------------------------------------------------

  @Test
  void shouldPutOtherSequencesTogetherInEachEpoch() throws Exception {
    PackedDataset dataset = packed(TokenPacking.builder(64).packings(3).build());
    Sampler sampler = dataset.sampler(9);
    List<Set<List<Long>>> together = new ArrayList<>();
    for (long epoch = 0; epoch < 4; epoch++) {
      Order order = sampler.order(epoch);
      List<PackedRow> rows = new ArrayList<>();
      Set<List<Long>> sets = new HashSet<>();
      for (long position = 0; position < order.size(); position++) {
        rows.add(dataset.get(order.indexAt(position)));
        sets.add(
            Arrays.stream(dataset.sequences(order.indexAt(position))).sorted().boxed().toList());
      }
      assertThat(Sequences.sortedIds(rows)).isEqualTo(Sequences.allIds(LENGTHS));
      together.add(sets);
    }
    assertThat(together.get(3)).as("the first packing again").isEqualTo(together.get(0));
    assertThat(together.get(1)).isNotEqualTo(together.get(0));
    assertThat(sampler.order(3).indexAt(0)).isNotEqualTo(sampler.order(0).indexAt(0));
    assertThat(dataset.stats().sequences()).isEqualTo(3L * LENGTHS.length);
    assertThat(dataset.stats().rows()).isEqualTo(dataset.size());
  }

  @Nested
  class Packings extends SamplerContract {
    Packings() {

      super(
          seed -> packed(TokenPacking.builder(64).packings(3).build()).sampler(seed),
          75,
          new long[] {16, 19, 35, 70, 8, 6, 14, 25});
    }

    @Override
    protected void verifyContents(long[] indices) {
      assertThat(Arrays.stream(indices)).doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldHaveNoRowsOfNoTokens() {
    TokenPacking packing = TokenPacking.builder(10).packings(2).build();
    PackedDataset dataset = packing.pack(Dataset.of(Sequences.of(0, 0)), new int[] {0, 0});
    assertThat(dataset.size()).isZero();
    assertThat(dataset.stats().fillRate()).isEqualTo(1);
    assertThat(dataset.stats()).hasToString("0 sequences, 0 tokens in 0 rows of 10");
  }

  // ---- reading --------------------------------------------------------------------------------

  @Test
  void shouldRefuseASequenceOfAnotherLengthThanItWasPackedWith() {
    int[] lengths = {3, 2};
    PackedDataset dataset =
        TokenPacking.of(10).pack(Sequences.failing(Sequences.of(3, 4), Set.of()), lengths);
    assertThrown(
        IllegalStateException.class,
        () -> dataset.get(0),
        "index 1",
        "described",
        "text 1",
        "4 tokens",
        "one of 2");
  }

  @Test
  void shouldAnnounceWhatARowWillRead() {
    Dataset<TokenSequence> source =
        new Dataset<>() {
          @Override
          public long size() {
            return 3;
          }

          @Override
          public TokenSequence get(long index) {
            return TokenSequence.of(1, 2);
          }

          @Override
          public void readAhead(long index, ReadAhead ahead) {
            ahead.add(i -> i, index);
          }
        };
    PackedDataset dataset = TokenPacking.of(6).pack(source, index -> 2);
    List<Long> announced = new ArrayList<>();
    dataset.readAhead(0, (reader, index) -> announced.add(index));
    assertThat(announced).containsExactlyInAnyOrder(0L, 1L, 2L);
  }

  @Test
  void shouldDescribeARowByItsFirstSequences() {
    PackedDataset dataset =
        TokenPacking.builder(10)
            .shuffle(false)
            .build()
            .pack(Sequences.failing(Sequences.of(1, 1, 1, 1, 1, 9), Set.of()), i -> i == 5 ? 9 : 1);
    assertThat(dataset.describe(0)).isEqualTo("row 0 with text 0, text 5");
    assertThat(dataset.describe(1)).isEqualTo("row 1 with text 1, text 2, text 3, text 4");
    assertThat(dataset.name()).isEqualTo("described.packed");
  }

  // ---- through loaders ------------------------------------------------------------------------

  private static DataLoaderBuilder<PackedRow> loader(PackedDataset rows, int workers) {
    return DataLoader.builder(rows)
        .batchSize(4)
        .sampler(rows.sampler(8))
        .numWorkers(workers)
        .collator(PackingCollator.builder().cuSeqlens(true).build());
  }

  @Test
  @ExpectedLog("SKIP")
  void shouldLeaveOutTheRowsOfSequencesThatFail() {
    Set<Long> broken = Set.of(17L, 230L);
    PackedDataset rows = TokenPacking.of(64).pack(Sequences.failing(SEQUENCES, broken), LENGTHS);
    long[] expected =
        LongStream.range(0, rows.size())
            .filter(row -> LongStream.of(rows.sequences(row)).anyMatch(broken::contains))
            .toArray();
    try (DataLoader<PackedRow> loader =
        loader(rows, 3).errorPolicy(ErrorPolicy.skip().atMost(5)).build()) {

      loader.forEach(Batch::close);
      assertThat(loader.quarantine().indices()).isEqualTo(expected).isNotEmpty();
      assertThat(loader.quarantine().entries().toString())
          .contains("the sequence at index 17 of described", "text 17 is torn");
    }
  }

  // ---- options --------------------------------------------------------------------------------

  @Test
  void shouldRefuseOptionsThatDoNotGoTogether() {
    assertRefused(() -> TokenPacking.of(0), "was 0");
    assertRefused(() -> TokenPacking.builder(8).buffer(0), "was 0");
    assertRefused(() -> TokenPacking.builder(8).packings(0), "was 0");
    TokenPacking.Builder cutting = TokenPacking.builder(8).strategy(Strategy.CONCATENATE);
    assertRefused(() -> cutting.overlong(Overlong.CUT).build(), "overlong(CUT)");
    assertRefused(() -> cutting.buffer(5).build(), "buffer(5)");
    assertRefused(() -> TokenPacking.builder(8).packings(2).shuffle(false).build(), "packings(2)");
  }

  @Test
  void shouldTakeTheLengthsOfTheDatasetOnly() throws Exception {
    TokenPacking packing = TokenPacking.of(64);
    Dataset<TokenSequence> dataset = Dataset.of(SEQUENCES);
    assertThat(TokenPacking.lengths(dataset)).isEqualTo(LENGTHS);
    assertRefused(() -> packing.pack(dataset, new int[] {1, 2}), "300 sequences", "2 lengths");
    assertRefused(() -> packing.pack(dataset, index -> (int) (3 - index)), "-1", "index 4");
  }

  private static final class NaiveRow {
    private int room;
    private int changed;
  }

  /** The rows of the pieces, found by looking at each row for each piece. */
  private static int[] naive(Strategy strategy, int rowLength, int[] lengths) {
    List<Integer> pieces = new ArrayList<>(IntStream.range(0, lengths.length).boxed().toList());
    if (strategy != Strategy.FIRST_FIT) {
      // The sort is stable.
      pieces.sort(Comparator.comparing(piece -> -lengths[piece]));
    }
    List<NaiveRow> rows = new ArrayList<>();
    int[] rowOf = new int[lengths.length];
    int clock = 0;
    for (int piece : pieces) {
      NaiveRow best = null;
      for (NaiveRow row : rows) {
        if (row.room >= lengths[piece]
            && (best == null || (strategy == Strategy.BEST_FIT_DECREASING && better(row, best)))) {
          best = row;
        }
      }
      if (best == null) {
        best = new NaiveRow();
        best.room = rowLength;
        rows.add(best);
      }
      best.room -= lengths[piece];
      best.changed = ++clock;
      rowOf[piece] = rows.indexOf(best);
    }
    return rowOf;
  }

  private static boolean better(NaiveRow row, NaiveRow best) {
    return row.room < best.room || (row.room == best.room && row.changed > best.changed);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CONCATENATE")
  void shouldPlaceEachPieceWhereASearchThroughAllRowsWould(Strategy strategy) {
    SplittableRandom random = new SplittableRandom(1);
    for (int rowLength : new int[] {1, 2, 63, 64, 65, 100, 4095, 4096, 5000}) {
      // One packer for all buffers: nothing may be left of one in the next.
      BinPacker packer = BinPacker.of(strategy, rowLength);
      for (int count : new int[] {0, 1, 2, 3, 4, 5, 17, 64, 65, 200, 3}) {
        int most = random.nextInt(1, rowLength + 1);
        int[] lengths = random.ints(count, 1, most + 1).toArray();
        int[] rowOf = new int[count];
        int rows = packer.pack(lengths, count, rowOf);
        assertThat(rowOf)
            .as("rows of %s in %d", Arrays.toString(lengths), rowLength)
            .isEqualTo(naive(strategy, rowLength, lengths));
        assertThat(rows).isEqualTo(Arrays.stream(rowOf).max().orElse(-1) + 1);
      }
    }
  }

  @Test
  void shouldFindInATreeOfRoomsWhatASortedSetFinds() {
    SplittableRandom random = new SplittableRandom(2);
    for (int bound : new int[] {1, 63, 64, 4095, 4096, 300_000}) {
      RoomTree tree = new RoomTree(bound);
      TreeSet<Integer> set = new TreeSet<>();
      for (int step = 0; step < 2000; step++) {
        int number = random.nextInt(bound + 1);
        if (random.nextInt(3) > 0) {
          tree.add(number);
          set.add(number);
        } else if (!set.isEmpty()) {
          int member = set.first();
          tree.remove(member);
          set.remove(member);
        }
        int asked = random.nextInt(bound + 1);
        Integer expected = set.ceiling(asked);
        assertThat(tree.ceiling(asked)).isEqualTo(expected == null ? -1 : expected);
      }
    }
  }
}
