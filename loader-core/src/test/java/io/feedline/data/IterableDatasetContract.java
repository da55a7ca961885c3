package io.feedline.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.ExpectedLog;
import io.feedline.LoaderState;
import io.feedline.batch.Probes;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.WorldInfo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The contract of every {@link IterableDataset} that can be read again. The test of a dataset
 * extends this, says how to make one, and adds what is its own.
 *
 * @param <T> a sample, compared by {@code equals}
 */
@Timeout(60)
@ExpectedLog("not all their sizes are declared")
public abstract class IterableDatasetContract<T> {

  private IterableDataset<T> dataset;

  /**
   * A dataset of some dozens of samples, all different, none of which fails. Each call gives an
   * equal one, as the ranks and the runs of a training make it.
   */
  protected abstract IterableDataset<T> dataset() throws Exception;

  @BeforeEach
  void makeDataset() throws Exception {
    dataset = dataset();
  }

  private static <T> List<T> rest(SampleStream<T> stream) throws Exception {
    List<T> samples = new ArrayList<>();
    PendingSample<T> sample;
    while ((sample = stream.next()) != null) {
      samples.add(sample.get(new SampleContext(0, 0, samples.size())));
    }
    assertThat(stream.next()).as("asked again at the end").isNull();
    return samples;
  }

  private List<T> shard(int shard) throws Exception {
    try (SampleStream<T> stream = dataset.open(shard, 0)) {
      return rest(stream);
    }
  }

  private List<T> all() throws Exception {
    List<T> samples = new ArrayList<>();
    for (int shard = 0; shard < dataset.shards(); shard++) {
      samples.addAll(shard(shard));
    }
    return samples;
  }

  // ---- by itself ----------------------------------------------------------------------------

  @Test
  void shouldBeTheSameToAStateInTheNextRun() throws Exception {
    assertThat(dataset).asString().isNotBlank().doesNotMatch(".*@[0-9a-f]+");
    assertThat(dataset().fingerprint()).isEqualTo(dataset.fingerprint());
    assertThat(dataset.readOnce()).isFalse();
  }

  @Test
  void shouldGiveTheSameSamplesEachTimeAShardIsOpened() throws Exception {
    List<T> first = all();
    assertThat(first).hasSizeGreaterThan(11).doesNotHaveDuplicates().doesNotContainNull();
    assertThat(all()).isEqualTo(first);
  }

  @Test
  void shouldDeclareNoOtherSizesThanItHas() throws Exception {
    OptionalLong size = dataset.size();
    if (size.isPresent()) {
      assertThat(size).hasValue(all().size());
    }
    for (int shard = 0; shard < dataset.shards(); shard++) {
      OptionalLong shardSize = dataset.shardSize(shard);
      if (shardSize.isPresent()) {
        assertThat(shardSize).hasValue(shard(shard).size());
      }
    }
  }

  @Test
  void shouldSkipAsItReads() throws Exception {
    for (int shard = 0; shard < dataset.shards(); shard++) {
      List<T> all = shard(shard);
      for (int skipped = 0; skipped < all.size() + 3; skipped++) {
        int there = Math.min(skipped, all.size());
        try (SampleStream<T> stream = dataset.open(shard, 0)) {
          assertThat(stream.skip(skipped)).isEqualTo(there);
          assertThat(rest(stream)).isEqualTo(all.subList(there, all.size()));
        }
      }
    }
  }

  @Test
  void shouldGoOnFromEachPlaceThatItGives() throws Exception {
    for (int shard = 0; shard < dataset.shards(); shard++) {
      List<T> all = shard(shard);
      for (int read = 0; read <= all.size(); read++) {
        try (SampleStream<T> stream = dataset.open(shard, 0);
            SampleStream<T> other = dataset.open(shard, 0)) {
          stream.skip(read);
          List<Long> mark = stream.mark();
          if (mark.isEmpty()) {
            break;
          }
          other.goTo(read, mark);
          assertThat(other.mark()).isEqualTo(mark);
          assertThat(rest(other)).isEqualTo(all.subList(read, all.size()));
        }
      }
    }
  }

  @Test
  void shouldBeClosedTwiceWithoutHarm() throws Exception {
    SampleStream<T> stream = dataset.open(0, 0);
    stream.next();
    stream.close();
    stream.close();
  }

  @Test
  void shouldSayWhereSamplesComeFrom() throws Exception {
    Set<String> places = new HashSet<>();
    for (int shard = 0; shard < dataset.shards(); shard++) {
      places.add(dataset.describe(shard));
      for (int sample = 0; sample < shard(shard).size(); sample++) {
        places.add(dataset.describe(shard, sample));
      }
    }
    assertThat(places).hasSize(dataset.shards() + all().size()).doesNotContainNull();
  }

  // ---- through loaders ----------------------------------------------------------------------

  private DataLoaderBuilder<T> loader(int workers) throws Exception {
    return DataLoader.builder(dataset())
        .collator((samples, batch) -> batch.values("sample", samples))
        .batchSize(3)
        .interleave(2)
        .seed(5)
        .numWorkers(workers);
  }

  @SuppressWarnings("unchecked")
  public static <T> List<T> take(BatchIterator iterator, int batches) {
    List<T> samples = new ArrayList<>();
    Probes.each(iterator, batches, batch -> (List<T>) batch.values("sample"))
        .forEach(samples::addAll);
    return samples;
  }

  private static <T> List<T> rest(DataLoader<T> loader) {
    return take(loader.iterator(), Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1,0", "2,4", "8,4"})
  void shouldGiveEachSampleOnceAnEpoch(int workers, int shuffleBuffer) throws Exception {
    try (DataLoader<T> loader = loader(workers).shuffleBuffer(shuffleBuffer).build()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        assertThat(rest(loader)).containsExactlyInAnyOrderElementsOf(all());
        take(loader.iterator(), 1 + epoch);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,0,0", "2,1,0", "3,2,4", "5,8,0", "7,2,4"})
  void shouldShareEachSampleOnceAmongRanks(int ranks, int workers, int shuffleBuffer)
      throws Exception {
    for (Remainder remainder : List.of(Remainder.DROP, Remainder.EXACT)) {
      List<T> shared = new ArrayList<>();
      Set<Integer> steps = new HashSet<>();
      for (int rank = 0; rank < ranks; rank++) {
        try (DataLoader<T> loader =
            loader(workers)
                .shuffleBuffer(shuffleBuffer)
                .distributed(new WorldInfo(rank, ranks), remainder)
                .build()) {
          List<T> mine = rest(loader);
          steps.add(mine.size());
          shared.addAll(mine);
          assertThat(rest(loader)).hasSameSizeAs(mine);
        }
      }
      assertThat(shared).doesNotHaveDuplicates();
      assertThat(all()).containsAll(shared);
      if (remainder == Remainder.EXACT) {
        assertThat(shared).hasSameSizeAs(all());
      } else {
        assertThat(steps).as("samples of the ranks").hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1,0,0", "1,2,4", "2,1,0", "3,2,4"})
  void shouldGoOnFromEachBatch(int ranks, int workers, int shuffleBuffer) throws Exception {
    List<T> expected;
    try (DataLoader<T> loader = lastRank(ranks, 1, shuffleBuffer)) {
      expected = rest(loader);
    }
    for (int taken = 0; 3 * taken < expected.size(); taken++) {
      LoaderState state;
      List<T> found;
      try (DataLoader<T> loader = lastRank(ranks, workers, shuffleBuffer)) {
        found = take(loader.iterator(), taken);
        state = LoaderState.fromJson(loader.state().toJson());
      }
      try (DataLoader<T> loader = lastRank(ranks, 2 - Math.min(2, workers), shuffleBuffer)) {
        loader.resume(state);
        found.addAll(rest(loader));
      }
      assertThat(found).isEqualTo(expected);
    }
  }

  private DataLoader<T> lastRank(int ranks, int workers, int shuffleBuffer) throws Exception {
    return loader(workers).shuffleBuffer(shuffleBuffer).distributed(ranks - 1, ranks).build();
  }
}
