package io.feedline.formats.webdataset;

import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.internal.OpenFiles;
import io.feedline.formats.store.internal.WholeFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What an interrupted run of a {@link WebDatasetWriter} left, and from where the next goes on.
 *
 * <p>Shards have {@code .partial} added to their names until all of them are given their own, the
 * first one last: so a directory without the first shard is unfinished. The last shard may end
 * anywhere; its last sample is given up, unless the shard has been ended properly.
 *
 * @param shards how many there are, all of them unfinished now
 * @param samples how many they have
 * @param samplesInLast how many the last one has
 * @param end where the last one's samples end; the rest is to be cut off
 * @param lastKey of the last sample in it, or null
 */
record UnfinishedShards(int shards, long samples, long samplesInLast, long end, String lastKey) {

  /** The name of a shard until the output is finished. */
  static Path partial(Path shard) {
    return shard.resolveSibling(shard.getFileName() + ".partial");
  }

  /**
   * Looks for shards.
   *
   * @throws FileAlreadyExistsException if the output is there, and finished
   * @throws IOException if a shard that had been finished is damaged, or cannot be read
   */
  static UnfinishedShards find(ShardNames names) throws IOException {
    if (Files.exists(names.path(0))) {
      throw new FileAlreadyExistsException(
          names.path(0).toString(), null, "the output is finished; delete it, or choose another");
    }
    int shards = 0;
    while (takeBack(names.path(shards))) {
      shards++;
    }
    if (shards == 0) {
      return new UnfinishedShards(0, 0, 0, 0, null);
    }
    long samples = 0;
    for (int i = 0; i < shards - 1; i++) {
      samples += countOfWhole(partial(names.path(i)));
    }
    return last(partial(names.path(shards - 1)), shards, samples);
  }

  /** Makes sure that a shard has its unfinished name; false if there is none. */
  private static boolean takeBack(Path shard) throws IOException {
    if (Files.exists(shard)) {
      // The run was interrupted while it was giving out the final names.
      WholeFile.moveToNew(shard, partial(shard));
    }
    return Files.exists(partial(shard));
  }

  private static long countOfWhole(Path shard) throws IOException {
    try (OpenFiles files = new OpenFiles(1)) {
      ShardIndex index = ShardIndex.scan(files, shard);
      if (index.damage() != null) {
        throw new FormatException(
            "this is not the last shard, so it should be whole; delete it and those behind it to"
                + " write them again: "
                + index.damage());
      }
      return index.size();
    }
  }

  private static UnfinishedShards last(Path shard, int shards, long samplesBefore)
      throws IOException {
    OpenFiles file = new OpenFiles(1);
    String name = shard.toString();
    TarReader tar = new TarReader(TarInput.owning(file, shard), name);
    try (SampleReader reader = new SampleReader(tar, name, suffix -> false, 0)) {
      long samples = 0;
      String key = null;
      String keyBefore = null;
      try {
        String next;
        while ((next = reader.skip()) != null) {
          keyBefore = key;
          key = next;
          samples++;
        }
        if (tar.endMarked()) {
          long end = tar.position() - TarLayout.BLOCK;
          return new UnfinishedShards(shards, samplesBefore + samples, samples, end, key);
        }
        // The file ends between two entries. Whether more of this sample were to come, who knows?
        samples = Math.max(0, samples - 1);
        key = keyBefore;
      } catch (FormatException torn) {
        // It ends within an entry, and the sample that this belongs to has not been counted.
      }
      return new UnfinishedShards(shards, samplesBefore + samples, samples, reader.start(), key);
    }
  }
}
