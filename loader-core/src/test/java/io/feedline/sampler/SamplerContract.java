package io.feedline.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.sampler.Sampler.Order;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link Sampler}. Extend it, say how to make the sampler and what an epoch
 * of it contains.
 */
public abstract class SamplerContract {

  private static final long SEED = 7;

  private final LongFunction<Sampler> samplers;
  private final long size;
  private final long[] golden;

  /**
   * Tests samplers whose epochs are some hundred positions long.
   *
   * @param samplers makes equal samplers of equal seeds
   * @param golden the first indices of epoch 3 with seed 7, written down once: an order that
   *     changes between versions makes resumed trainings wrong and published ones unrepeatable
   */
  protected SamplerContract(LongFunction<Sampler> samplers, long size, long... golden) {
    this.samplers = samplers;
    this.size = size;
    this.golden = golden;
  }

  protected final Sampler sampler(long seed) {
    return samplers.apply(seed);
  }

  /** Tests whether epochs differ. */
  protected boolean random() {
    return true;
  }

  /** Fails unless these may be an epoch's indices; by default each of 0 .. size-1 once. */
  protected void verifyContents(long[] indices) {
    assertThat(sorted(indices)).isEqualTo(LongStream.range(0, size).toArray());
  }

  @Test
  void shouldKeepTheOrderOfEarlierVersions() {
    Order order = sampler(SEED).order(3);
    // Without numbers the test fails, and prints those to write down.
    long shown = golden.length > 0 ? golden.length : Math.min(10, size);
    assertThat(LongStream.range(0, shown).map(order::indexAt).toArray()).isEqualTo(golden);
  }

  @Test
  void shouldContainWhatItPromises() {
    for (long epoch = 0; epoch < 5; epoch++) {
      verifyContents(indices(sampler(SEED).order(epoch)));
      assertThat(sampler(SEED).order(1_000_000 * epoch).size()).isEqualTo(size);
    }
  }

  @Test
  void shouldRejectPositionsOutsideTheEpoch() {
    Order order = sampler(SEED).order(1);
    for (long position : new long[] {-1, size, size + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> order.indexAt(position))
          .as("position %d", position)
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void shouldGiveEqualOrdersForEqualEpochs() {
    Sampler sampler = sampler(SEED);
    long[] once = indices(sampler.order(2));
    indices(sampler.order(3));
    assertThat(indices(sampler.order(2))).as("asked again").isEqualTo(once);
    assertThat(indices(sampler(SEED).order(2))).as("asked of an equal sampler").isEqualTo(once);
  }

  @Test
  void shouldGiveEqualOrdersInWhateverSequencePositionsAreAskedFor() {
    long[] inSequence = indices(sampler(SEED).order(2));
    Order order = sampler(SEED).order(2);
    long[] positions = new SplittableRandom(1).longs(2 * size, 0, size).toArray();
    assertThat(Arrays.stream(positions).map(order::indexAt).toArray())
        .isEqualTo(Arrays.stream(positions).map(position -> inSequence[(int) position]).toArray());
  }

  @Test
  void shouldGiveEqualOrdersToSeveralThreads() {
    long[] alone = indices(sampler(SEED).order(4));
    Order shared = sampler(SEED).order(4);
    List<long[]> seen =
        IntStream.range(0, 8).parallel().mapToObj(thread -> indices(shared)).toList();
    assertThat(seen).allSatisfy(indices -> assertThat(indices).isEqualTo(alone));
  }

  @Test
  void shouldGiveOtherOrdersForOtherEpochsAndSeedsIfRandom() {
    long[] order = indices(sampler(SEED).order(0));
    if (random()) {
      assertThat(indices(sampler(SEED).order(1))).as("epoch 1").isNotEqualTo(order);
      assertThat(indices(sampler(SEED + 1).order(0))).as("another seed").isNotEqualTo(order);
    } else {
      assertThat(indices(sampler(SEED).order(1))).as("epoch 1").isEqualTo(order);
    }
  }

  /** A random transform of an index that comes again draws anew. */
  @Test
  void shouldTellTheOccurrencesOfAnIndexApart() {
    Order order = sampler(SEED).order(2);
    List<List<Long>> seen =
        LongStream.range(0, order.size())
            .mapToObj(position -> List.of(order.indexAt(position), order.occurrence(position)))
            .toList();
    assertThat(seen).doesNotHaveDuplicates();
    boolean repeats = indices(order).length > LongStream.of(indices(order)).distinct().count();
    if (!repeats) {
      // A rank may end with padding, which another rank has too.
      assertThat(seen.subList(0, seen.size() - 1))
          .as("draws that do not depend on the order")
          .allMatch(it -> it.get(1) == 0);
    }
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
