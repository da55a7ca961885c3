package io.feedline.formats.store.internal.shards;

import io.feedline.data.FormatException;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.PiecesAhead;
import io.feedline.formats.store.internal.files.Sha256;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

public final class ShardCheck {

  /** The largest number of shards that a message names. */
  private static final int MOST_NAMED = 20;

  private static final int BUFFER_BYTES = 1 << 20;

  private ShardCheck() {}

  @FunctionalInterface
  public interface Check {
    /** Compares a shard with the index; the exception for a difference names the shard. */
    void run(Path shard) throws IOException;
  }

  /** Checks all shards; the error names shards that are absent or differ from the index. */
  public static void all(List<Path> shards, OpenFiles files, Path store, Check check)
      throws IOException {
    List<String> problems =
        ShardTasks.all(shards, files, shard -> problem(shard, check)).stream()
            .flatMap(Optional::stream)
            .toList();
    if (problems.size() == 1) {
      throw new FormatException(problems.get(0));
    }
    if (!problems.isEmpty()) {
      int more = problems.size() - MOST_NAMED;
      throw FormatException.in(
          store,
          "%d of %d shards are not as the index says:%n%s%s"
              .formatted(
                  problems.size(),
                  shards.size(),
                  problems.stream().limit(MOST_NAMED).collect(Collectors.joining("\n")),
                  more > 0 ? "\nand " + more + " more" : ""));
    }
  }

  private static Optional<String> problem(Path shard, Check check) throws IOException {
    try {
      check.run(shard);
      return Optional.empty();
    } catch (FormatException | FileNotFoundException problem) {
      return Optional.of(problem.getMessage());
    }
  }

  public static void all(ChosenShards chosen, OpenFiles files) throws IOException {
    if (!chosen.isListed()) {
      return;
    }
    Map<Path, PackedShard> listed = new HashMap<>();
    for (int i = 0; i < chosen.shards().size(); i++) {
      listed.put(chosen.shards().get(i), chosen.list().shards().get(i));
    }
    all(chosen.shards(), files, chosen.path(), shard -> compare(shard, files, listed.get(shard)));
  }

  private static void compare(Path shard, OpenFiles files, PackedShard listed) throws IOException {
    ShardIndexes.requireBytes(shard, files.size(shard), listed);
    if (!listed.sha256().isEmpty()) {
      MessageDigest digest = Sha256.digest();
      update(List.of(digest), files, shard);
      String found = HexFormat.of().formatHex(digest.digest());
      if (!found.equals(listed.sha256())) {
        throw FormatException.in(
            shard,
            "its SHA-256 is %s, the list of shards says %s".formatted(found, listed.sha256()));
      }
    }
  }

  public static void update(Collection<MessageDigest> digests, OpenFiles files, Path file)
      throws IOException {
    long size = files.size(file);
    byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, size)];
    try (PiecesAhead pieces = files.isFar(file) ? new PiecesAhead(files, file, size) : null) {
      for (long at = 0; at < size; at += buffer.length) {
        int length = (int) Math.min(buffer.length, size - at);
        if (pieces == null) {
          files.read(file, at, buffer, 0, length);
        } else {
          pieces.read(at, buffer, 0, length);
        }
        for (MessageDigest digest : digests) {
          digest.update(buffer, 0, length);
        }
      }
    }
  }
}
