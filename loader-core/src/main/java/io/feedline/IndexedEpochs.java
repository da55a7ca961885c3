package io.feedline;

import io.feedline.data.Dataset;
import io.feedline.internal.Digest;
import io.feedline.internal.Orders;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.BatchSampler.BatchOrder;
import io.feedline.sampler.DistributedBatchSampler;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.Sampler.Order;
import io.feedline.sampler.ShardedSampler;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Epochs of a dataset with random access. */
final class IndexedEpochs<T> implements EpochFactory<T> {

  private static final int PROBES = 64;

  private static final long NO_INDEX = -1;

  private static final Logger LOG = LoggerFactory.getLogger(IndexedEpochs.class);

  private final Dataset<T> dataset;
  private final Sampler sampler;
  private final BatchSampler batchSampler;
  private final int batchSize;
  private final boolean dropLast;
  private final RankOrders orders;

  /** The order that was requested last, kept since making an order may be costly. */
  private record Known(long epoch, Order order) {}

  private record KnownId(long epoch, long positions, String id) {}

  private volatile Known known;
  private volatile KnownId knownId;
  private volatile String datasetId;

  private IndexedEpochs(
      Dataset<T> dataset,
      Sampler sampler,
      BatchSampler batchSampler,
      int batchSize,
      boolean dropLast) {
    this.dataset = dataset;
    this.sampler = sampler;
    this.batchSampler = batchSampler;
    this.batchSize = batchSize;
    this.dropLast = dropLast;
    this.orders =
        batchSampler == null
            ? RankOrders.of(
                epoch -> batchOrder(epoch, 0, 0), sampler, batchSize, dropLast, System.getenv())
            : RankOrders.of(epoch -> batchOrder(epoch, 0, 0), batchSampler, System.getenv());
  }

  static <T> IndexedEpochs<T> of(
      Dataset<T> dataset, Sampler sampler, int batchSize, boolean dropLast) {
    return new IndexedEpochs<>(dataset, sampler, null, batchSize, dropLast);
  }

  static <T> IndexedEpochs<T> of(Dataset<T> dataset, BatchSampler batchSampler) {
    return new IndexedEpochs<>(dataset, null, batchSampler, 0, false);
  }

  @Override
  public OptionalLong batches(long epoch) {
    return OptionalLong.of(batchOrder(epoch, 0, 0).batches());
  }

  @Override
  public EpochSource<T> epoch(long epoch, EpochPlace from) {
    long firstBatch =
        RankOrders.firstBatch(from.position(), from.offset(), batchSampler == null ? batchSize : 1);
    return new IndexedEpoch<>(
        new RemainingBatches<>(
            dataset,
            orders,
            batchOrder(epoch, from.position(), from.offset()),
            epoch,
            firstBatch,
            Set.copyOf(from.ahead())),
        substitutes(epoch, from.position(), from.offset()));
  }

  /**
   * Returns the batches of an epoch from a sample of this rank on; with a batch sampler, from a
   * batch on.
   *
   * @param offset the number of samples (or batches) of the epoch before the first round, which has
   *     one for each rank
   */
  private BatchSampler.BatchOrder batchOrder(long epoch, long position, long offset) {
    if (batchSampler != null) {
      return new LaterBatches(batches(epoch, offset), position);
    }
    Order order = offset == 0 ? order(epoch) : laterRounds(epoch, offset);
    Order rest =
        position == 0 ? order : new LaterPositions(order, Math.min(position, order.size()));
    return BatchSampler.of(any -> rest, batchSize, dropLast).order(epoch);
  }

  /**
   * Returns the substitutes for the samples from a position on. The substitutes come from the part
   * of the epoch that this rank has with the present number of ranks. The position counts samples,
   * so the batch size does not change the substitutes.
   */
  private Substitutes substitutes(long epoch, long position, long offset) {
    if (batchSampler != null) {
      return new Substitutes(
          () -> batches(epoch, offset), position << Integer.SIZE, 1L << Integer.SIZE);
    }
    return new Substitutes(
        () -> {
          Order order = offset == 0 ? order(epoch) : laterRounds(epoch, offset);
          return BatchSampler.of(any -> order, 1, false).order(epoch);
        },
        position,
        batchSize);
  }

  /** Returns this rank's part of the epoch's samples after the first {@code offset} samples. */
  private Order laterRounds(long epoch, long offset) {
    DistributedSampler dealt = (DistributedSampler) sampler;
    Order all = dealt.base().order(epoch);
    Order rest = new LaterPositions(all, Math.min(offset, all.size()));
    return DistributedSampler.builder(any -> rest, dealt.world())
        .remainder(dealt.remainder())
        .build()
        .order(epoch);
  }

  /** Returns this rank's part of the epoch's batches after the first {@code offset} batches. */
  private BatchSampler.BatchOrder batches(long epoch, long offset) {
    if (offset == 0) {
      return Orders.check(
          batchSampler.order(epoch), BatchOrder::batches, "batches", batchSampler, epoch);
    }
    DistributedBatchSampler dealt = (DistributedBatchSampler) batchSampler;
    BatchSampler.BatchOrder rest = new LaterBatches(dealt.base().order(epoch), offset);
    return DistributedBatchSampler.of(any -> rest, dealt.world(), dealt.remainder()).order(epoch);
  }

  private Order order(long epoch) {
    Known last = known;
    if (last == null || last.epoch() != epoch) {
      Order made = Orders.check(sampler.order(epoch), Order::size, "samples", sampler, epoch);
      last = new Known(epoch, made);
      known = last;
    }
    return last.order();
  }

  private record LaterPositions(Order order, long from) implements Order {
    @Override
    public long size() {
      return order.size() - from;
    }

    @Override
    public long indexAt(long position) {
      return order.indexAt(from + position);
    }

    @Override
    public long occurrence(long position) {
      return order.occurrence(from + position);
    }
  }

  private record LaterBatches(BatchSampler.BatchOrder order, long from)
      implements BatchSampler.BatchOrder {
    @Override
    public long batches() {
      return Math.max(0, order.batches() - from);
    }

    @Override
    public int batchSize(long batch) {
      return order.batchSize(from + batch);
    }

    @Override
    public long indexAt(long batch, int row) {
      return order.indexAt(from + batch, row);
    }

    @Override
    public long occurrence(long batch, int row) {
      return order.occurrence(from + batch, row);
    }
  }

  @Override
  public EpochFactory<T> unread() {
    return new IndexedEpochs<>(
        PlaceholderDataset.of(dataset), sampler, batchSampler, batchSize, dropLast);
  }

  @Override
  public boolean readOnce() {
    return false;
  }

  @Override
  public List<String> transforms() {
    return dataset.transforms();
  }

  @Override
  public String datasetId() {
    String id = datasetId;
    if (id == null) {
      id =
          Digest.of(
              Objects.requireNonNull(dataset.fingerprint(), "the dataset's fingerprint is null"));
      datasetId = id;
    }
    return id;
  }

  /** Returns a digest of indices at evenly spread positions of the order of all ranks. */
  @Override
  public String orderId(long epoch) {
    return id(epoch).id();
  }

  @Override
  public OptionalLong positions(long epoch) {
    return OptionalLong.of(id(epoch).positions());
  }

  private KnownId id(long epoch) {
    KnownId last = knownId;
    if (last == null || last.epoch() != epoch) {
      last = makeId(epoch);
      knownId = last;
    }
    return last;
  }

  private KnownId makeId(long epoch) {
    Digest digest = new Digest();
    long positions;
    if (batchSampler != null) {
      BatchSampler all =
          batchSampler instanceof DistributedBatchSampler dealt ? dealt.base() : batchSampler;
      BatchSampler.BatchOrder order = all.order(epoch);
      positions = order.batches();
      probe(digest, positions, batch -> digestOf(order, batch));
    } else {
      Order order =
          sampler instanceof DistributedSampler dealt ? dealt.base().order(epoch) : order(epoch);
      positions = order.size();
      probe(digest, positions, order::indexAt);
    }
    return new KnownId(epoch, positions, digest.toString());
  }

  private static void probe(Digest digest, long size, LongUnaryOperator at) {
    digest.add(size);
    long probes = Math.min(size, PROBES);
    for (long i = 0; i < probes; i++) {
      long found;
      try {
        // size * i / probes, without overflow.
        found = at.applyAsLong(size / probes * i + size % probes * i / probes);
      } catch (VirtualMachineError noMemory) {
        throw noMemory;
      } catch (RuntimeException | Error failure) {
        // The batch reports the failure at its turn. States after other batches need a digest now.
        LOG.debug("the order of an epoch fails at probe {}", i, failure);
        found = NO_INDEX;
      }
      digest.add(found);
    }
  }

  /** Returns a digest of a few rows of a batch: calls of a batch sampler may be costly. */
  private static long digestOf(BatchSampler.BatchOrder order, long batch) {
    int size = order.batchSize(batch);
    long digest = size;
    for (int row : new int[] {0, size / 2, size - 1}) {
      digest = digest * 0x9E3779B97F4A7C15L + order.indexAt(batch, row);
    }
    return digest;
  }

  @Override
  public boolean sharedByPosition() {
    return true;
  }

  @Override
  public String otherOrders(int ranksOfState) {
    String any =
        "another sampler or another seed of it, or a sampler in PyTorch's order that starts at"
            + " another draw (see TorchSampler.startingAt)";
    return sampler instanceof ShardedSampler dealt && dealt.world().worldSize() > 1
        ? "rank %d of %d has an order of its own (ShardedSampler.deal), which only the same rank of the same number of ranks can continue; with ShardedSampler.runs any number of ranks can; else %s"
            .formatted(dealt.world().rank(), dealt.world().worldSize(), any)
        : any;
  }

  @Override
  public int worldSize() {
    if (sampler instanceof DistributedSampler dealt) {
      return dealt.world().worldSize();
    }
    return batchSampler instanceof DistributedBatchSampler dealt ? dealt.world().worldSize() : 1;
  }
}
