package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.formats.store.internal.staging.ShardFiles;
import io.feedline.formats.store.internal.staging.ShardedWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A writer of shards; at the end adds their number, {@code -of-00007}, to local files' names. */
abstract class TfRecordFileWriter<S> extends ShardedWriter<S> {

  static final String DEFAULT_NAME = "data";

  private final String base;
  private final Sharding sharding;

  TfRecordFileWriter(StagedOutput output, String base, Sharding sharding) {
    super(
        output,
        sharding instanceof Sharding.OneFile one
            ? ShardFiles.ofOne(output, output.path().resolve(one.name(base, 0, 1)))
            : ShardFiles.of(
                output, shard -> output.path().resolve(firstName(output, base, sharding, shard))));
    this.base = base;
    this.sharding = sharding;
  }

  private static String firstName(StagedOutput output, String base, Sharding sharding, int shard) {
    return ObjectOutput.of(output.path()) == null && !output.isOfTask()
        ? ShardSet.unfinishedName(base, shard)
        : sharding.name(base, shard, sharding.leastShards());
  }

  /** Checks that shards can be renamed, as is necessary if their number is not known beforehand. */
  static void requireRenaming(Path directory) {
    if (ObjectOutput.of(directory) != null) {
      throw new IllegalArgumentException(
          "%s: the names of tfrecord's shards tell how many there are, and an object store renames nothing: give the number of shards (--shards) instead of a size (--shard-size)"
              .formatted(directory.toUri()));
    }
  }

  protected abstract List<byte[]> record(S sample) throws FormatException;

  @Override
  protected final void add(S sample) throws IOException {
    List<byte[]> record = record(sample);
    long length = record.stream().mapToLong(piece -> piece.length).sum();
    while (sharding.isFull(shards(), length)) {
      shards().nextShard();
    }
    List<byte[]> framed = new ArrayList<>(record);
    framed.add(0, RecordLayout.header(length));
    framed.add(RecordLayout.footer(record));
    shards().append(framed.toArray(byte[][]::new));
  }

  @Override
  protected void finish() throws IOException {
    shards().end();
    while (shards().shard() < sharding.leastShards()) {
      shards().nextShard();
    }
    int count = shards().shard();
    shards().rename(shard -> output().path().resolve(sharding.name(base, shard, count)));
  }
}
