package io.feedline.formats.tfrecord;

import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.formats.store.internal.staging.ShardFiles;

/** A division of records into shards, and the shards' names. Immutable. */
sealed interface Sharding {

  default int leastShards() {
    return 1;
  }

  boolean isFull(ShardFiles shards, long bytes);

  default String name(String base, int shard, int count) {
    return ShardSet.name(base, shard, count);
  }

  /** Returns a text that identifies the division; only a run with the same text is continued. */
  String identity();

  /** A division into a number of shards; records beyond {@code records} go to the last shard. */
  record ByCount(int shards, long records) implements Sharding {

    public ByCount {
      if (shards < 1 || shards > 99_999) {
        throw new IllegalArgumentException("shards must be from 1 to 99999, was " + shards);
      }
      if (records < 0) {
        throw new IllegalArgumentException("records must be 0 or more, was " + records);
      }
    }

    @Override
    public int leastShards() {
      return shards;
    }

    private long end(int number) {
      return number == shards - 1
          ? Long.MAX_VALUE
          : (number + 1L) * (records / shards) + (number + 1L) * (records % shards) / shards;
    }

    @Override
    public boolean isFull(ShardFiles files, long bytes) {
      return files.samples() >= end(files.shard());
    }

    @Override
    public String identity() {
      return shards + " for " + records;
    }
  }

  /** A division by size; a shard ends before the record that would exceed {@code bytes}. */
  record BySize(long bytes) implements Sharding {

    public BySize {
      if (bytes < 1) {
        throw new IllegalArgumentException("shardBytes must be 1 or more, was " + bytes);
      }
    }

    @Override
    public boolean isFull(ShardFiles files, long length) {
      return files.shardSamples() > 0
          && files.shardBytes() + RecordLayout.FRAME_BYTES + length > bytes;
    }

    @Override
    public String identity() {
      return bytes + " bytes";
    }
  }

  /** A division of a task's records by size; shards' names do not contain the number of shards. */
  record OfTask(BySize size) implements Sharding {

    @Override
    public int leastShards() {
      return 0;
    }

    @Override
    public boolean isFull(ShardFiles files, long length) {
      return size.isFull(files, length);
    }

    @Override
    public String name(String base, int shard, int count) {
      return ShardSet.unfinishedName(base, shard) + ".tfrecord";
    }

    @Override
    public String identity() {
      return size.identity();
    }
  }

  record OneFile() implements Sharding {

    @Override
    public boolean isFull(ShardFiles files, long bytes) {
      return false;
    }

    @Override
    public String name(String base, int shard, int count) {
      return base + ".tfrecord";
    }

    @Override
    public String identity() {
      return "one file";
    }
  }
}
