package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.Dataset;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loaders without a reference to them that have not been closed. */
@Timeout(60)
class ForgottenLoaderTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void shouldStopTheThreadsOfALoaderThatIsForgotten(int workers) throws Exception {
    List<Thread> threads = begin("forgotten-" + workers, workers);
    assertThat(threads).hasSize(workers);
    for (Thread thread : threads) {
      assertThat(Garbage.ends(thread)).isTrue();
    }
  }

  private static List<Thread> begin(String name, int workers) {
    DataLoader<Probe> loader = Samples.loader(Probes.dataset(1000), 10, workers).name(name).build();
    BatchIterator iterator = loader.iterator();
    iterator.next().close();
    iterator.next().close();
    return Threads.named("feedline-" + name);
  }

  @Test
  void shouldKeepTheBatchOfALoaderThatIsForgotten() throws Exception {
    Batch batch = batchOf("bereft");
    for (Thread thread : Threads.named("feedline-bereft")) {
      assertThat(Garbage.ends(thread)).isTrue();
    }
    assertThat(Probes.verify(batch)).startsWith(0, 1, 2).hasSize(10);
    batch.close();
  }

  private static Batch batchOf(String name) {
    return Samples.loader(Probes.dataset(1000), 10, 2).name(name).build().iterator().next();
  }

  @Test
  void shouldKeepALoaderWhoseIteratorIsInUse() throws Exception {
    BatchIterator iterator = Samples.loader(Probes.dataset(200), 10, 2).build().iterator();
    long batches = 0;
    while (iterator.hasNext()) {
      System.gc();
      try (Batch batch = iterator.next()) {
        assertThat(Probes.verify(batch)).startsWith(10 * batches++);
      }
    }
    assertThat(batches).isEqualTo(20);
  }

  @Test
  void shouldKeepALoaderWhoseConsumerWaits() {
    // Often enough for next() to be compiled: then not even its own frame keeps the iterator.
    for (int round = 0; round < 2; round++) {
      try (DataLoader<Probe> loader =
          DataLoader.builder(Probes.dataset(20_000)).numWorkers(1).build()) {
        assertThat(Probes.indices(loader)).hasSize(20_000);
      }
    }
    AtomicReference<Reference<?>> loader = new AtomicReference<>();
    AtomicInteger collected = new AtomicInteger();
    Dataset<Probe> collecting =
        Samples.probes(
            1,
            index -> {
              for (int attempt = 0; attempt < 3; attempt++) {
                System.gc();
              }
              if (loader.get().refersTo(null)) {
                collected.incrementAndGet();
              }
            });
    for (int round = 0; round < 5; round++) {
      try (Batch batch = iteratorOf(collecting, loader).next()) {
        assertThat(Probes.verify(batch)).containsExactly(0);
      }
    }
    assertThat(collected).hasValue(0);
  }

  private static BatchIterator iteratorOf(
      Dataset<Probe> dataset, AtomicReference<Reference<?>> observed) {
    DataLoader<Probe> loader =
        DataLoader.builder(dataset).numWorkers(1).prefetchNextEpoch(false).build();
    observed.set(new WeakReference<>(loader));
    return loader.iterator();
  }
}
