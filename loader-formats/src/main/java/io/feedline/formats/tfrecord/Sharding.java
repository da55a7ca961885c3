package io.feedline.formats.tfrecord;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which record goes into which shard, and what the shards are called. Immutable. */
sealed interface Sharding {

  /** The shards' common path. */
  Path base();

  /** How many shards there are at least. */
  int leastShards();

  /**
   * Whether a record belongs into a later shard.
   *
   * @param number the shard's
   * @param written how many records there are in all shards
   * @param length of the record
   */
  boolean isFull(int number, PartialShard shard, long written, long length);

  /**
   * Checks that a finished shard of an interrupted run is as this would have made it.
   *
   * @param before how many records there are in the shards before it
   */
  void requireOwn(int number, long records, long before) throws IOException;

  /** Checks that an unfinished shard is as this would have made it. */
  void requireBegun(int number, long records, long before) throws IOException;

  /** What a shard is called while it is unfinished. */
  default Path partial(int number) {
    return base()
        .resolveSibling(
            String.format(
                Locale.ROOT, "%s-%05d%s", base().getFileName(), number, ShardSet.PARTIAL_SUFFIX));
  }

  /** What a shard is called when it is whole. */
  default Path committed(int number, int shards) {
    return base().resolveSibling(ShardSet.name(base().getFileName().toString(), number, shards));
  }

  /** How many shards a set has, by the name of one. */
  default int shardsOf(Path committed) {
    String name = committed.getFileName().toString();
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
  }

  /** The whole shards that are there, sorted. */
  default List<Path> committed() throws IOException {
    return list("-[0-9]{5,9}-of-[0-9]{5,9}");
  }

  /**
   * How many unfinished shards there are.
   *
   * @throws IOException if they are not numbered through
   */
  default int partials() throws IOException {
    List<Path> partials = list("-[0-9]{5,9}" + Pattern.quote(ShardSet.PARTIAL_SUFFIX));
    for (int i = 0; i < partials.size(); i++) {
      if (!partials.get(i).getFileName().equals(partial(i).getFileName())) {
        throw new IOException(
            "%s is there without %s, so there is nothing to be continued"
                .formatted(partials.get(i), partial(i).getFileName()));
      }
    }
    return partials.size();
  }

  private List<Path> list(String suffix) throws IOException {
    Pattern pattern = Pattern.compile(Pattern.quote(base().getFileName().toString()) + suffix);
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(base().toAbsolutePath().getParent())) {
      for (Path file : files) {
        Matcher name = pattern.matcher(file.getFileName().toString());
        if (name.matches()) {
          found.add(base().resolveSibling(file.getFileName()));
        }
      }
    }
    Collections.sort(found);
    return found;
  }

  /** So many shards for so many records. */
  record ByCount(Path base, int shards, long records) implements Sharding {

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

    /** How many records the shards up to this one have. */
    private long end(int number) {
      return number == shards - 1
          ? Long.MAX_VALUE
          : (number + 1L) * (records / shards) + (number + 1L) * (records % shards) / shards;
    }

    @Override
    public boolean isFull(int number, PartialShard shard, long written, long length) {
      return written >= end(number);
    }

    @Override
    public void requireOwn(int number, long found, long before) throws IOException {
      if (number >= shards || before + found != end(number)) {
        throw unlike(number, found);
      }
    }

    @Override
    public void requireBegun(int number, long found, long before) throws IOException {
      if (number >= shards || before + found > end(number)) {
        throw unlike(number, found);
      }
    }

    private IOException unlike(int number, long found) {
      return new IOException(
          "%s has %d records, as it has not with %d shards for %d records; continue with the same"
                  .formatted(partial(number), found, shards, records)
              + " numbers, or delete the .partial files");
    }
  }

  /** As many shards as become full. */
  record BySize(Path base, long bytes) implements Sharding {

    public BySize {
      if (bytes < 1) {
        throw new IllegalArgumentException("shardBytes must be 1 or more, was " + bytes);
      }
    }

    @Override
    public int leastShards() {
      return 1;
    }

    @Override
    public boolean isFull(int number, PartialShard shard, long written, long length) {
      return shard.records() > 0 && shard.end() + RecordLayout.FRAME_BYTES + length > bytes;
    }

    @Override
    public void requireOwn(int number, long found, long before) {}

    @Override
    public void requireBegun(int number, long found, long before) {}
  }

  /** A file that is called as its base. */
  record OneFile(Path base) implements Sharding {

    @Override
    public int leastShards() {
      return 1;
    }

    @Override
    public boolean isFull(int number, PartialShard shard, long written, long length) {
      return false;
    }

    @Override
    public Path partial(int number) {
      return base.resolveSibling(base.getFileName() + ShardSet.PARTIAL_SUFFIX);
    }

    @Override
    public Path committed(int number, int shards) {
      return base;
    }

    @Override
    public List<Path> committed() {
      return Files.exists(base) ? List.of(base) : List.of();
    }

    @Override
    public int shardsOf(Path committed) {
      return 1;
    }

    @Override
    public int partials() {
      return Files.exists(partial(0)) ? 1 : 0;
    }

    @Override
    public void requireOwn(int number, long found, long before) {}

    @Override
    public void requireBegun(int number, long found, long before) {}
  }
}
