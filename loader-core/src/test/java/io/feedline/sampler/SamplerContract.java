package io.feedline.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link Sampler}: that of a batch sampler whose batches are its positions.
 * Extend it, say how to make the sampler and what an epoch of it contains.
 */
public abstract class SamplerContract extends BatchSamplerContract {

  private final LongFunction<Sampler> samplers;
  private final long size;

  /**
   * Tests samplers whose epochs are some hundred positions long.
   *
   * @param samplers makes equal samplers of equal seeds
   * @param golden the first indices of epoch 3 with seed 7, written down once: an order that
   *     changes between versions makes resumed trainings wrong and published ones unrepeatable
   */
  protected SamplerContract(LongFunction<Sampler> samplers, long size, long... golden) {
    super(
        seed -> positions(samplers.apply(seed)), Arrays.stream(golden).mapToObj(List::of).toList());
    this.samplers = samplers;
    this.size = size;
  }

  private static BatchSampler positions(Sampler sampler) {
    return epoch -> new Positions(sampler.order(epoch));
  }

  private record Positions(Order order) implements BatchSampler.BatchOrder {
    @Override
    public long batches() {
      return order.size();
    }

    @Override
    public int batchSize(long position) {
      order.indexAt(position);
      return 1;
    }

    @Override
    public long indexAt(long position, int row) {
      Objects.checkIndex(row, 1);
      return order.indexAt(position);
    }

    @Override
    public long occurrence(long position, int row) {
      return order.occurrence(position);
    }
  }

  protected final Sampler sampler(long seed) {
    return samplers.apply(seed);
  }

  /** Fails unless these may be an epoch's indices; by default each of 0 .. size-1 once. */
  protected void verifyContents(long[] indices) {
    assertThat(sorted(indices)).isEqualTo(LongStream.range(0, size).toArray());
  }

  @Override
  protected final void verifyContents(List<List<Long>> batches) {
    verifyContents(batches.stream().mapToLong(batch -> batch.get(0)).toArray());
  }

  @Test
  void shouldKnowItsSize() {
    assertThat(sampler(7).order(0).size()).isEqualTo(size);
    assertThat(sampler(7).order(1_000_000).size()).isEqualTo(size);
  }

  /** All indices of an order. */
  protected static long[] indices(Order order) {
    return LongStream.range(0, order.size()).map(order::indexAt).toArray();
  }

  /** A sorted copy. */
  protected static long[] sorted(long[] indices) {
    long[] sorted = indices.clone();
    Arrays.sort(sorted);
    return sorted;
  }
}
