package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.BatchSampler.BatchOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowCursorTest {

  /** Batch n has n + 1 rows. */
  private static final BatchOrder GROWING =
      Samples.batches(5, batch -> (int) batch + 1, (batch, row) -> 10 * batch + row);

  @Test
  void shouldPassEachRowOfTheBatchesThatAreNotLeftOut() {
    RowCursor cursor = new RowCursor(GROWING, 7, Set.of(7L, 9L, 10L));
    assertThat(cursor.samples()).isEqualTo(2 + 5);
    List<Long> indices = new ArrayList<>();
    while (!cursor.atEnd()) {
      assertThat(cursor.isBeyond(cursor.batch(), cursor.row())).isFalse();
      long batch = cursor.batch();
      int row = cursor.row();
      indices.add(cursor.index());
      cursor.next();
      assertThat(cursor.isBeyond(batch, row)).isTrue();
    }
    assertThat(indices).containsExactly(10L, 11L, 40L, 41L, 42L, 43L, 44L);
    assertThat(cursor.end()).isEqualTo(12);
  }
}
