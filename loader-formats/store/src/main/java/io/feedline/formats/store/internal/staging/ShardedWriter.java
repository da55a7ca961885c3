package io.feedline.formats.store.internal.staging;

import java.io.IOException;

public abstract class ShardedWriter<S> extends StagedWriter<S> {

  private final ShardFiles shards;

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
