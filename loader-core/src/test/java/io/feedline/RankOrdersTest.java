package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.BatchSampler.BatchOrder;
import io.feedline.sampler.DistributedBatchSampler;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.WorldInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The reads of the other ranks of a machine, for a cache that they share. */
class RankOrdersTest {

  private static List<Long> indices(BatchOrder order) {
    List<Long> indices = new ArrayList<>();
    RowCursor cursor = new RowCursor(order, 0, java.util.Set.of());
    assertThat(cursor.samples()).isEqualTo(samples(order));
    for (; !cursor.atEnd(); cursor.next()) {
      indices.add(cursor.index());
    }
    return indices;
  }

  private static long samples(BatchOrder order) {
    long samples = 0;
    for (long batch = 0; batch < order.batches(); batch++) {
      samples += order.batchSize(batch);
    }
    return samples;
  }

  @Test
  void shouldHaveNoNeighborsWhereThereIsOneRank() {
    RankOrders orders = RankOrders.of(epoch -> null, RandomSampler.of(10, 1), 2, false, Map.of());
    assertThat(orders.neighbors(0)).isEmpty();
  }

  @Test
  void shouldHaveAllIndicesOfAnEpochTogetherWithItsNeighbors() {
    DistributedSampler mine = DistributedSampler.of(RandomSampler.of(30, 1), 1, 3);
    BatchSampler batches = BatchSampler.of(mine, 4, false);
    RankOrders orders = RankOrders.of(batches::order, mine, 4, false, Map.of());
    for (long epoch = 0; epoch < 3; epoch++) {
      List<Long> all = new ArrayList<>(indices(orders.order(epoch)));
      assertThat(orders.neighbors(epoch)).hasSize(2);
      orders.neighbors(epoch).forEach(each -> all.addAll(indices(each)));
      assertThat(all).hasSize(30).doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldHaveTheBatchesOfItsNeighbors() {
    BatchSampler base = BatchSampler.of(SequentialSampler.of(16), 2, false);
    DistributedBatchSampler mine =
        DistributedBatchSampler.of(base, new WorldInfo(0, 2), Remainder.DROP);
    RankOrders orders = RankOrders.of(mine::order, mine, Map.of());
    assertThat(orders.neighbors(0)).hasSize(1);
    assertThat(indices(orders.neighbors(0).get(0)))
        .containsExactly(2L, 3L, 6L, 7L, 10L, 11L, 14L, 15L);
  }

  @Test
  void shouldTakeTheRanksOfThisMachineAloneWhereALauncherTellsThem() {
    DistributedSampler mine = DistributedSampler.of(SequentialSampler.of(8), 5, 8);
    BatchSampler batches = BatchSampler.of(mine, 1, false);
    Map<String, String> environment = Map.of(RankOrders.LOCAL_WORLD_SIZE, "2");
    RankOrders orders = RankOrders.of(batches::order, mine, 1, false, environment);
    assertThat(orders.neighbors(0)).hasSize(1);
    assertThat(indices(orders.neighbors(0).get(0))).containsExactly(4L);
    for (String senseless : List.of("", "0", "-1", "many", "99999999999")) {
      environment = Map.of(RankOrders.LOCAL_WORLD_SIZE, senseless);
      assertThat(RankOrders.of(batches::order, mine, 1, false, environment).neighbors(0))
          .hasSize(7);
    }
  }

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
