package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.samples.ForwardingStore;
import java.io.IOException;
import java.util.Optional;

public interface ShardedStore {

  long[] shardSizes();

  ShardIdentity shard(int number) throws IOException;

  /** Returns the store, or the store to which it forwards, if that store is sharded. */
  static Optional<ShardedStore> of(ImageStore store) {
    if (store instanceof ForwardingStore forwarding) {
      return of(forwarding.store());
    }
    return store instanceof ShardedStore sharded ? Optional.of(sharded) : Optional.empty();
  }
}
