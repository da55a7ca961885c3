package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.ListCollator;
import io.feedline.batch.Shape;
import io.feedline.batch.StrictAllocator;
import io.feedline.data.Dataset;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that grow: direct memory that was outgrown is freed by the garbage collector only. */
@Timeout(60)
class OutgrownMemoryTest {

  private static final int MOST_ROW_BYTES = 100_000;

  /** Remembers what was allocated in all, as if nothing were ever freed. */
  private static final class Miser implements HostAllocator {
    private final AtomicLong allBytes = new AtomicLong();
    private final StrictAllocator allocator = new StrictAllocator();

    @Override
    public HostMemory allocate(int bytes) {
      allBytes.addAndGet(bytes);
      return allocator.allocate(bytes);
    }
  }

  /** Each batch of four has larger rows than the one before, up to 100 000 bytes. */
  private static Dataset<boolean[]> growing() {
    return Dataset.of(800, index -> new boolean[(int) (index / 4 + 1) * MOST_ROW_BYTES / 200]);
  }

  private static final ListCollator<boolean[]> TENSOR =
      (samples, batch) -> {
        int length = samples.get(0).length;
        ByteBuffer bytes = batch.tensor("data", DType.BOOL, Shape.of(samples.size(), length));
        while (bytes.hasRemaining()) {
          bytes.put((byte) 1);
        }
      };

  @ParameterizedTest
  @CsvSource({"0,false", "2,false", "0,true", "2,true"})
  void shouldOutgrowNoMoreThanTwiceWhatItUses(int workers, boolean list) {
    Miser miser = new Miser();
    DataLoaderBuilder<boolean[]> builder = Samples.loader(growing(), 4, workers).allocator(miser);
    try (DataLoader<boolean[]> loader = (list ? builder.collator(TENSOR) : builder).build()) {
      loader.forEach(Batch::close);
      int slots = loader.options().prefetch() + loader.options().maxOpenBatches();
      // A last block that is half as large again as needed, and those before it.
      assertThat(miser.allBytes).hasValueLessThan(slots * 4L * MOST_ROW_BYTES * 9 / 2);
    }
    miser.allocator.assertAllGivenBack();
  }

  @Test
  void shouldCountDirectMemoryThatIsNotFreedYet() {
    CountingAllocator allocator = new CountingAllocator(HostAllocator.direct());
    HostAllocator.HostMemory memory = allocator.allocate(1 << 20);
    ByteBuffer view = memory.buffer().slice(10, 20);
    assertThat(allocator.bytes()).isEqualTo(1 << 20);
    assertThat(allocator.unfreedBytes()).isZero();

    memory.close();
    System.gc();
    assertThat(allocator.bytes()).isZero();
    assertThat(allocator.unfreedBytes()).isGreaterThanOrEqualTo(1 << 20);
    assertThat(view.capacity()).isEqualTo(20);

    view = null;
    assertThat(Garbage.makes(() -> allocator.unfreedBytes() == 0)).isTrue();
  }

  @Test
  void shouldKeepTheCountOfMemoryThatIsNotFreedWithinTheBudget() {
    long budget = 8 * 4L * MOST_ROW_BYTES;
    try (DataLoader<boolean[]> loader =
        Samples.loader(growing(), 4, 2).prefetch(16).prefetchBytes(budget).build()) {
      long before = Resources.now().directBytes();
      long most = 0;
      for (Batch batch : loader) {
        batch.close();
        most = Math.max(most, Resources.now().directBytes() - before);
      }
      // One batch is always made, and its slots grow to their last size whatever the budget.
      assertThat(most).isLessThan(2 * budget);
    }
  }
}
