package io.feedline.formats.store.internal.shards;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.FileStamp;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The shards of a dataset; {@code list} is null if no list names them. Immutable. */
public record ChosenShards(Path path, List<Path> shards, @Nullable ShardList list) {

  public ChosenShards {
    shards = List.copyOf(shards);
  }

  public static ChosenShards of(List<Path> shards) {
    return new ChosenShards(shards.get(0), shards, null);
  }

  public static Optional<ChosenShards> listedAt(Path path) throws IOException {
    Optional<Path> file = ShardList.fileAt(path);
    return file.isEmpty() ? Optional.empty() : Optional.of(listed(file.get()));
  }

  /** Tests whether a path is of a format: by its list of shards, or without one by file names. */
  public static boolean recognized(Path path, String format, FilesOfFormat files)
      throws IOException {
    List<Path> found = files.at(path);
    // The files are listed first: the listing of a remote directory also shows whether there is a
    // list of shards.
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
   * Returns the given shards; if the only path has a list, the shards of the list. A single shard
   * of a job gets its classes and options from the list of the whole store.
   */
  public static ChosenShards at(List<Path> given, String format) throws IOException {
    Optional<ChosenShards> listed = Optional.empty();
    if (given.size() == 1) {
      listed = listedAt(given.get(0));
      if (listed.isEmpty()) {
        return inList(given.get(0), format).orElseGet(() -> of(given));
      }
    }
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

  private static Optional<ChosenShards> inList(Path shard, String format) throws IOException {
    Path attempt = shard.toAbsolutePath().normalize().getParent();
    if (attempt == null
        || attempt.getNameCount() < 3
        || !JobNames.isAttempt(attempt.getFileName().toString())
        || !JobNames.isJob(attempt.getParent().getFileName().toString())) {
      return Optional.empty();
    }
    Path store = attempt.getParent().getParent();
    Optional<ChosenShards> listed = listedAt(store);
    if (listed.isEmpty() || !listed.get().isOf(format)) {
      return Optional.empty();
    }
    ShardList list = listed.get().list();
    Path file = attempt.resolve(shard.getFileName().toString());
    int number = listed.get().shards().indexOf(file);
    return number < 0
        ? Optional.empty()
        : Optional.of(
            new ChosenShards(
                shard,
                List.of(shard),
                new ShardList(
                    format, list.classes(), list.options(), List.of(list.shards().get(number)))));
  }

  /** Returns a text for each shard; {@link #described} returns the shard of such a text. */
  public List<String> descriptions() {
    return isListed()
        ? list.shards().stream()
            .map(shard -> new String(list.only(shard).toBytes(), UTF_8).strip())
            .toList()
        : shards.stream().map(Path::toString).toList();
  }

  /** Returns the shard that a text of {@link #descriptions} describes; reads no file. */
  public static ChosenShards described(Path path, String text) throws IOException {
    if (!text.startsWith("{")) {
      return of(List.of(path.getFileSystem().getPath(text)));
    }
    Path file = path.toString().endsWith(".json") ? path : path.resolve(ShardList.NAME);
    ShardList list = ShardList.parse(Json.read(text), file);
    if (list.shards().size() != 1) {
      throw new IllegalArgumentException("expected the text of one shard, was " + text);
    }
    Path shard = file.resolveSibling(list.shards().get(0).path());
    return new ChosenShards(shard, List.of(shard), list);
  }

  /** Returns a shard's identity; gets the size from the list, or else from the file system. */
  public ShardIdentity identity(int shard, long samples) throws IOException {
    Path file = shards.get(shard);
    return new ShardIdentity(
        file, isListed() ? list.shards().get(shard).bytes() : FileStamp.of(file).size(), samples);
  }

  public boolean isListed() {
    return list != null;
  }

  public boolean isOf(String format) {
    return isListed() && list.format().equals(format);
  }
}
