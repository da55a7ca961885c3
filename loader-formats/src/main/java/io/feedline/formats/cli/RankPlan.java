package io.feedline.formats.cli;

import io.feedline.Batch;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.sampler.Order;
import io.feedline.sampler.Remainder;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.WorldInfo;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * What each rank of many has to do for one kind of order: found out with the loaders of some of the
 * ranks, over numbers in place of samples.
 *
 * <p>Ranks differ by one sample at most, and lower ones have the larger part: so the first and the
 * last rank are the extremes.
 *
 * @param order the kind
 * @param remainder what becomes of examples that cannot be dealt evenly
 * @param steps of a rank
 * @param examples of a rank
 * @param readTwice how many examples are read by a second rank, so that all have as many
 * @param leftOut how many examples no rank reads
 * @param bytes the memory of a rank's order
 * @param firstBatchSeconds how long it took here to make the order and the indices of the first
 *     batch, of the slowest of the ranks that were tried; empty where that would take too long
 * @param readsOfFirstBatch how many samples a rank reads until it has its first batch
 * @param storageSeconds how long a storage takes for the first batches of all ranks; empty where
 *     none was named
 * @param shardsOfRank how many shards the first rank opens in an epoch; empty: not counted
 * @param shardsOfNode how many those of the first node open together
 * @param resumed what becomes of a resumption with another number of ranks
 */
record RankPlan(
    RankOrder order,
    Remainder remainder,
    Range steps,
    Range examples,
    long readTwice,
    long leftOut,
    long bytes,
    OptionalDouble firstBatchSeconds,
    long readsOfFirstBatch,
    OptionalDouble storageSeconds,
    OptionalInt shardsOfRank,
    OptionalInt shardsOfNode,
    Optional<Resumed> resumed) {

  /** Above so many samples of a rank, the shards that it opens are not counted. */
  static final long MOST_COUNTED = 1 << 22;

  /** Above so many samples that are read for it, a first batch is not tried. */
  private static final long MOST_READ = 1 << 26;

  /** How many reads a loader has in flight for remote storage, where it is not told otherwise. */
  private static final int READ_AHEAD = 64;

  /**
   * A number that differs among ranks.
   *
   * @param fewest of any rank; empty where it shows only at the end of the epoch
   * @param most of any rank; empty likewise
   */
  record Range(OptionalLong fewest, OptionalLong most) {

    static final Range UNKNOWN = new Range(OptionalLong.empty(), OptionalLong.empty());

    boolean equalForAll() {
      return fewest.isPresent() && fewest.equals(most);
    }
  }

  /**
   * What becomes of a state that other ranks took.
   *
   * @param refusal why it is not possible, as the loader says it; null where it is
   * @param samplesBefore how many samples have been used up by all ranks
   * @param firstExample the sample that rank 0 goes on with; empty where nothing is left, or where
   *     it shows when the stream has been read up to there
   * @param steps that are left to a rank
   */
  record Resumed(String refusal, long samplesBefore, OptionalLong firstExample, Range steps) {

    boolean possible() {
      return refusal == null;
    }
  }

  /**
   * Tries an order.
   *
   * @param storage what all ranks read from, if it is known
   * @param exampleBytes the size of an example as it is stored; empty: not known
   * @param workers of each loader; empty: as many as read ahead
   * @param clock nanoseconds
   */
  static RankPlan of(
      RankOrder order,
      RankWorkload workload,
      Optional<Storage> storage,
      OptionalLong exampleBytes,
      OptionalInt workers,
      LongSupplier clock) {
    return new Trial(order, workload, clock).plan(storage, exampleBytes, workers);
  }

  /** One order that is being tried. */
  private static final class Trial {
    private final RankOrder order;
    private final RankWorkload workload;
    private final LongSupplier clock;

    Trial(RankOrder order, RankWorkload workload, LongSupplier clock) {
      this.order = order;
      this.workload = workload;
      this.clock = clock;
    }

    RankPlan plan(Optional<Storage> storage, OptionalLong exampleBytes, OptionalInt workers) {
      Sampler all = shared();
      Remainder remainder = order.remainder(workload);
      Range steps = batches(all, workload.ranks(), workload.batchSize());
      // Batches of one sample are samples.
      Range examples = batches(all, workload.ranks(), 1);
      long dealt =
          remainder == Remainder.EXACT
              ? workload.examples()
              : examples.most().orElseThrow() * workload.ranks();
      long reads = readsOfFirstBatch();
      return new RankPlan(
          order,
          remainder,
          steps,
          examples,
          Math.max(0, dealt - workload.examples()),
          Math.max(0, workload.examples() - dealt),
          order.bytes(workload),
          firstBatchSeconds(),
          reads,
          storage.isEmpty()
              ? OptionalDouble.empty()
              : OptionalDouble.of(storageSeconds(storage.get(), exampleBytes, workers)),
          shards(all, 1),
          shards(all, workload.ranksOfNode()),
          workload.resume().map(resume -> resumed(all, resume, steps)));
    }

    /** The order that the ranks share, made once for all of them. */
    private Sampler shared() {
      Sampler all = order.all(workload);
      if (all == null) {
        return null;
      }
      Order once = all.order(0);
      return epoch -> once;
    }

    private DataLoader<Long> loader(Sampler all, int rank, int ranks, int batchSize) {
      return order
          .loader(workload, all, new WorldInfo(rank, ranks))
          .batchSize(batchSize)
          .numWorkers(0)
          .build();
    }

    private Range batches(Sampler all, int ranks, int batchSize) {
      try (DataLoader<Long> first = loader(all, 0, ranks, batchSize);
          DataLoader<Long> last = loader(all, ranks - 1, ranks, batchSize)) {
        return new Range(last.size(), first.size());
      }
    }

    /** Nothing is shared here: each rank makes its own order. */
    private OptionalDouble firstBatchSeconds() {
      if (readsOfFirstBatch() > MOST_READ) {
        return OptionalDouble.empty();
      }
      long longest = 0;
      for (int rank : new int[] {0, workload.ranks() / 2, workload.ranks() - 1}) {
        long start = clock.getAsLong();
        try (DataLoader<Long> loader =
            loader(order.all(workload), rank, workload.ranks(), workload.batchSize())) {
          BatchIterator iterator = loader.iterator();
          if (iterator.hasNext()) {
            iterator.next().close();
          }
        }
        longest = Math.max(longest, clock.getAsLong() - start);
      }
      return OptionalDouble.of(longest / 1e9);
    }

    private long readsOfFirstBatch() {
      long each = order == RankOrder.STREAM_SAMPLES ? workload.ranks() : 1;
      return Math.min(workload.examples(), workload.batchSize() * each);
    }

    /** All ranks begin at the same time, so the whole storage is shared by all. */
    private double storageSeconds(Storage storage, OptionalLong exampleBytes, OptionalInt workers) {
      double samples = readsOfFirstBatch();
      double bytes = samples * exampleBytes.orElse(1);
      double reads = samples;
      double rounds = Math.ceil(samples / workers.orElse(READ_AHEAD));
      if (order.streams()) {
        // A shard is opened, and read in pieces, one after the other.
        reads = 1 + Math.ceil(bytes / Plan.PACKED_READ);
        rounds = reads;
      }
      return Math.max(
          rounds * storage.latencySeconds(),
          workload.ranks()
              * Math.max(reads / storage.readsPerSecond(), bytes / storage.bytesPerSecond()));
    }

    /** How many shards the first ranks open in an epoch. */
    private OptionalInt shards(Sampler all, int ranks) {
      if (workload.shards().isEmpty()) {
        return OptionalInt.empty();
      }
      int shards = workload.shards().getAsInt();
      if (order == RankOrder.STREAM_SAMPLES) {
        return OptionalInt.of(shards);
      }
      if (order == RankOrder.STREAM) {
        return OptionalInt.of(
            (int) ((long) shards / workload.ranks() * ranks)
                + Math.min(ranks, shards % workload.ranks()));
      }
      BitSet opened = new BitSet(shards);
      for (int rank = 0; rank < ranks && opened.cardinality() < shards; rank++) {
        Order own = order.sampler(workload, all, new WorldInfo(rank, workload.ranks())).order(0);
        if (own.size() > MOST_COUNTED) {
          return OptionalInt.empty();
        }
        for (long position = 0; position < own.size(); position++) {
          opened.set(workload.shardOf(own.indexAt(position)));
        }
      }
      return OptionalInt.of(opened.cardinality());
    }

    private Resumed resumed(Sampler all, RankWorkload.Resume resume, Range steps) {
      long most = steps.fewest().orElse(workload.examples() / workload.batchSize());
      if (resume.step() > most) {
        return refused(
            "an epoch of %d ranks has %d steps only".formatted(workload.ranks(), most),
            workload.examples());
      }
      LoaderState state;
      try (DataLoader<Long> loader = loader(all, 0, workload.ranks(), workload.batchSize())) {
        state = behind(loader.state(), resume.step() * workload.batchSize());
      }
      long before = state.position() * workload.ranks();
      int last = resume.ranks() - 1;
      try (DataLoader<Long> first = loader(all, 0, resume.ranks(), workload.batchSize());
          DataLoader<Long> other = loader(all, last, resume.ranks(), workload.batchSize())) {
        String refusal = refusal(first, state);
        if (refusal != null) {
          return refused(refusal, before);
        }
        if (order.streams()) {
          return new Resumed(null, before, OptionalLong.empty(), stepsOfStream(resume, before));
        }
        other.resume(state);
        BatchIterator rest = first.iterator();
        Range left = new Range(other.iterator().remaining(), rest.remaining());
        return new Resumed(null, before, firstExample(rest), left);
      }
    }

    private static Resumed refused(String refusal, long before) {
      return new Resumed(refusal, before, OptionalLong.empty(), Range.UNKNOWN);
    }

    /** What the loader says to a state; null if it goes on from there. */
    private static String refusal(DataLoader<Long> loader, LoaderState state) {
      try {
        loader.resume(state);
        return null;
      } catch (IllegalArgumentException refused) {
        return refused.getMessage();
      }
    }

    private static OptionalLong firstExample(BatchIterator rest) {
      if (!rest.hasNext()) {
        return OptionalLong.empty();
      }
      try (Batch batch = rest.next()) {
        return OptionalLong.of(batch.indices()[0]);
      }
    }

    /** The steps that are left of a stream that is dealt sample by sample, as at its beginning. */
    private Range stepsOfStream(RankWorkload.Resume resume, long before) {
      long left = Math.max(0, workload.examples() - before);
      long fewest = left / resume.ranks();
      boolean more = order.remainder(workload) == Remainder.EXACT && left % resume.ranks() > 0;
      return new Range(steps(fewest), steps(more ? fewest + 1 : fewest));
    }

    private OptionalLong steps(long samples) {
      return OptionalLong.of((samples + workload.batchSize() - 1) / workload.batchSize());
    }

    private static LoaderState behind(LoaderState beginning, long position) {
      return new LoaderState(
          beginning.dataset(),
          beginning.order(),
          beginning.seed(),
          beginning.epoch(),
          position,
          beginning.ahead(),
          beginning.batchSize(),
          beginning.worldSize(),
          beginning.offset(),
          position,
          beginning.failures(),
          beginning.stream());
    }
  }
}
