package io.feedline.formats.store.internal;

import io.feedline.formats.store.FormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The shards that a dataset consists of: given ones, or those of a {@link ShardList}, which tells
 * how many samples and bytes they have. Immutable.
 *
 * @param path what was given: the first shard, or the directory of the list
 * @param shards the files, in their order
 * @param list null where the shards were given
 */
public record ChosenShards(Path path, List<Path> shards, ShardList list) {

  /** Copies. */
  public ChosenShards {
    shards = List.copyOf(shards);
  }

  /**
   * Returns given shards.
   *
   * @param shards one or more
   */
  public static ChosenShards of(List<Path> shards) {
    return new ChosenShards(shards.get(0), shards, null);
  }

  /**
   * Returns the shards of the list at a path; see {@link ShardList#fileAt}.
   *
   * @return empty if there is no list
   * @throws IOException if the list is damaged, or cannot be read
   */
  public static Optional<ChosenShards> listedAt(Path path) throws IOException {
    Optional<Path> file = ShardList.fileAt(path);
    return file.isEmpty() ? Optional.empty() : Optional.of(listed(file.get()));
  }

  /**
   * Whether a path is of a format: its list is, or without a list, one of its files.
   *
   * @throws IOException if the path cannot be listed, or the list is damaged
   */
  public static boolean recognized(Path path, String format, FilesOfFormat files)
      throws IOException {
    List<Path> found = files.at(path);
    // The directory is listed by now: where it is far away, that tells whether a list is there.
    Optional<ChosenShards> listed = listedAt(path);
    return listed.isPresent() ? listed.get().isOf(format) : !found.isEmpty();
  }

  private static ChosenShards listed(Path file) throws IOException {
    ShardList list = ShardList.read(file);
    return new ChosenShards(
        file.equals(file.getFileName()) ? file.toAbsolutePath().getParent() : file.getParent(),
        list.shards().stream().map(shard -> file.resolveSibling(shard.path())).toList(),
        list);
  }

  /**
   * Returns the shards of the list at the only path that was given, or else the given shards.
   *
   * @param format that the list must be of
   * @throws IOException if the list is of another format, damaged, or cannot be read
   */
  public static ChosenShards at(List<Path> given, String format) throws IOException {
    Optional<ChosenShards> listed = given.size() == 1 ? listedAt(given.get(0)) : Optional.empty();
    if (listed.isEmpty()) {
      return of(given);
    }
    if (!listed.get().isOf(format)) {
      throw FormatException.in(
          given.get(0),
          "%s lists shards of %s, not of %s"
              .formatted(ShardList.NAME, listed.get().list().format(), format));
    }
    return listed.get();
  }

  /** Whether there is a list. */
  public boolean isListed() {
    return list != null;
  }

  /** Whether there is a list of a format. */
  public boolean isOf(String format) {
    return isListed() && list.format().equals(format);
  }
}
