package io.feedline.formats.store.internal.staging;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntFunction;

/**
 * A writer that appends its samples to shards, or to one file: a format defines the bytes of a
 * sample and when a shard is full.
 *
 * @param <S> the samples
 */
public abstract class ShardedWriter<S> extends StagedWriter<S> {

  /** Null where an interrupted run had written everything: then nothing is added. */
  private final ShardFiles shards;

  /**
   * Continues with the shards of an output, or begins with the first.
   *
   * @param names where the shard of a number is while it is written, from 0
   * @throws IOException if a shard cannot be opened
   */
  protected ShardedWriter(StagedOutput output, IntFunction<Path> names) throws IOException {
    super(output);
    this.shards = output.isComplete() ? null : ShardFiles.open(output, names);
  }

  /** The shards that are written. */
  protected final ShardFiles shards() {
    return shards;
  }

  @Override
  protected final long added() {
    return shards.samples();
  }

  @Override
  protected final void release() throws IOException {
    if (shards != null) {
      shards.close();
    }
  }
}
