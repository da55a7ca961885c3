package io.feedline.formats.cli.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class RowMemoryTest {

  /** A row that is written again at once would lie in a cache, which a loader's does not. */
  @Test
  void shouldHaveAsManyRowsAsALoader() {
    assertThat(rowsOf(new RowMemory(1 << 10, 96, 2))).isEqualTo(96);
  }

  @Test
  void shouldHaveNoMoreThanCachesHold() {
    assertThat(rowsOf(new RowMemory(1 << 20, 1_000_000, 2))).isEqualTo(64);
  }

  @Test
  void shouldHaveRowsForAllThreads() {
    assertThat(rowsOf(new RowMemory(1 << 10, 3, 8))).isEqualTo(16);
  }

  @Test
  void shouldGiveRowsInTheOrderOfTheMachine() {
    assertThat(new RowMemory(8, 1, 1).next().order()).isEqualTo(ByteOrder.nativeOrder());
  }

  /** Marks rows until a marked one comes. */
  private static int rowsOf(RowMemory memory) {
    int count = 0;
    for (ByteBuffer row = memory.next(); row.get(0) == 0; row = memory.next()) {
      row.put(0, (byte) 1);
      count++;
    }
    return count;
  }
}
