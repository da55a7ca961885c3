package io.feedline.formats.store.internal.shards;

import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.internal.samples.DatasetStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A store over the samples of shards that were given, or that a list names. */
public abstract class ShardFilesStore<D extends ReadAheadDataset<?> & Closeable>
    extends DatasetStore<D> implements ShardedStore {

  private final ShardIndexes indexes;

  /**
   * Takes the samples, which are closed with this, and the names of the classes, by label; empty
   * where they are not known.
   */
  protected ShardFilesStore(D samples, List<String> classes, ShardIndexes indexes) {
    super(samples, classes);
    this.indexes = indexes;
  }

  /** The first shard, or the directory of the list of shards. */
  @Override
  public final Path path() {
    return indexes.chosen().path();
  }

  @Override
  public final Path path(long index) {
    return indexes.path(index);
  }

  /** Compares size and hash of the shards with their list, if they have one. */
  @Override
  public final void checkStructure() throws IOException {
    ShardCheck.all(indexes.chosen(), indexes.files());
  }

  @Override
  public final ShardIdentity shard(int number) throws IOException {
    return indexes.chosen().identity(number, indexes.numbers().size(number));
  }

  @Override
  public final long[] shardSizes() {
    return indexes.numbers().sizes();
  }
}
