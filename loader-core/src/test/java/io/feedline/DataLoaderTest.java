package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.sampler.Sampler;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
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
    taken.addAll(Probes.each(batches, count, Probes.Delivered::of));
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

  private static final long SIZE = 40;
  private static final int BATCH = 4;
  private static final int PREFETCH = 3;

  private static final class Watched {
    final CountDownLatch prepared = new CountDownLatch(PREFETCH * BATCH);

    final Dataset<Long> dataset = Samples.numbers(SIZE, index -> prepared.countDown());

    DataLoaderBuilder<Long> loader(int workers) {
      DataLoaderBuilder<Long> builder =
          Samples.loader(dataset, BATCH, workers).shuffle(true).prefetchFirstEpoch(true);
      return workers == 0 ? builder : builder.prefetch(PREFETCH);
    }
  }

  private static List<List<Long>> epochs(DataLoader<?> loader, int count) {
    List<List<Long>> epochs = new ArrayList<>();
    for (int epoch = 0; epoch < count; epoch++) {
      epochs.add(Samples.rest(loader.iterator()));
    }
    return epochs;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void shouldPrepareBatchesBeforeTheyAreAskedForAndGiveTheSameOnes(int workers) throws Exception {
    Watched watched = new Watched();
    try (DataLoader<Long> usual = Samples.loader(watched.dataset, BATCH, 0).shuffle(true).build();
        DataLoader<Long> early = new Watched().loader(workers).build()) {
      assertThat(early.state()).isEqualTo(usual.state());
      assertThat(epochs(early, 3)).isEqualTo(epochs(usual, 3));
      assertThat(early.state()).isEqualTo(usual.state());
    }
    Watched another = new Watched();
    try (DataLoader<Long> unread = another.loader(workers).build()) {
      another.prepared.await();
      assertThat(unread.stats().samples()).isZero();
    }
  }

  @Test
  void shouldEndWhenItIsClosedUnread() throws Exception {
    Watched watched = new Watched();
    DataLoader<Long> loader = watched.loader(2).name("unread").build();
    watched.prepared.await();
    List<Thread> workers = Threads.named("feedline-unread");
    assertThat(workers).hasSize(2);
    loader.close();
    assertThat(workers).noneMatch(Thread::isAlive);
    Refusals.assertThrown(IllegalStateException.class, loader::iterator, "closed");
  }

  @Test
  void shouldDropWhatItPreparedForAStateOrAnotherEpoch() throws Exception {
    try (DataLoader<Long> usual = new Watched().loader(0).build()) {
      List<List<Long>> expected = epochs(usual, 3);
      BatchIterator batches = usual.epoch(1).iterator();
      batches.next().close();
      LoaderState state = usual.state();

      Watched watched = new Watched();
      try (DataLoader<Long> resumed = watched.loader(2).build()) {
        watched.prepared.await();
        resumed.resume(state);
        assertThat(resumed.state()).isEqualTo(state);
        assertThat(Samples.rest(resumed.iterator()))
            .isEqualTo(expected.get(1).subList(BATCH, (int) SIZE));
        assertThat(Samples.rest(resumed.iterator())).isEqualTo(expected.get(2));
      }
      try (DataLoader<Long> later = new Watched().loader(2).build()) {
        assertThat(Samples.rest(later.epoch(2).iterator())).isEqualTo(expected.get(2));
        assertThat(Samples.rest(later.epoch(0).iterator())).isEqualTo(expected.get(0));
      }
    }
  }

  @Test
  void shouldLeaveAFailureToItsReader() {
    Dataset<Long> broken =
        Samples.numbers(SIZE, i -> Samples.failIf(true, "sample " + i + " is broken"));
    try (DataLoader<Long> loader =
        Samples.loader(broken, BATCH, 2).prefetchFirstEpoch(true).build()) {
      BatchIterator batches = loader.iterator();
      assertThatThrownBy(batches::next)
          .isInstanceOf(LoaderException.class)
          .hasRootCauseMessage("sample 0 is broken");
    }
  }
}
