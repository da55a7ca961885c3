package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.internal.files.Sha256;
import io.feedline.formats.store.internal.files.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user's directory for indexes of remote data: {@code feedline/indexes} in {@code
 * $XDG_CACHE_HOME} or {@code ~/.cache}; or the directory in the system property {@value #PROPERTY};
 * if that is empty, no index is kept.
 *
 * <p>Adding an index deletes indexes that have not been opened for {@value #MOST_DAYS} days and,
 * while all together take more than 1 GiB, the least recently opened indexes; an index that was
 * opened within the last day stays, so several processes may add indexes at once. A killed
 * process's unfinished files are deleted after a day; other files stay.
 */
public final class IndexCache {

  static final String PROPERTY = "feedline.indexes";

  private static final Logger LOG = LoggerFactory.getLogger(IndexCache.class);

  private static final String SUFFIX = ".feedline-index";
  private static final Pattern OURS = Pattern.compile("[0-9a-f]{32}[.](feedline|scan|frame)-index");

  private static final int NAME_DIGITS = 32;
  private static final int MOST_DAYS = 90;
  private static final long MOST_BYTES = 1L << 30;

  private IndexCache() {}

  private record Kept(Path file, long bytes, long usedMillis) {

    boolean isLeft() {
      return WholeFile.isTemporary(file.getFileName().toString());
    }
  }

  /** Marks an index as used; if this fails, the index may be deleted early and made again. */
  public static void used(Path index) {
    try {
      long now = System.currentTimeMillis();
      if (now - Files.getLastModifiedTime(index).toMillis() > TimeUnit.DAYS.toMillis(1)) {
        Files.setLastModifiedTime(index, FileTime.fromMillis(now));
      }
    } catch (IOException unable) {
      LOG.debug("{} cannot be marked as used", index, unable);
    }
  }

  public static void prune(Path index) {
    if (index.getParent() != null && index.getParent().equals(directory())) {
      prune(index.getParent(), System.currentTimeMillis(), MOST_BYTES);
    }
  }

  static void prune(Path directory, long nowMillis, long mostBytes) {
    try {
      List<Kept> kept = list(directory);
      kept.sort(Comparator.comparingLong(Kept::usedMillis));
      long bytes = kept.stream().mapToLong(Kept::bytes).sum();
      for (Kept each : kept) {
        long age = nowMillis - each.usedMillis();
        boolean tooOld = age > TimeUnit.DAYS.toMillis(each.isLeft() ? 1 : MOST_DAYS);
        if (tooOld || (bytes > mostBytes && age > TimeUnit.DAYS.toMillis(1))) {
          Files.deleteIfExists(each.file());
          bytes -= each.bytes();
        }
      }
    } catch (IOException | DirectoryIteratorException unable) {
      LOG.debug("old indexes stay in {}", directory, unable);
    }
  }

  private static List<Kept> list(Path directory) throws IOException {
    List<Kept> kept = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (!OURS.matcher(name).matches() && !WholeFile.isTemporary(name)) {
          continue;
        }
        try {
          BasicFileAttributes attributes =
              Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
          if (attributes.isRegularFile()) {
            long used = attributes.lastModifiedTime().toMillis();
            kept.add(new Kept(file, attributes.size(), used));
          }
        } catch (NoSuchFileException byAnotherProcess) {
          LOG.trace("{} is gone", file, byAnotherProcess);
        }
      }
    }
    return kept;
  }

  static @Nullable Path placeOf(Path shard) {
    return placeOf(shard, SUFFIX);
  }

  /** Returns the path of a file's index in the cache; null if no index is kept. */
  public static @Nullable Path placeOf(Path of, String suffix) {
    Path directory = directory();
    return directory == null ? null : directory.resolve(name(of) + suffix);
  }

  private static Path directory() {
    String chosen = System.getProperty(PROPERTY);
    if (chosen != null) {
      return chosen.isEmpty() ? null : Path.of(chosen);
    }
    String caches = System.getenv("XDG_CACHE_HOME");
    Path parent =
        caches == null || caches.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(caches);
    return parent.resolve("feedline").resolve("indexes");
  }

  private static String name(Path of) {
    return Sha256.of(of.toUri().toString().getBytes(StandardCharsets.UTF_8))
        .substring(0, NAME_DIGITS);
  }
}
