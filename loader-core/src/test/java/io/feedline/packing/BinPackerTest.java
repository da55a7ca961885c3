package io.feedline.packing;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.packing.TokenPacking.Strategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The packers place each piece where a search through all rows would. */
class BinPackerTest {

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
