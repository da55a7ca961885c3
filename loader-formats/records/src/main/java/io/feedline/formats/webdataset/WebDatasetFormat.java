package io.feedline.formats.webdataset;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.TaskFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.FormatEntry;
import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

class WebDatasetFormat extends FormatEntry {
  static final String NAME = "webdataset";

  static final Set<String> OPTIONS = Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD);

  private static final FilesOfFormat FILES =
      FilesOfFormat.matching(".*\\.(tar(\\.(gz|zst|bz2))?|tgz)");

  WebDatasetFormat() {
    super(NAME, OPTIONS);
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    if (!isPattern(path)) {
      return ChosenShards.recognized(path, NAME, FILES)
          || (!Presence.exists(path) && FILES.anyMatching(path));
    }
    try {
      return FILES.anyAt(Braces.paths(path).get(0));
    } catch (IllegalArgumentException noPattern) {
      return false;
    }
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    return WebDataset.builder(shards(path)).images().store(options);
  }

  @Override
  public List<String> shards(Path path, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    return ChosenShards.at(shards(path), NAME).descriptions();
  }

  @Override
  public ImageStore openShard(Path path, String shard, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    return WebDataset.builder(List.of())
        .images()
        .store(ChosenShards.described(path, shard), options);
  }

  @Override
  public StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    return new WebDatasetTasks().create(path, packing);
  }

  @Override
  public Optional<TaskFormat> tasks() {
    return Optional.of(new WebDatasetTasks());
  }

  private static boolean isPattern(Path path) {
    try {
      return path.toString().indexOf('{') >= 0 && !Presence.exists(path);
    } catch (IOException refused) {
      // S3 may refuse access to an absent name; a later read of a shard fails if access is refused.
      return true;
    }
  }

  /**
   * Returns the path alone if it has a list of shards, and otherwise its uncompressed shards; fails
   * if a compressed shard has no unpacked copy beside it.
   */
  private static List<Path> shards(Path path) throws IOException {
    if (!isPattern(path) && ShardList.fileAt(path).isPresent()) {
      return List.of(path);
    }
    List<Path> all = isPattern(path) ? Braces.paths(path) : FILES.ofDataset(path, false, false);
    List<Path> plain = new ArrayList<>();
    for (Path shard : all) {
      if (!WebDataset.isCompressed(shard)) {
        plain.add(shard);
      } else if (!all.contains(unpacked(shard))) {
        throw FormatException.in(shard, WebDataset.COMPRESSED);
      }
    }
    return plain;
  }

  /**
   * Returns the shards of a directory without a list, but no compressed shard with an unpacked copy
   * beside it; returns any other path alone.
   */
  static List<Path> inDirectory(Path path) throws IOException {
    // The name is tested first, since each test of a remote path is a request.
    if (FILES.matches(path) || ShardList.fileAt(path).isPresent() || !Presence.isDirectory(path)) {
      return List.of(path);
    }
    List<Path> all = FILES.ofDataset(path, false, false);
    return all.stream()
        .filter(shard -> !WebDataset.isCompressed(shard) || !all.contains(unpacked(shard)))
        .toList();
  }

  private static Path unpacked(Path shard) {
    String name = shard.getFileName().toString();
    return shard.resolveSibling(name.replaceFirst("\\.(tar\\.(gz|zst|bz2)|tgz)$", ".tar"));
  }

  public static final class Provider extends WebDatasetFormat {}
}
