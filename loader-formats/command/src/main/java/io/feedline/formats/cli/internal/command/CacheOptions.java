package io.feedline.formats.cli.internal.command;

import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.store.internal.files.LocalFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of requests over the network, and of the cache on the local disk for remote data. */
public final class CacheOptions implements Closeable {

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description = {
        "Keeps what is read over the network in this directory, for later runs too: a new"
            + " directory, an empty one or that of a cache. Needs --cache-size."
      })
  private Path directory;

  @Option(
      names = "--cache-size",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "How much of the disk the cache may take, such as 200G.")
  private Long size;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description =
          "How many requests are under way to a server at most; fewer share a slow link better."
              + " Default: 64.")
  private @Nullable Integer connections;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  private final Deque<FileSystem> opened = new ArrayDeque<>();

  /**
   * Returns a remote path whose file system has the requested number of connections; returns a
   * local path unchanged. The path is valid until these options are closed.
   */
  Path connected(Path path) {
    if (connections == null || LocalFiles.include(path)) {
      return path;
    }
    try {
      FileSystem files =
          path.getFileSystem()
              .provider()
              .newFileSystem(path, Map.of("connections", connections.toString()));
      opened.push(files);
      return files.getPath(path.toAbsolutePath().toString());
    } catch (IllegalArgumentException | IOException | UnsupportedOperationException impossible) {
      throw wrong("--connections: " + FailureWords.of(impossible));
    }
  }

  /** Returns a path through the cache, if requested; valid until the options are closed. */
  Path through(Path given) {
    Path path = connected(given);
    if (directory == null && size == null) {
      return path;
    }
    if (directory == null || size == null) {
      throw wrong(
          directory == null
              ? "--cache-size needs --cache DIR: where the cache is"
              : "--cache needs --cache-size: how much of the disk it may take, such as 200G");
    }
    try {
      Path cached = DiskCache.at(directory).cacheBytes(size).build().inFrontOf(path);
      opened.push(cached.getFileSystem());
      return cached;
    } catch (IllegalArgumentException impossible) {
      throw wrong("--cache: " + impossible.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Closes the file systems; waits until all data that was read is in the cache. */
  @Override
  public void close() throws IOException {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
