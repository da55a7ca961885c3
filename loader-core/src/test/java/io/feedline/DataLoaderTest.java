package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.Tensor;
import io.feedline.sampler.Sampler;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The content and order of an epoch. */
class DataLoaderTest {

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "2,3", "8,7", "2,64", "8,1000", "3,10000"})
  void shouldDeliverEveryIndexOnceInOrder(int workers, int batchSize) {
    try (DataLoader<Probe> loader =
        Samples.loader(Probes.dataset(1000), batchSize, workers).build()) {
      List<long[]> batches = Probes.indices(loader);
      assertThat(Probes.flat(batches)).isEqualTo(LongStream.range(0, 1000).toArray());
      assertThat(batches).hasSize((1000 + batchSize - 1) / batchSize);
      assertThat(loader.size()).hasValue(batches.size());
    }
  }

  @Test
  void shouldDeliverTheSameStreamForAnyNumberOfWorkersAndInEachRun() {
    List<List<Long>> streams = new ArrayList<>();
    for (int workers : new int[] {0, 1, 2, 8, 0, 8}) {
      try (DataLoader<Probe> loader =
          Samples.loader(Probes.augmented(777), 10, workers).shuffle(true).seed(5).build()) {
        List<Long> stream = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
          stream.addAll(Probes.checksums(loader));
        }
        streams.add(stream);
      }
    }
    assertThat(streams).allMatch(streams.get(0)::equals);
    assertThat(streams.get(0)).hasSize(3 * 78).doesNotHaveDuplicates();
  }

  @Test
  void shouldGiveACertainEpochAgain() {
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.augmented(100)).batchSize(8).shuffle(true).build()) {
      List<Long> zero = Probes.checksums(loader);
      List<Long> one = Probes.checksums(loader);
      List<Long> two = Probes.checksums(loader);
      assertThat(Probes.checksums(loader.epoch(1))).isEqualTo(one).isNotEqualTo(zero);
      assertThat(Probes.checksums(loader)).isEqualTo(two);
      Iterable<Batch> epochZero = loader.epoch(0);
      assertThat(Probes.checksums(epochZero)).isEqualTo(zero);
      assertThat(Probes.checksums(epochZero)).isEqualTo(zero);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldGiveAnEmptyEpochForAnEmptyDataset(int workers) {
    for (boolean shuffle : new boolean[] {false, true}) {
      try (DataLoader<Probe> loader =
          DataLoader.builder(Probes.dataset(0)).shuffle(shuffle).numWorkers(workers).build()) {
        assertThat(loader.size()).hasValue(0);
        assertThat(loader).isEmpty();
        assertThat(loader).isEmpty();
        assertThatThrownBy(() -> loader.iterator().next())
            .isInstanceOf(NoSuchElementException.class);
      }
    }
  }

  @Test
  void shouldTakeBackTheTensorsOfAClosedBatch() {
    try (DataLoader<Probe> loader = DataLoader.builder(Probes.dataset(10)).batchSize(5).build()) {
      Batch batch = loader.iterator().next();
      Tensor tensor = batch.tensor("index");
      Tensor copy = tensor.copy();
      batch.close();
      batch.close();
      Refusals.assertThrown(
          IllegalStateException.class,
          tensor::bytes,
          "batch 0 of epoch 0 has been closed",
          "take Tensor.copy() of what is kept longer");
      assertThatThrownBy(() -> batch.tensor("index")).isInstanceOf(IllegalStateException.class);
      assertThat(copy.toLongArray()).containsExactly(0, 1, 2, 3, 4);
      assertThat(batch.values("name")).hasSize(5);
      assertThat(loader.stats().batchesOpen()).isZero();
    }
  }

  @Test
  void shouldTellWhatABatchHasWhenAskedForSomethingElse() {
    try (DataLoader<Probe> loader = DataLoader.builder(Probes.dataset(10)).build();
        Batch batch = loader.iterator().next()) {
      Refusals.assertRefused(
          () -> batch.tensor("image"), "no tensor 'image'; it has [index, words, drawn]");
      Refusals.assertRefused(() -> batch.values("image"), "no values 'image'; it has [name]");
      Refusals.assertRefused(
          () -> batch.tensor("name"), "'name' of the batch is a list", "values(\"name\")");
      Refusals.assertRefused(
          () -> batch.values("words"), "'words' of the batch is a tensor", "tensor(\"words\")");
    }
  }

  @Test
  void shouldCycleThroughOneEpochAfterTheOther() {
    List<Probes.Delivered> cycled = new ArrayList<>();
    try (DataLoader<Probe> loader = cycled();
        DataLoader<Probe> other = cycled();
        DataLoader<Probe> third = cycled()) {
      take(other.cycle().iterator(), 7, cycled);
      third.resume(other.state());
      Iterator<Batch> rest = third.cycle().iterator();
      take(rest, 5, cycled);
      assertThat(rest.hasNext()).isTrue();
      assertThat(cycled).isEqualTo(Probes.delivered(loader, 4)).hasSize(12);
    }
  }

  private static void take(Iterator<Batch> batches, int count, List<Probes.Delivered> taken) {
    for (int i = 0; i < count; i++) {
      try (Batch batch = batches.next()) {
        taken.add(Probes.Delivered.of(batch));
      }
    }
  }

  private static DataLoader<Probe> cycled() {
    return DataLoader.builder(Probes.augmented(10)).batchSize(4).shuffle(true).build();
  }

  /** A sampler that has nothing for one epoch may have something for the next one. */
  @Test
  void shouldEndACycleForGoodWhereAnEpochIsEmpty() {
    Sampler sampler = epoch -> Sampler.Order.sequential(epoch < 2 ? 0 : 8);
    try (DataLoader<Probe> loader =
        DataLoader.builder(Probes.dataset(8)).sampler(sampler).build()) {
      Iterator<Batch> batches = loader.cycle().iterator();
      assertThat(batches.hasNext()).isFalse();
      Refusals.assertThrown(NoSuchElementException.class, batches::next, "have no batches");
      assertThat(batches.hasNext()).isFalse();
    }
  }
}
