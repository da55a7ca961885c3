package io.feedline.formats.store.internal.shards;

import java.nio.file.Path;

/** The values by which files beside a shard refer to the shard. */
public record ShardIdentity(Path file, long bytes, long samples) {

  /** Returns name, size and number of samples, which a copy in another directory has, too. */
  public String fingerprint() {
    return "shard:" + samples + ":" + bytes + ":" + file.getFileName();
  }
}
