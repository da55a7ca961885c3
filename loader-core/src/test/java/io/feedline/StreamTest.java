package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.data.Shards;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Datasets that are read from front to back, by themselves and through a loader. */
@Timeout(60)
class StreamTest {

  private static List<String> read(EpochStream<Probe> stream) throws Exception {
    List<String> samples = new ArrayList<>();
    try (stream) {
      StreamedSample<Probe> drawn;
      while ((drawn = stream.next()) != null) {
        try {
          samples.add("" + drawn.get(new SampleContext(0, 0, 0)).index());
        } catch (Exception e) {
          samples.add(e.getMessage());
        }
      }
      assertThat(stream.next()).isNull();
    }
    return samples;
  }

  private static List<String> read(Shards shards, int interleave) throws Exception {
    int[] all = IntStream.range(0, shards.shards()).toArray();
    List<String> samples = read(new ShardReader<>(shards, 0, all, interleave));
    shards.assertAllClosed();
    assertThat(shards.mostOpen()).isLessThanOrEqualTo(interleave);
    assertThat(shards.opened()).isEqualTo(all.length);
    return samples;
  }

  @Test
  void shouldReadShardsOneAfterTheOtherOrInTurn() throws Exception {
    assertThat(read(Shards.of(3, 2, 4), 1))
        .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8");
    assertThat(read(Shards.of(3, 2, 4), 2))
        .containsExactly("0", "3", "1", "4", "2", "5", "6", "7", "8");
    assertThat(read(Shards.of(3, 2, 4), 3))
        .containsExactly("0", "3", "5", "1", "4", "6", "2", "7", "8");
    assertThat(read(Shards.of(3, 2, 4), 50)).isEqualTo(read(Shards.of(3, 2, 4), 3));
    // The next shard takes the place of the one that has ended.
    assertThat(read(Shards.of(1, 3, 2), 2)).containsExactly("0", "1", "4", "2", "5", "3");
  }

  @Test
  void shouldPassOverEmptyShards() throws Exception {
    for (int interleave = 1; interleave < 5; interleave++) {
      assertThat(read(Shards.of(0, 2, 0, 0, 1, 0), interleave))
          .containsExactlyInAnyOrder("0", "1", "2");
      assertThat(read(Shards.of(0, 0), interleave)).isEmpty();
    }
  }

  @Test
  void shouldGoOnBehindASampleThatCannotBeRead() throws Exception {
    assertThat(read(Shards.of(3, 2).failingAt(1L, 3L, 4L), 1))
        .containsExactly("0", "cannot read 1", "2", "cannot read 3", "cannot read 4");
    assertThat(read(Shards.of(3, 2).failingAt(0L), 2))
        .containsExactly("cannot read 0", "3", "1", "4", "2");
  }

  @Test
  void shouldGoOnBehindAShardThatCannotBeOpened() throws Exception {
    assertThat(read(Shards.of(2, 5, 2).failingToOpen(1), 1))
        .containsExactly("0", "1", "cannot open shard 1", "7", "8");
    assertThat(read(Shards.of(2, 5, 2).failingToOpen(0, 1, 2), 2))
        .containsExactly("cannot open shard 0", "cannot open shard 1", "cannot open shard 2");
    // A sample that fails and then a shard: neither hides the other.
    assertThat(read(Shards.of(1, 5, 2).failingAt(0L).failingToOpen(1), 1))
        .containsExactly("cannot read 0", "cannot open shard 1", "6", "7");
  }

  @Test
  void shouldNotTakeAShardThatCannotBeClosedForASample() throws Exception {
    try (CapturedLog log = new CapturedLog()) {
      assertThat(read(Shards.of(2, 2).failingToClose(0, 1), 1)).containsExactly("0", "1", "2", "3");
      assertThat(log.lines("closing a shard of Shards failed")).hasSize(2);
    }
  }

  @Test
  void shouldCloseAllShardsThoughClosingFails() throws Exception {
    Shards shards = Shards.of(2, 2, 2).failingToClose(0, 2);
    ShardReader<Probe> reader = new ShardReader<>(shards, 0, new int[] {0, 1, 2}, 3);
    reader.next();
    assertThatThrownBy(reader::close)
        .isInstanceOf(IOException.class)
        .hasMessage("a shard of Shards could not be closed")
        .hasRootCauseMessage("cannot close shard 0")
        .satisfies(e -> assertThat(e.getCause().getSuppressed()).hasSize(1));
    shards.assertAllClosed();
    reader.close();
    assertThat(reader.next()).isNull();
  }

  @Test
  void shouldLeaveAShardThatOnlyFails() throws Exception {
    Long[] all = Samples.upTo(150).toArray(Long[]::new);
    assertThat(read(Shards.of(150, 2).failingAt(all), 1))
        .hasSize(ShardReader.HOPELESS + 2)
        .contains("cannot read 98")
        .endsWith(
            "shard 0 of Shards failed 100 times in a row and is left: cannot read 99",
            "150",
            "151");
  }

  private static List<String> shuffled(int size, int buffer, long seed, long epoch)
      throws Exception {
    Shards shards = Shards.of(size);
    ShardReader<Probe> reader = new ShardReader<>(shards, epoch, new int[] {0}, 1);
    List<String> samples = read(new ShuffleBuffer<>(reader, buffer, seed, epoch, 0));
    shards.assertAllClosed();
    return samples;
  }

  @ParameterizedTest
  @CsvSource({"0,4", "1,4", "3,4", "4,4", "5,4", "100,2", "100,10", "100,1000"})
  void shouldShuffleEachSampleOnceAndNoneFarAheadOfItsTurn(int size, int buffer) throws Exception {
    List<String> samples = shuffled(size, buffer, 1, 0);
    List<String> inOrder = LongStream.range(0, size).mapToObj(Long::toString).toList();
    assertThat(samples).containsExactlyInAnyOrderElementsOf(inOrder);
    for (int position = 0; position < samples.size(); position++) {
      assertThat(Integer.parseInt(samples.get(position)) - position).isLessThan(buffer);
    }
    if (size == 100) {
      assertThat(samples).isNotEqualTo(inOrder);
    }
  }

  @Test
  void shouldShuffleAlikeForEqualSeedsAndEpochsOnly() throws Exception {
    List<String> samples = shuffled(50, 8, 1, 0);
    assertThat(shuffled(50, 8, 1, 0)).isEqualTo(samples);
    assertThat(shuffled(50, 8, 2, 0)).isNotEqualTo(samples);
    assertThat(shuffled(50, 8, 1, 1)).isNotEqualTo(samples);
  }

  @Test
  void shouldShuffleFailuresLikeSamples() throws Exception {
    Shards shards = Shards.of(20).failingAt(0L, 7L);
    ShardReader<Probe> reader = new ShardReader<>(shards, 0, new int[] {0}, 1);
    List<String> samples = read(new ShuffleBuffer<>(reader, 5, 1, 0, 0));
    assertThat(samples).hasSize(20).contains("cannot read 0", "cannot read 7");
    List<String> expected = new ArrayList<>(shuffled(20, 5, 1, 0));
    expected.replaceAll(i -> Set.of("0", "7").contains(i) ? "cannot read " + i : i);
    assertThat(samples).isEqualTo(expected);
  }

  @Test
  void shouldSkipAsItReads() throws Exception {
    for (int skipped = 0; skipped < 25; skipped++) {
      Shards shards = Shards.of(6, 0, 9, 5).failingAt(3L, 8L).failingToOpen(1);
      EpochStream<Probe> stream = mixed(shards);
      List<String> all = read(mixed(shards));
      stream.skip(skipped);
      assertThat(read(stream)).isEqualTo(all.subList(Math.min(skipped, all.size()), all.size()));
      shards.assertAllClosed();
    }
  }

  private static EpochStream<Probe> mixed(Shards shards) {
    int[] all = IntStream.range(0, shards.shards()).toArray();
    return new ShuffleBuffer<>(new ShardReader<>(shards, 0, all, 2), 4, 5, 0, 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8})
  void shouldDropTheLastBatchOfTheStreamNotOfEachShard(int workers) {
    for (boolean drop : new boolean[] {true, false}) {
      Shards shards = Shards.of(3, 3, 3, 3, 3);
      try (DataLoader<Probe> loader = Samples.loader(shards, 4, workers).dropLast(drop).build()) {
        for (int epoch = 0; epoch < 2; epoch++) {
          assertThat(Samples.rest(loader.iterator())).isEqualTo(Samples.upTo(drop ? 12 : 15));
        }
      }
      shards.assertAllClosed();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8})
  void shouldDeliverFailuresOfAStreamAtTheirTurn(int workers) {
    Shards shards = Shards.of(10, 10).failingAt(5L).failingToOpen(1).failingToClose(0);
    try (CapturedLog log = new CapturedLog();
        DataLoader<Probe> loader = Samples.loader(shards, 4, workers).build()) {
      List<String> story =
          Samples.story(
              loader,
              batch -> Arrays.toString(batch.tensor("index").toLongArray()),
              e ->
                  "%d %s %s"
                      .formatted(
                          e.index().getAsLong(), e.description(), e.getCause().getMessage()));
      assertThat(story)
          .containsExactly(
              "[0, 1, 2, 3]",
              "5 position 5 of the stream, sample 5 of shard 0 of Shards cannot read 5",
              "10 position 10 of the stream, opening shard 1 of Shards cannot open shard 1");
      assertThat(log.text()).contains("cannot close shard 0");
    }
    shards.assertAllClosed();
  }

  @Test
  void shouldOpenNothingBeforeItIsAsked() {
    Shards shards = Shards.of(5);
    try (DataLoader<Probe> loader = DataLoader.builder(shards).numWorkers(0).build()) {
      BatchIterator iterator = loader.iterator();
      assertThat(shards.opened()).isZero();
      assertThat(iterator.hasNext()).isTrue();
      assertThat(shards.opened()).isEqualTo(1);
    }
    shards.assertAllClosed();
  }

  /** Eight workers meet in a transform, though one at a time reads. */
  @Test
  void shouldTransformInParallelWhatIsReadByOneAtATime() {
    CyclicBarrier meeting = new CyclicBarrier(8);
    IterableDataset<Probe> dataset = Shards.of(64).map(Samples.after(probe -> meeting.await()));
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 8, 8).prefetchNextEpoch(false).build()) {
      assertThat(Samples.rest(loader.iterator())).isEqualTo(Samples.upTo(64));
    }
  }

  /** A worker that waits to read on holds up none of the samples that it has made. */
  @Test
  void shouldDeliverABatchWhileItsStreamIsReadOn() throws InterruptedException {
    CountDownLatch readingOn = new CountDownLatch(1);
    CountDownLatch delivered = new CountDownLatch(1);
    IterableDataset<Long> stream =
        (shard, epoch) ->
            new SampleStream<>() {
              private long next;

              @Override
              public PendingSample<Long> next() throws InterruptedException {
                long number = next++;
                if (number == 2) {
                  readingOn.countDown();
                  delivered.await();
                }
                if (number == 4) {
                  return null;
                }
                return context -> {
                  if (number == 1) {
                    readingOn.await();
                  }
                  return number;
                };
              }

              @Override
              public void close() {}
            };
    try (DataLoader<Long> loader = Samples.loader(stream, 2, 2).prefetchNextEpoch(false).build()) {
      BatchIterator epoch = loader.iterator();
      try (Batch batch = epoch.next()) {
        assertThat(batch.tensor("data").toLongArray()).containsExactly(0, 1);
      } finally {
        delivered.countDown();
      }
      assertThat(Samples.rest(epoch)).containsExactly(2L, 3L);
    }
  }

  @Test
  void shouldChainDatasets() {
    Shards first = Shards.of(3, 2).declaringSizes();
    IterableDataset<Probe> second =
        IterableDataset.of(List.of(Probes.probe(5), Probes.probe(6), Probes.probe(7)));
    IterableDataset<Probe> chain = IterableDataset.chain(List.of(first, second));
    assertThat(chain.shards()).isEqualTo(3);
    assertThat(chain.size()).isEmpty();
    assertThat(chain.shardSize(1)).hasValue(2);
    assertThat(chain.shardSize(2)).isEmpty();
    assertThat(IterableDataset.chain(List.of(first, first)).size()).hasValue(10);
    assertThat(IterableDataset.chain(List.of(first, first)).name()).isEqualTo("Shards+Shards");
    assertThatThrownBy(() -> chain.open(3, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    for (int workers : new int[] {0, 3}) {
      try (DataLoader<Probe> loader = Samples.loader(chain, 3, workers).build()) {
        assertThat(Samples.rest(loader.iterator())).isEqualTo(Samples.upTo(8));
        assertThat(Samples.rest(loader.iterator())).isEqualTo(Samples.upTo(8));
      }
    }
    first.assertAllClosed();
  }

  @Test
  void shouldCloseAnIteratorThatIsCloseable() {
    AtomicInteger closed = new AtomicInteger();
    final class Source implements Iterator<Long>, Closeable {
      private long next;

      @Override
      public boolean hasNext() {
        return next < 10;
      }

      @Override
      public Long next() {
        return next++;
      }

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    }
    try (DataLoader<Long> loader =
        Samples.loader(IterableDataset.<Long>of(Source::new), 4, 0).build()) {
      loader.forEach(Batch::close);
      loader.iterator().next().close();
    }
    assertThat(closed).hasValue(2);
  }

  @Test
  void shouldKnowTheNumberOfItsBatchesFromDeclaredSizes() {
    for (boolean dropLast : new boolean[] {false, true}) {
      DataLoaderBuilder<Probe> builder =
          DataLoader.builder(Shards.of(4, 3, 4, 2).declaringSizes())
              .batchSize(3)
              .dropLast(dropLast);
      try (DataLoader<Probe> loader = builder.build()) {
        assertThat(loader.size()).hasValue(dropLast ? 4 : 5);
        assertThat(Samples.rest(loader.iterator())).hasSize(dropLast ? 12 : 13);
      }
      try (DataLoader<Probe> loader = builder.distributed(1, 2).build()) {
        assertThat(loader.size()).hasValue(dropLast ? 1 : 2);
      }
    }
    try (DataLoader<Probe> loader = DataLoader.builder(Shards.of(4, 3)).build()) {
      assertThat(loader.size()).isEmpty();
    }
  }
}
