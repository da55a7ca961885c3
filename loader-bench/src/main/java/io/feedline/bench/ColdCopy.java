package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A copy of a file or of a directory that is not in the page cache, so that reads come from the
 * disk. The original may be mapped by a process, and mapped pages stay in memory. The caller closes
 * the copy, which deletes it. Linux with GNU's {@code dd} only.
 */
final class ColdCopy implements AutoCloseable {
  private final ScratchDirectory scratch;
  private final Path path;

  private ColdCopy(ScratchDirectory scratch, Path path) {
    this.scratch = scratch;
    this.path = path;
  }

  /**
   * Copies a file or a directory, and drops the copy from the page cache.
   *
   * @param original a file or a directory
   * @throws IOException if copying or dropping fails
   */
  static ColdCopy of(Path original) throws IOException, InterruptedException {
    ScratchDirectory scratch = ScratchDirectory.create("feedline-cold");
    boolean made = false;
    try {
      Path copy = scratch.path().resolve(original.toAbsolutePath().getFileName().toString());
      for (Path file : copyTree(original, copy)) {
        drop(file);
      }
      made = true;
      return new ColdCopy(scratch, copy);
    } finally {
      if (!made) {
        scratch.close();
      }
    }
  }

  /** Copies a tree, and returns the written files after all of them are on the disk. */
  private static List<Path> copyTree(Path original, Path copy) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(original)) {
      for (Path each : (Iterable<Path>) tree::iterator) {
        Path to = copy.resolve(original.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(to);
          continue;
        }
        Files.copy(each, to);
        try (FileChannel channel = FileChannel.open(to, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
        files.add(to);
      }
    } catch (UncheckedIOException failed) {
      throw failed.getCause();
    }
    return files;
  }

  /** Drops a file from the page cache: dd with a count of 0 calls posix_fadvise; Java cannot. */
  private static void drop(Path file) throws IOException, InterruptedException {
    Process dd =
        new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
            .redirectErrorStream(true)
            .start();
    String said = new String(dd.getInputStream().readAllBytes(), UTF_8);
    if (dd.waitFor() != 0) {
      throw new IOException("cannot drop %s from the page cache: %s".formatted(file, said.strip()));
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    scratch.close();
  }
}
