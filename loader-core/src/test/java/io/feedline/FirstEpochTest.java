package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that begin the first epoch when the loader is built. */
class FirstEpochTest {

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
        Dataset.of(
            SIZE,
            index -> {
              throw new IllegalStateException("sample " + index + " is broken");
            });
    try (DataLoader<Long> loader =
        Samples.loader(broken, BATCH, 2).prefetchFirstEpoch(true).build()) {
      BatchIterator batches = loader.iterator();
      assertThatThrownBy(batches::next)
          .isInstanceOf(LoaderException.class)
          .hasRootCauseMessage("sample 0 is broken");
    }
  }
}
