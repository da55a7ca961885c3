package io.feedline.formats.store.internal.shards;

import java.nio.file.Path;

/**
 * The file of a shard, and the values that identify it: files beside the shard refer to it by these
 * values.
 *
 * @param file as it is stored, compressed or not
 * @param bytes the size of the file
 * @param samples how many it has
 */
public record ShardIdentity(Path file, long bytes, long samples) {

  /** The name of the file, its size and its samples, which a copy elsewhere has, too. */
  public String fingerprint() {
    return "shard:" + samples + ":" + bytes + ":" + file.getFileName();
  }
}
