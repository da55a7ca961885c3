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

  /**
   * Returns a text that is the same for the same division: a run continues only with the same text.
   */
  String identity();

  /** Should there be more records, the last shard has them. */
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

  /** A shard is ended before a record that would make it larger than a number of bytes. */
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

  /** The shards of a task, whose names do not have their number: an index has it. */
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
