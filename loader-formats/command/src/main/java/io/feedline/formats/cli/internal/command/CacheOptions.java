package io.feedline.formats.cli.internal.command;

import io.feedline.formats.remote.DiskCache;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The cache on the local disk for what is read over the network. */
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

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  /** The file system that reads through the cache; null if none does. */
  private @Nullable FileSystem opened;

  /** Returns a path, read through the cache if one is asked for, until this is closed. */
  Path through(Path path) {
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
      opened = cached.getFileSystem();
      return cached;
    } catch (IllegalArgumentException impossible) {
      throw wrong("--cache: " + impossible.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Waits until the data that was read is in the cache. */
  @Override
  public void close() throws IOException {
    if (opened != null) {
      opened.close();
    }
  }
}
