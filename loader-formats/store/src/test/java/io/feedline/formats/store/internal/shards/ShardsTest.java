package io.feedline.formats.store.internal.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardsTest {

  @Test
  void shouldFindEachSampleWhateverShardsAreEmpty() {
    Shards shards = Shards.of(0, 0, 2, 0, 0, 0, 1, 3, 0, 0);
    assertThat(shards.count()).isEqualTo(10);
    assertThat(shards.samples()).isEqualTo(6);
    assertThat(shards.sizes()).containsExactly(0, 0, 2, 0, 0, 0, 1, 3, 0, 0);
    List<String> places = new ArrayList<>();
    for (long index = 0; index < shards.samples(); index++) {
      int shard = shards.shardOf(index);
      places.add(shard + "/" + shards.indexIn(shard, index));
    }
    assertThat(places).containsExactly("2/0", "2/1", "6/0", "7/0", "7/1", "7/2");
    assertThat(Shards.of(1, 0, 0, 0, 0, 0, 0, 1).shardOf(1)).isEqualTo(7);
    for (long none : new long[] {-1, 6}) {
      assertThatThrownBy(() -> shards.shardOf(none)).isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThatThrownBy(() -> Shards.of().shardOf(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
