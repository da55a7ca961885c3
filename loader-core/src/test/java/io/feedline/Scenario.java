package io.feedline;

import static org.assertj.core.api.Assertions.fail;

import io.feedline.EpochModel.Expected;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.Shape;
import io.feedline.batch.StrictAllocator;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.data.Shards;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.stats.LoaderStats;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * One random life of a loader: random options, then random actions of its consumer (take a batch,
 * break off, ask for an epoch, hold batches, let another thread close them, be interrupted, time
 * out, carry the state to a loader with other workers, close), each checked against an {@link
 * EpochModel}. The same number gives the same life, but for the threads' timing.
 */
final class Scenario {

  private static final int WORDS = Probes.probe(0).words().length;

  private final long number;
  private final SplittableRandom random;
  private final ExecutorService closers;

  // Options that stay the same when the state is carried to another loader.
  private final boolean streamed;
  private final int size;
  private final int shards;
  private final int interleave;
  private final int shuffleBuffer;
  private final boolean seekable;
  private final boolean shuffled;
  private final int batchSize;
  private final int lastBatch;
  private final ErrorPolicy policy;
  private final long seed;
  private final int faultEvery;
  private final int errorEvery;
  private final int slowEvery;

  private final StrictAllocator memory = new StrictAllocator();
  private final List<Shards> opened = new ArrayList<>();
  private DataLoader<Probe> loader;
  private BatchIterator iterator;
  private boolean exhausted;
  private boolean interruptNext;

  /** The batches of the epoch that have not come, by number. */
  private final TreeMap<Long, Expected> outstanding = new TreeMap<>();

  /** Batches that are open, or being closed by another thread. */
  private final Deque<Held> held = new ArrayDeque<>();

  private record Held(Batch batch, Expected expected, Future<?> closing) {}

  Scenario(long number, ExecutorService closers) {
    this.number = number;
    this.closers = closers;
    this.random = new SplittableRandom(number);
    streamed = random.nextInt(3) == 0;
    size = random.nextInt(8) == 0 ? random.nextInt(3) : random.nextInt(90);
    shards = 1 + random.nextInt(4);
    interleave = 1 + random.nextInt(3);
    shuffleBuffer = random.nextBoolean() ? 0 : random.nextInt(20);
    shuffled = random.nextBoolean();
    batchSize = 1 + random.nextInt(9);
    lastBatch = random.nextInt(3);
    seed = random.nextLong();
    faultEvery = random.nextBoolean() ? 0 : 2 + random.nextInt(20);
    policy = randomPolicy();
    boolean errors = policy.action() != ErrorPolicy.Action.SUBSTITUTE && random.nextInt(3) == 0;
    errorEvery = errors ? 10 + random.nextInt(20) : 0;
    seekable = random.nextBoolean();
    slowEvery = random.nextBoolean() ? 0 : 20 + random.nextInt(80);
  }

  private ErrorPolicy randomPolicy() {
    return switch (random.nextInt(streamed ? 2 : 3)) {
      case 0 -> ErrorPolicy.fail();
      case 1 -> ErrorPolicy.skip();
      default -> ErrorPolicy.substitute();
    };
  }

  // ---- data -----------------------------------------------------------------------------------

  private Throwable fault(long probe) {
    if (errorEvery > 0 && probe % errorEvery == 7) {
      return probe % 2 == 0 ? new OutOfMemoryError("made up") : new StackOverflowError("made up");
    }
    return faultEvery > 0 && probe % faultEvery == 1 ? new IOException("probe " + probe) : null;
  }

  private Probe make(long probe) throws Exception {
    if (slowEvery > 0 && probe % slowEvery == 3) {
      computeForAWhile(probe);
    }
    Throwable fault = fault(probe);
    Samples.failIf(fault != null, fault);
    return Probes.probe(probe);
  }

  private static void computeForAWhile(long from) {
    double sum = from;
    for (int i = 1; i < 100_000; i++) {
      sum += 1.0 / i;
    }
    if (sum < 0) {
      throw new ArithmeticException("a sum of positive numbers is " + sum);
    }
  }

  private static final RandomTransform<Probe, Probe> DRAW =
      (probe, drawn) -> probe.withDrawn(drawn);

  /** The samples, dealt to shards of unequal length. */
  private Shards dealt() {
    int[] sizes = new int[shards];
    Arrays.setAll(sizes, shard -> bound(shard + 1) - bound(shard));
    Shards dealt = Shards.of(sizes);
    return seekable ? dealt.seekable() : dealt;
  }

  private int bound(int shard) {
    return size * shard * shard / (shards * shards);
  }

  private Sampler sampler() {
    return shuffled ? RandomSampler.of(size, seed) : SequentialSampler.of(size);
  }

  // ---- the loader -----------------------------------------------------------------------------

  /** A loader of the same stream of batches, with random means of producing it. */
  private DataLoader<Probe> newLoader() {
    Shards read = dealt();
    opened.add(read);
    DataLoaderBuilder<Probe> builder =
        streamed
            ? DataLoader.builder(read.map(probe -> make(probe.index())).map(DRAW))
                .interleave(interleave)
                .shuffleBuffer(shuffleBuffer)
            : DataLoader.builder(Dataset.of(size, this::make).map(DRAW)).sampler(sampler());
    int workers = random.nextInt(9);
    boolean tuned = workers > 0 && random.nextInt(3) == 0;
    builder
        .name("scenario")
        .allocator(memory)
        .batchSize(batchSize)
        .dropLast(lastBatch == 1)
        .padLast(lastBatch == 2)
        .errorPolicy(policy)
        .seed(seed)
        .numWorkers(workers)
        .tuner(tuned ? Tuners.wild(random.nextLong(), 9, 5) : null)
        .maxOpenBatches(1 + random.nextInt(4))
        .prefetchFirstEpoch(random.nextBoolean())
        .prefetchNextEpoch(random.nextBoolean());
    if (tuned) {
      builder.autoWorkers();
    }
    if (workers > 0) {
      builder.prefetch(1 + random.nextInt(5));
      if (random.nextInt(3) == 0) {
        builder.timeout(Duration.ofNanos(1L + random.nextInt(300_000)));
      }
    }
    if (random.nextInt(3) == 0) {
      builder.inOrder(false).reorderWindow(1 + random.nextInt(5));
    }
    if (random.nextInt(4) == 0) {
      builder.prefetchBytes(1 + random.nextInt(10_000));
    }
    if (random.nextInt(3) == 0) {
      builder.collator(Scenario::collate);
    }
    return builder.build();
  }

  private static void collate(List<Probe> probes, BatchAssembler batch) {
    var index = batch.tensor("index", DType.INT64, Shape.of(probes.size()));
    var words = batch.tensor("words", DType.INT64, Shape.of(probes.size(), WORDS));
    var drawn = batch.tensor("drawn", DType.INT64, Shape.of(probes.size()));
    for (Probe probe : probes) {
      index.putLong(probe.index());
      drawn.putLong(probe.drawn());
      for (long word : probe.words()) {
        words.putLong(word);
      }
    }
    batch.values("name", probes.stream().map(Probe::name).toList());
  }

  private List<Expected> expected(long epoch) throws Exception {
    List<EpochModel.Sample> sequence;
    if (streamed) {
      int[] inOrder = new int[shards];
      Arrays.setAll(inOrder, shard -> shard);
      EpochStream<Probe> stream = new ShardReader<>(dealt(), epoch, inOrder, interleave);
      sequence =
          EpochModel.streamed(
              shuffleBuffer > 1
                  ? new ShuffleBuffer<>(stream, shuffleBuffer, seed, epoch, 0)
                  : stream);
    } else {
      sequence = EpochModel.indexed(sampler().order(epoch));
    }
    return EpochModel.batches(sequence, loader.options(), epoch, this::fault);
  }

  // ---- the life -------------------------------------------------------------------------------

  /** Lives it. Throws an AssertionError where the loader and the model differ. */
  void run() throws Exception {
    loader = newLoader();
    try {
      begin(loader.iterator(), 0);
      int actions = 10 + random.nextInt(40);
      for (int i = 0; i < actions; i++) {
        act();
      }
      if (random.nextInt(10) == 0) {
        closeUnderWay();
      }
      closeLoader();
      memory.assertAllGivenBack();
      opened.forEach(Shards::assertAllClosed);
    } catch (AssertionError | Exception e) {
      throw new AssertionError("scenario %d, %s".formatted(number, loader.runRecord().loader()), e);
    } finally {
      loader.close();
    }
  }

  private void act() throws Exception {
    switch (random.nextInt(24)) {
      case 0 -> {
        begin(loader.iterator(), iterator.epoch() + 1);
      }
      case 1 -> {
        long epoch = random.nextInt(5);
        begin(loader.epoch(epoch).iterator(), epoch);
      }
      case 2 -> carryOver();
      case 3 -> interruptNext = true;
      case 4 -> handOver();
      case 5 -> closeOne();
      case 6 -> lookAhead();
      default -> step();
    }
  }

  private void begin(BatchIterator begun, long epoch) throws Exception {
    iterator = begun;
    exhausted = false;
    check(begun.epoch() == epoch, "epoch %d instead of %d", begun.epoch(), epoch);
    outstanding.clear();
    for (Expected batch : expected(epoch)) {
      outstanding.put(batch.number(), batch);
    }
  }

  /** Takes a batch, or begins the next epoch. */
  private void step() throws Exception {
    while (held.size() >= loader.options().maxOpenBatches()) {
      closeOne();
    }
    try {
      if (interruptNext) {
        interruptNext = false;
        Thread.currentThread().interrupt();
      }
      if (!iterator.hasNext()) {
        outstanding.values().removeIf(batch -> !batch.comes());
        check(outstanding.isEmpty(), "the epoch ended without %s", outstanding);
        begin(loader.iterator(), iterator.epoch() + 1);
        return;
      }
      hold(iterator.next());
    } catch (LoaderException e) {
      failed(e);
    } finally {
      // An interrupt that came while a batch was ready is not an error.
      Thread.interrupted();
    }
  }

  /** Asks whether there is another batch, and then does something else, perhaps. */
  private void lookAhead() {
    if (held.size() < loader.options().maxOpenBatches()) {
      try {
        exhausted = !iterator.hasNext();
      } catch (LoaderException e) {
        failed(e);
      }
    }
  }

  private void hold(Batch batch) {
    Expected expected = outstanding.remove(batch.number());
    check(expected != null, "%s was not to come, or not again", batch);
    checkTurn(expected);
    check(!expected.fails(), "%s should have failed at %d", batch, expected.failedKey());
    check(batch.epoch() == iterator.epoch(), "%s in epoch %d", batch, iterator.epoch());
    held.add(new Held(batch, expected, null));
    verify(batch, expected);
  }

  private void failed(LoaderException e) {
    if (e.stage() == LoaderException.Stage.WAIT) {
      return;
    }
    long key = e.index().orElse(-1);
    Expected expected =
        outstanding.values().stream()
            .filter(batch -> batch.fails() && batch.failedKey() == key)
            .findFirst()
            .orElseThrow(() -> new AssertionError("an unexpected failure", e));
    outstanding.remove(expected.number());
    checkTurn(expected);
  }

  /** No batch comes before one that is a window, or more, in front of it. */
  private void checkTurn(Expected batch) {
    for (Expected other : outstanding.values()) {
      if (other.comes()) {
        check(
            batch.number() < other.number() + loader.options().reorderWindow(),
            "batch %d came before batch %d",
            batch.number(),
            other.number());
        return;
      }
    }
  }

  private void verify(Batch batch, Expected expected) {
    int valid = expected.samples().size();
    check(batch.size() == expected.rows(), "%s should have %d rows", batch, expected.rows());
    check(batch.valid() == valid, "%s should have %d valid rows", batch, valid);
    long[] indices = batch.tensor("index").toLongArray();
    long[] words = batch.tensor("words").toLongArray();
    long[] drawn = batch.tensor("drawn").toLongArray();
    long[] keys = batch.indices();
    for (int row = 0; row < batch.size(); row++) {
      EpochModel.Sample sample = expected.samples().get(row % valid);
      Probe probe = Probes.probe(sample.probe());
      long draw =
          new SampleRandom(seed, batch.epoch(), sample.key(), sample.occurrence(), 0).nextLong();
      check(
          keys[row] == sample.key()
              && indices[row] == sample.probe()
              && drawn[row] == draw
              && Arrays.equals(
                  probe.words(), Arrays.copyOfRange(words, row * WORDS, (row + 1) * WORDS))
              && batch.values("name").get(row).equals(probe.name()),
          "row %d of %s is not %s",
          row,
          batch,
          sample);
    }
  }

  /** Closes the batch that was held longest; it must still be what it was. */
  private void closeOne() throws Exception {
    Held oldest = held.poll();
    if (oldest == null) {
      return;
    }
    if (oldest.closing() == null) {
      verifyAndClose(oldest);
    } else {
      try {
        oldest.closing().get();
      } catch (ExecutionException e) {
        throw new AssertionError("in another thread", e.getCause());
      }
    }
  }

  private void verifyAndClose(Held batch) {
    verify(batch.batch(), batch.expected());
    batch.batch().close();
    batch.batch().close();
  }

  /** Lets another thread close the batch that was taken last, some time. */
  private void handOver() {
    Held last = held.pollLast();
    if (last != null) {
      Future<?> closing =
          last.closing() == null ? closers.submit(() -> verifyAndClose(last)) : last.closing();
      held.addLast(new Held(last.batch(), last.expected(), closing));
    }
  }

  /** Continues with another loader, where this one stands. */
  private void carryOver() throws Exception {
    LoaderState state = LoaderState.fromJson(loader.state().toJson());
    boolean first = random.nextBoolean();
    if (first) {
      closeLoader();
    }
    DataLoader<Probe> next = newLoader();
    if (!first) {
      closeLoader();
    }
    loader = next;
    loader.resume(state);
    BatchIterator resumed = loader.iterator();
    if (exhausted) {
      begin(resumed, iterator.epoch() + 1);
    } else {
      check(resumed.epoch() == iterator.epoch(), "resumed in epoch %d", resumed.epoch());
      iterator = resumed;
    }
  }

  private void closeUnderWay() throws Exception {
    Future<?> closing = closers.submit(loader::close);
    try {
      for (int i = 0; i < 100; i++) {
        step();
      }
    } catch (IllegalStateException e) {
      check(e.getMessage().contains("closed"), "not closed, but %s", e);
    }
    closing.get();
  }

  /** Closes the loader before or after the batches that are open; nothing must be left of it. */
  private void closeLoader() throws Exception {
    Thread.interrupted();
    boolean first = random.nextBoolean();
    if (first) {
      loader.close();
    }
    while (!held.isEmpty()) {
      closeOne();
    }
    loader.close();
    LoaderStats stats = loader.stats();
    check(stats.hostBytes() == 0 && stats.batchesOpen() == 0, "left behind: %s", stats);
  }

  private static void check(boolean condition, String message, Object... arguments) {
    if (!condition) {
      fail(message, arguments);
    }
  }
}
