package io.feedline.formats.store.internal.shards;

import java.nio.file.Path;

/** The values by which files beside a shard refer to the shard. */
public record ShardIdentity(Path file, long bytes, long samples) {

  /** The name of the file, its size and its samples, which a copy elsewhere has, too. */
  public String fingerprint() {
    return "shard:" + samples + ":" + bytes + ":" + file.getFileName();
  }
}
