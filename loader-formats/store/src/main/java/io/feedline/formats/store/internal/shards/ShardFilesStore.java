package io.feedline.formats.store.internal.shards;

import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.store.internal.samples.DatasetStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

public abstract class ShardFilesStore<D extends ReadAheadDataset<?> & Closeable>
    extends DatasetStore<D> implements ShardedStore {

  private final ShardIndexes indexes;

  /** Takes the dataset, which this store closes, and the classes' names, empty if not known. */
  protected ShardFilesStore(D samples, List<String> classes, ShardIndexes indexes) {
    super(samples, classes);
    this.indexes = indexes;
  }

  @Override
  public final Path path() {
    return indexes.chosen().path();
  }

  @Override
  public final Path path(long index) {
    return indexes.path(index);
  }

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
