package io.feedline.formats.webdataset;

import io.feedline.formats.support.OpenFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the samples of a shard begin: four bytes for each, as everything in a tar begins at a
 * multiple of 512. Names and sizes are read with the sample, from the archive itself. Immutable.
 *
 * <p>What makes the rest of a shard unreadable, such as its truncation, stands as one more sample
 * at its end, which fails with that reason: so nothing is lost silently, the samples before it can
 * be read, and what follows is for the loader's error policy.
 */
final class ShardIndex {

  private static final Logger LOG = LoggerFactory.getLogger(ShardIndex.class);

  /** In blocks, unsigned. */
  private final int[] blocks;

  /** The offset behind the last sample. */
  private final long end;

  private final String damage;

  /**
   * An index.
   *
   * @param blocks where each sample begins, in blocks of 512 bytes, unsigned; not copied
   * @param end the offset behind the last one
   * @param damage why the rest of the shard cannot be read, or null
   */
  ShardIndex(int[] blocks, long end, String damage) {
    this.blocks = blocks;
    this.end = end;
    this.damage = damage;
  }

  /** The number of samples, the one that stands for damage included. */
  int size() {
    return blocks.length + (damage == null ? 0 : 1);
  }

  /** Where each sample begins, in blocks, unsigned; not copied. */
  int[] blocks() {
    return blocks;
  }

  /** Why the rest of the shard cannot be read, or null. */
  String damage() {
    return damage;
  }

  /** The offset behind the last sample that can be read. */
  long end() {
    return end;
  }

  /** Whether a sample stands for damage. */
  boolean isDamage(int sample) {
    return sample == blocks.length;
  }

  /** The offset at which a sample begins. */
  long start(int sample) {
    return isDamage(sample) ? end : Integer.toUnsignedLong(blocks[sample]) * TarLayout.BLOCK;
  }

  /** The offset at which the next sample begins. */
  long end(int sample) {
    return sample + 1 < blocks.length ? start(sample + 1) : end;
  }

  /**
   * Reads all headers of a shard.
   *
   * @throws FileNotFoundException if there is no such file
   * @throws IOException if it cannot be read, which is no damage
   */
  static ShardIndex scan(OpenFiles files, Path shard) throws IOException {
    long size = files.size(shard);
    if (size > (1L << 32) * TarLayout.BLOCK) {
      throw new WebDatasetException(
          "%s has %d bytes; a shard has at most 2 TiB".formatted(shard, size));
    }
    TarReader tar = new TarReader(TarInput.of(files, shard, 0, size), shard.toString());
    try (SampleReader samples = new SampleReader(tar, shard.toString(), suffix -> false, 0)) {
      int[] blocks = new int[64];
      int count = 0;
      try {
        while (samples.skip() != null) {
          if (count == blocks.length) {
            blocks = Arrays.copyOf(blocks, Math.addExact(count, Math.max(64, count >> 1)));
          }
          blocks[count++] = (int) (samples.start() / TarLayout.BLOCK);
        }
      } catch (WebDatasetException broken) {
        LOG.warn("a damaged shard: {}", broken.getMessage());
        return new ShardIndex(Arrays.copyOf(blocks, count), samples.start(), broken.getMessage());
      }
      if (!tar.endMarked()) {
        LOG.warn("{} has no end mark: the archive may be shorter than it was meant to be", shard);
      }
      return new ShardIndex(Arrays.copyOf(blocks, count), tar.position(), null);
    }
  }
}
