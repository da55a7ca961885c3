package io.feedline.sampler;

import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.sampler.BatchSampler.BatchOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link BatchSampler}. Extend it, say how to make the batch sampler and what
 * an epoch of it contains.
 */
public abstract class BatchSamplerContract {

  private static final long SEED = 7;

  private final LongFunction<BatchSampler> batchSamplers;
  private final List<List<Long>> golden;

  /**
   * Tests batch samplers whose epochs are some tens of batches long.
   *
   * @param batchSamplers makes equal batch samplers of equal seeds
   * @param golden the first batches of epoch 3 with seed 7, written down once
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // The array is only read.
  protected BatchSamplerContract(LongFunction<BatchSampler> batchSamplers, List<Long>... golden) {
    this(batchSamplers, List.of(golden));
  }

  BatchSamplerContract(LongFunction<BatchSampler> batchSamplers, List<List<Long>> golden) {
    this.batchSamplers = batchSamplers;
    this.golden = golden;
  }

  protected final BatchSampler batchSampler(long seed) {
    return batchSamplers.apply(seed);
  }

  /** Tests whether epochs differ. */
  protected boolean random() {
    return true;
  }

  /** Fails unless these may be an epoch's batches. */
  protected abstract void verifyContents(List<List<Long>> batches);

  @Test
  void shouldKeepTheBatchesOfEarlierVersions() {
    List<List<Long>> batches = batches(batchSampler(SEED).order(3));
    // Without golden batches the test fails, and prints those to write down.
    int shown = golden.isEmpty() ? Math.min(10, batches.size()) : golden.size();
    assertThat(batches.subList(0, shown)).isEqualTo(golden);
  }

  @Test
  void shouldContainWhatItPromises() {
    for (long epoch = 0; epoch < 5; epoch++) {
      List<List<Long>> batches = batches(batchSampler(SEED).order(epoch));
      assertThat(batches).isNotEmpty().noneMatch(List::isEmpty);
      verifyContents(batches);
    }
  }

  @Test
  void shouldRejectBatchesAndRowsOutsideTheEpoch() {
    BatchOrder order = batchSampler(SEED).order(1);
    for (long batch : new long[] {-1, order.batches(), Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertOutside(() -> order.batchSize(batch));
      assertOutside(() -> order.indexAt(batch, 0));
    }
    for (int row : new int[] {-1, order.batchSize(0), Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertOutside(() -> order.indexAt(0, row));
    }
  }

  private static void assertOutside(ThrowingCallable call) {
    assertThrown(IndexOutOfBoundsException.class, call);
  }

  @Test
  void shouldGiveEqualBatchesForEqualEpochs() {
    BatchSampler sampler = batchSampler(SEED);
    List<List<Long>> once = batches(sampler.order(2));
    batches(sampler.order(3));
    assertThat(batches(sampler.order(2))).as("asked again").isEqualTo(once);
    assertThat(batches(batchSampler(SEED).order(2))).as("of an equal one").isEqualTo(once);
  }

  @Test
  void shouldGiveEqualBatchesInWhateverSequenceTheyAreAskedFor() {
    List<List<Long>> inSequence = batches(batchSampler(SEED).order(2));
    BatchOrder order = batchSampler(SEED).order(2);
    for (int batch = inSequence.size() - 1; batch >= 0; batch--) {
      assertThat(batch(order, batch)).as("batch %d", batch).isEqualTo(inSequence.get(batch));
    }
  }

  @Test
  void shouldGiveEqualBatchesToSeveralThreads() {
    List<List<Long>> alone = batches(batchSampler(SEED).order(4));
    BatchOrder shared = batchSampler(SEED).order(4);
    assertThat(IntStream.range(0, 8).parallel().mapToObj(thread -> batches(shared)).toList())
        .allSatisfy(batches -> assertThat(batches).isEqualTo(alone));
  }

  @Test
  void shouldGiveOtherBatchesForOtherEpochsAndSeedsIfRandom() {
    List<List<Long>> batches = batches(batchSampler(SEED).order(0));
    if (random()) {
      assertThat(batches(batchSampler(SEED).order(1))).as("epoch 1").isNotEqualTo(batches);
      assertThat(batches(batchSampler(SEED + 1).order(0))).as("seed").isNotEqualTo(batches);
    } else {
      assertThat(batches(batchSampler(SEED).order(1))).as("epoch 1").isEqualTo(batches);
    }
  }

  /** A random transform of an index that comes again draws anew. */
  @Test
  void shouldTellTheOccurrencesOfAnIndexApart() {
    BatchOrder order = batchSampler(SEED).order(2);
    List<List<Long>> seen = new ArrayList<>();
    for (long batch = 0; batch < order.batches(); batch++) {
      for (int row = 0; row < order.batchSize(batch); row++) {
        seen.add(List.of(order.indexAt(batch, row), order.occurrence(batch, row)));
      }
    }
    assertThat(seen).doesNotHaveDuplicates();
    if (seen.size() == seen.stream().map(it -> it.get(0)).distinct().count()) {
      // A rank may end with a batch of padding, which another rank has too.
      assertThat(seen.subList(0, seen.size() - order.batchSize(order.batches() - 1)))
          .as("draws that do not depend on the order")
          .allMatch(it -> it.get(1) == 0);
    }
  }

  /** All batches of an order. */
  protected static List<List<Long>> batches(BatchOrder order) {
    List<List<Long>> batches = new ArrayList<>();
    for (long batch = 0; batch < order.batches(); batch++) {
      batches.add(batch(order, batch));
    }
    return batches;
  }

  /** All indices in sorted order. */
  protected static List<Long> sortedIndices(List<List<Long>> batches) {
    return batches.stream().flatMap(List::stream).sorted().toList();
  }

  /** 0 .. size-1. */
  protected static List<Long> range(long size) {
    return LongStream.range(0, size).boxed().toList();
  }

  private static List<Long> batch(BatchOrder order, long batch) {
    return IntStream.range(0, order.batchSize(batch))
        .mapToObj(row -> order.indexAt(batch, row))
        .toList();
  }
}
