package io.feedline.formats.store.internal.shards;

import io.feedline.data.Dataset;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.DatasetStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A store over the samples of shards that were given, or that a list names.
 *
 * @param <D> the dataset
 */
public abstract class ShardFilesStore<D extends Dataset<?> & Closeable> extends DatasetStore<D>
    implements ShardedStore {

  private final ChosenShards chosen;
  private final Shards numbers;
  private final OpenFiles files;

  /**
   * A store over samples.
   *
   * @param samples closed with this
   * @param classes the names of the classes, by label; empty where they are not known
   * @param files what opens the shards
   */
  protected ShardFilesStore(
      D samples, List<String> classes, ChosenShards chosen, Shards numbers, OpenFiles files) {
    super(samples, classes);
    this.chosen = chosen;
    this.numbers = numbers;
    this.files = files;
  }

  /** The first shard, or the directory of the list of shards. */
  @Override
  public final Path path() {
    return chosen.path();
  }

  @Override
  public final Path path(long index) {
    return chosen.shards().get(numbers.shardOf(index));
  }

  /** Compares size and hash of the shards with their list, if they have one. */
  @Override
  public final void checkStructure() throws IOException {
    ShardCheck.all(chosen, files);
  }

  @Override
  public final ShardIdentity shard(int number) throws IOException {
    return chosen.identity(number, numbers.size(number));
  }

  @Override
  public final long[] shardSizes() {
    return numbers.sizes();
  }
}
