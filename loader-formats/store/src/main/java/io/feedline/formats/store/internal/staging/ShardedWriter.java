package io.feedline.formats.store.internal.staging;

import java.io.IOException;

/**
 * A writer that appends its samples to shards, or to one file: a format defines the bytes of a
 * sample and when a shard is full.
 */
public abstract class ShardedWriter<S> extends StagedWriter<S> {

  private final ShardFiles shards;

  /** Takes the shards, which are closed with the writer. */
  protected ShardedWriter(StagedOutput output, ShardFiles shards) {
    super(output);
    this.shards = shards;
  }

  protected final ShardFiles shards() {
    return shards;
  }

  @Override
  protected long added() {
    return shards.samples();
  }

  @Override
  protected final void release() throws IOException {
    shards.close();
  }
}
