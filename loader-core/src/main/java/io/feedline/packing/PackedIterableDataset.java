package io.feedline.packing;

import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.internal.Named;
import io.feedline.packing.TokenPacking.PackedRow;
import java.util.List;

/** The rows of a stream of sequences, packed shard by shard. */
final class PackedIterableDataset extends Named implements IterableDataset<PackedRow> {

  private final IterableDataset<TokenSequence> source;
  private final TokenPacking packing;

  PackedIterableDataset(IterableDataset<TokenSequence> source, TokenPacking packing) {
    this.source = source;
    this.packing = packing;
  }

  @Override
  public int shards() {
    return source.shards();
  }

  @Override
  public SampleStream<PackedRow> open(int shard, long epoch) throws Exception {
    SequenceReader sequences = new SequenceReader(source, shard, epoch, packing);
    return packing.strategy() == TokenPacking.Strategy.CONCATENATE
        ? new ConcatenatedStream(sequences, packing)
        : new BinStream(sequences, packing);
  }

  @Override
  public List<String> transforms() {
    return source.transforms();
  }

  @Override
  public String fingerprint() {
    return "%s(%s)".formatted(packing, source.fingerprint());
  }

  @Override
  public boolean readOnce() {
    return source.readOnce();
  }

  @Override
  public String describe(int shard) {
    return source.describe(shard);
  }

  @Override
  public String describe(int shard, long row) {
    return "packed row %d of %s".formatted(row, source.describe(shard));
  }

  @Override
  public String name() {
    return source.name() + ".packed";
  }
}
