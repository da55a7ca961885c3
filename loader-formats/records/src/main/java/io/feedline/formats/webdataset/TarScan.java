package io.feedline.formats.webdataset;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.Beside;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.ShardIndex;
import io.feedline.formats.store.internal.shards.ShardIndexes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds samples' offsets, which as multiples of 512 fit into four bytes up to 2 TiB. */
final class TarScan {

  private static final Logger LOG = LoggerFactory.getLogger(TarScan.class);

  private static final String INDEX_SUFFIX = ".feedline-index";

  private TarScan() {}

  static Path indexOf(Path shard) {
    return Beside.of(shard, INDEX_SUFFIX);
  }

  static ShardIndexes open(ChosenShards shards, int openFiles, boolean keep) throws IOException {
    return ShardIndexes.open(
        shards, openFiles, keep ? TarScan::indexOf : null, TarLayout.BLOCK, TarScan::scan);
  }

  /** Scans a shard; damage that makes its rest unreadable counts as one more sample. */
  private static ShardIndex scan(OpenFiles files, Path shard) throws IOException {
    TarInput.OfFile input = TarInput.whole(files, shard);
    if (input.compression() != null) {
      input.close();
      throw FormatException.in(shard, WebDataset.COMPRESSED);
    }
    TarReader tar = new TarReader(input, shard);
    try (TarSampleReader samples = new TarSampleReader(tar, shard, suffix -> false, 0)) {
      LongStream.Builder starts = LongStream.builder();
      LongStream.Builder keys = LongStream.builder();
      int count = 0;
      String key;
      try {
        while ((key = samples.skip()) != null) {
          if (count == ShardIndex.MAX_SAMPLES) {
            throw new IOException(
                ("%s has more than %d samples; write it as several shards, by shardBytes or"
                        + " maxSamples (--shard-size, --shards)")
                    .formatted(shard, count));
          }
          keys.add(hash(key));
          starts.add(samples.start());
          count++;
        }
      } catch (FormatException broken) {
        LOG.warn("a damaged shard: {}", broken.getMessage());
        long[] found = starts.add(samples.start()).build().toArray();
        return ShardIndex.of(found, TarLayout.BLOCK, broken.getMessage());
      }
      long[] found = starts.add(tar.position()).build().toArray();
      warnOfRepeatedKey(shard, keys.build().toArray(), found);
      return ShardIndex.of(found, TarLayout.BLOCK);
    }
  }

  /** Returns the FNV-1a hash of 64 bits: two keys of a shard practically never share a hash. */
  private static long hash(String key) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  /** Warns of samples with the same key, which are not joined if they are not neighbors. */
  private static void warnOfRepeatedKey(Path shard, long[] keys, long... starts) {
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    int repeated = 0;
    long example = 0;
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        repeated++;
        example = sorted[i];
      }
    }
    if (repeated == 0) {
      return;
    }
    int first = 0;
    while (keys[first] != example) {
      first++;
    }
    int second = first + 1;
    while (keys[second] != example) {
      second++;
    }
    LOG.warn(
        "{}: {} of {} samples have the key of an earlier one, such as samples {} and {} at offsets"
            + " {} and {}. Entries of one key are one sample only where they follow each other",
        shard,
        repeated,
        keys.length,
        first,
        second,
        starts[first],
        starts[second]);
  }
}
