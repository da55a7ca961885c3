package io.feedline.formats.cli;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a new store is to be like.
 *
 * @param classes the names of the classes by index; empty if they have none
 * @param size how many images will be written
 * @param shards into how many files they go, if that was asked for
 * @param shardBytes the largest size of a file, if that was asked for; not together with shards
 */
record Packing(List<String> classes, long size, OptionalInt shards, OptionalLong shardBytes) {

  /** So many that the images make as many shards as were asked for, or one. */
  long imagesPerShard() {
    int count = shards.orElse(1);
    return Math.max(1, (size + count - 1) / count);
  }

  /**
   * For a format that is one file or directory.
   *
   * @throws IllegalArgumentException if shards were asked for
   */
  void refuseSharding(StoreFormat format) {
    if (shards.isPresent() || shardBytes.isPresent()) {
      throw new IllegalArgumentException(
          "%s has no shards: leave out --shards and --shard-size".formatted(format));
    }
  }
}
