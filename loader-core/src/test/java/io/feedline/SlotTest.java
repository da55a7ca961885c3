package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.batch.RowCollator;
import io.feedline.batch.RowCollator.Column;
import io.feedline.batch.Shape;
import io.feedline.batch.StrictAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The memory of a slot. */
class SlotTest {

  private final StrictAllocator allocator = new StrictAllocator();
  private final List<Integer> asked = new ArrayList<>();
  private final Slot slot =
      new Slot(
          bytes -> {
            asked.add(bytes);
            return allocator.allocate(bytes);
          });

  @AfterEach
  void allMemoryIsGivenBack() {
    slot.release();
    allocator.assertAllGivenBack();
  }

  private void arrange(int rowBytes) {
    Column column = new Column.OfTensor("data", DType.UINT8, Shape.of(rowBytes));
    slot.arrange(new RowCollator.Layout(List.of(column)), 4);
  }

  private void assemble(int... tensors) {
    Slot.Assembler assembler = slot.assembler();
    for (int i = 0; i < tensors.length; i++) {
      assembler.tensor("tensor " + i, DType.UINT8, Shape.of(tensors[i]));
    }
    slot.recycle();
  }

  @Test
  void shouldTakeForItsFirstBatchJustWhatThatNeeds() {
    arrange(1024);
    arrange(512);
    arrange(1024);
    assertThat(asked).containsExactly(4096);
  }

  @Test
  void shouldBeHalfAsLargeAgainForALargerBatch() {
    arrange(1024);
    arrange(1040);
    assertThat(slot.bytes()).isEqualTo(6144);
    for (int rowBytes = 1041; rowBytes <= 1536; rowBytes++) {
      arrange(rowBytes);
    }
    assertThat(asked).containsExactly(4096, 6144);

    arrange(4096);
    assertThat(asked).as("half as much again would not do").containsExactly(4096, 6144, 16_384);
    assertThat(allocator.openBytes()).as("nothing else is kept").isEqualTo(16_384);
  }

  @Test
  void shouldGrowFewTimesHoweverItsBatchesVary() {
    for (int rowBytes = 1; rowBytes <= 100_000; rowBytes += 7) {
      arrange(rowBytes);
    }
    // Half as much again, from 64 bytes to 400 000.
    assertThat(asked).hasSizeLessThanOrEqualTo(1 + 22);
  }

  @Test
  void shouldTakeJustWhatIsNeededWhereThereIsNoRoomToGrow() {
    assemble(1000);
    assemble(1010);
    allocator.failAt(0);
    assemble(1010);
    assertThat(asked).containsExactly(1000, 1010, 2138, 1010);
  }

  @Test
  void shouldGrowToTheLargestBlockAndNoFurther() {
    assertThat(Slot.grown(4096)).isEqualTo(6144);
    assertThat(Slot.grown(1_500_000_000)).isEqualTo(Integer.MAX_VALUE - 64);
    assertThat(Slot.grown(Integer.MAX_VALUE - 64)).isEqualTo(Integer.MAX_VALUE - 64);
  }

  @Test
  void shouldJoinWhatItTookInPiecesForTheNextBatch() {
    assemble(1000, 2000, 3000);
    assertThat(asked).containsExactly(1000, 2000, 3000);
    assemble(1000, 2000, 3000);
    assertThat(asked).containsExactly(1000, 2000, 3000, 6192);
    assemble(1000, 2000, 3000);
    assertThat(asked).hasSize(4);
    assertThat(allocator.openBytes()).isEqualTo(6192);
  }
}
