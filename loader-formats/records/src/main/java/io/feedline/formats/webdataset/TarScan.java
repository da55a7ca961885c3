package io.feedline.formats.webdataset;

import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.ShardIndex;
import io.feedline.formats.store.internal.shards.ShardIndexes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the samples of a shard begin, found by reading all of its headers once. Everything in a tar
 * begins at a multiple of 512, so a sample takes four bytes in shards of up to 2 TiB.
 */
final class TarScan {

  private static final Logger LOG = LoggerFactory.getLogger(TarScan.class);

  private static final String INDEX_SUFFIX = ".feedline-index";

  private TarScan() {}

  /** Where the index of a shard is kept. */
  static Path indexOf(Path shard) {
    return shard.resolveSibling(shard.getFileName() + INDEX_SUFFIX);
  }

  /**
   * The indexes of shards, in their order.
   *
   * @param keep whether they are kept beside the shards
   * @throws IOException if a shard that was given cannot be read, which is no damage
   */
  static ShardIndexes indexes(ChosenShards shards, OpenFiles files, boolean keep)
      throws IOException {
    return ShardIndexes.of(
        shards,
        files,
        keep ? TarScan::indexOf : null,
        TarLayout.BLOCK,
        shard -> scan(files, shard));
  }

  /**
   * Reads all headers of a shard. What makes the rest of it unreadable, such as its truncation,
   * stands as one more sample at its end.
   */
  private static ShardIndex scan(OpenFiles files, Path shard) throws IOException {
    TarReader tar = new TarReader(TarInput.whole(files, shard), shard);
    try (TarSampleReader samples = new TarSampleReader(tar, shard, suffix -> false, 0)) {
      long[] starts = new long[64];
      int count = 0;
      try {
        while (samples.skip() != null) {
          if (count == ShardIndex.MAX_SAMPLES) {
            throw new IOException(
                ("%s has more than %d samples; write it as several shards, by shardBytes or"
                        + " maxSamples (--shard-size, --shards)")
                    .formatted(shard, count));
          }
          if (count + 1 == starts.length) {
            starts = Arrays.copyOf(starts, starts.length + (starts.length >> 1));
          }
          starts[count++] = samples.start();
        }
      } catch (FormatException broken) {
        LOG.warn("a damaged shard: {}", broken.getMessage());
        return index(starts, count, samples.start(), broken.getMessage());
      }
      if (!tar.endMarked()) {
        LOG.warn("{} has no end mark: the archive may be shorter than it was meant to be", shard);
      }
      return index(starts, count, tar.position(), null);
    }
  }

  private static ShardIndex index(long[] starts, int count, long end, String damage) {
    long[] exact = Arrays.copyOf(starts, count + 1);
    exact[count] = end;
    return ShardIndex.of(exact, TarLayout.BLOCK, damage);
  }
}
