package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.Probes.Probe;
import io.feedline.sampler.HistoricalSampler;
import io.feedline.sampler.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a loader tells a sampler whose orders depend on how far the epochs before them went. */
class HistoricalOrderTest {

  private static final int SIZE = 20;

  /**
   * Rotates 0 to 19. The past is the rotation; each index that is asked for turns it by one, and an
   * epoch that runs to its end by five hundred.
   */
  private static final class Rotation implements HistoricalSampler {
    @Override
    public long past(long epoch) {
      return epoch * 500;
    }

    @Override
    public long after(long past, long asked) {
      return past + (asked > SIZE ? 500 : asked);
    }

    @Override
    public Order orderAfter(long past) {
      return new Order() {
        @Override
        public long size() {
          return SIZE;
        }

        @Override
        public long indexAt(long position) {
          return (position + past) % SIZE;
        }
      };
    }
  }

  private static DataLoader<Probe> loader(int workers, int batchSize, boolean nextEpoch) {
    return DataLoader.builder(Probes.dataset(SIZE))
        .sampler(new Rotation())
        .batchSize(batchSize)
        .numWorkers(workers)
        .prefetchNextEpoch(nextEpoch)
        .build();
  }

  private static long[] rotated(long past, int from, int to) {
    return LongStream.range(from, to).map(position -> (position + past) % SIZE).toArray();
  }

  private static long[] take(BatchIterator iterator, int batches) {
    List<long[]> taken = new ArrayList<>();
    for (int i = 0; i < batches && iterator.hasNext(); i++) {
      try (Batch batch = iterator.next()) {
        taken.add(Probes.verify(batch));
      }
    }
    return Probes.flat(taken);
  }

  @ParameterizedTest
  @CsvSource({"0,false", "1,true", "2,false", "3,true"})
  void shouldTellHowMuchOfAnEpochWasAskedFor(int workers, boolean nextEpoch) {
    try (DataLoader<Probe> loader = loader(workers, 3, nextEpoch)) {
      assertThat(take(loader.iterator(), 100)).isEqualTo(rotated(0, 0, 20));
      assertThat(loader.state().past()).isEqualTo(500);
      // Broken off after two batches, at once, and after all seven without asking for more.
      assertThat(take(loader.iterator(), 2)).isEqualTo(rotated(500, 0, 6));
      assertThat(take(loader.iterator(), 0)).isEmpty();
      assertThat(take(loader.iterator(), 7)).isEqualTo(rotated(506, 0, 20));
      // Seven batches of three are one index more than there is: that epoch is over.
      assertThat(take(loader.iterator(), 1)).isEqualTo(rotated(1006, 0, 3));
      assertThat(take(loader.iterator(), 100)).isEqualTo(rotated(1009, 0, 20));
      assertThat(take(loader.iterator(), 100)).isEqualTo(rotated(1509, 0, 20));
      // A certain epoch is that of a loader whose earlier epochs all ran to their end.
      assertThat(take(loader.epoch(2).iterator(), 1)).isEqualTo(rotated(1000, 0, 3));
      assertThat(take(loader.iterator(), 1)).isEqualTo(rotated(1003, 0, 3));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldCarryThePastFromLoaderToLoader(int workers) {
    for (int broken = 0; broken <= 5; broken++) {
      for (int taken = 0; taken <= 5; taken++) {
        LoaderState state;
        try (DataLoader<Probe> loader = loader(2, 4, true)) {
          take(loader.iterator(), broken);
          take(loader.iterator(), taken);
          state = loader.state();
        }
        long past = 4L * broken;
        assertThat(state.epoch()).isEqualTo(1);
        assertThat(state.past()).isEqualTo(past);
        assertThat(state.position()).isEqualTo(4L * taken);
        try (DataLoader<Probe> loader = loader(workers, 4, workers == 1)) {
          loader.resume(LoaderState.fromJson(state.toJson()));
          assertThat(loader.state()).isEqualTo(state);
          // One more batch, and then what follows on a break behind it.
          int more = taken < 5 ? 1 : 0;
          assertThat(take(loader.iterator(), more))
              .isEqualTo(rotated(past, 4 * taken, 4 * (taken + more)));
          assertThat(take(loader.iterator(), 100))
              .isEqualTo(rotated(past + 4L * (taken + more), 0, 20));
          assertThat(take(loader.iterator(), 1))
              .isEqualTo(rotated(past + 4L * (taken + more) + 500, 0, 4));
        }
      }
    }
  }
}
