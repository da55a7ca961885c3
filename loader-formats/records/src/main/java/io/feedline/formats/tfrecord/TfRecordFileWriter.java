package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.formats.store.internal.staging.ShardedWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes records into the shards of a directory, as TensorFlow's {@code TFRecordWriter} does. Local
 * shards are called {@code data-00003} until it is known how many there are, and then {@code
 * data-00003-of-00007}; objects and the shards of tasks have their names from the beginning.
 *
 * @param <S> the samples, each of which becomes a record
 */
abstract class TfRecordFileWriter<S> extends ShardedWriter<S> {

  /** The beginning of the shards' names, unless another is chosen. */
  static final String DEFAULT_NAME = "data";

  private final String base;
  private final Sharding sharding;

  TfRecordFileWriter(StagedOutput output, String base, Sharding sharding) throws IOException {
    super(output, shard -> output.path().resolve(firstName(output, base, sharding, shard)));
    this.base = base;
    this.sharding = sharding;
  }

  private static String firstName(StagedOutput output, String base, Sharding sharding, int shard) {
    return ObjectOutput.of(output.path()) == null && !output.isOfTask()
        ? ShardSet.unfinishedName(base, shard)
        : sharding.name(base, shard, sharding.leastShards());
  }

  /**
   * Checks that the shards' names are known before they are written, where they cannot be renamed.
   *
   * @throws IllegalArgumentException if they are not
   */
  static void requireNames(Path directory, Sharding sharding) {
    if (!sharding.isCounted() && ObjectOutput.of(directory) != null) {
      throw new IllegalArgumentException(
          "%s: the names of tfrecord's shards tell how many there are, and an object store renames nothing: give the number of shards (--shards) instead of a size (--shard-size)"
              .formatted(directory.toUri()));
    }
  }

  /** The record of a sample. */
  protected abstract byte[] record(S sample) throws FormatException;

  @Override
  protected final void add(S sample) throws IOException {
    byte[] record = record(sample);
    while (sharding.isFull(shards(), record.length)) {
      shards().nextShard();
    }
    shards().append(RecordLayout.header(record.length), record, RecordLayout.footer(record));
  }

  @Override
  protected void finish() throws IOException {
    while (shards().shard() < sharding.leastShards() - 1) {
      shards().nextShard();
    }
    int count = shards().shard() + 1;
    shards().finish(shard -> output().path().resolve(sharding.name(base, shard, count)));
  }
}
