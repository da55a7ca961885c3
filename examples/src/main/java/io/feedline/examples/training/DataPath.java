package io.feedline.examples.training;

import io.feedline.formats.remote.DiskCache;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A place of data, as an option names it: a path, or a URI such as {@code s3://bucket/train}. */
final class DataPath implements ITypeConverter<Path> {

  @Override
  public Path convert(String text) {
    if (!text.contains("://")) {
      return Path.of(text);
    }
    try {
      return Path.of(URI.create(text));
    } catch (IllegalArgumentException | IllegalStateException | FileSystemNotFoundException e) {
      // Not the text itself, which may hold a password.
      throw new TypeConversionException("this URI is not a path: " + e.getMessage());
    }
  }

  /**
   * Returns a path that is read through the cache that the options ask for, if any.
   *
   * @throws IllegalArgumentException if the path is on this machine, or the cache's directory has
   *     other files in it
   */
  static Path cached(Path path, LoopOptions options) {
    // The process reads from it to its end, which closes it.
    return options.cache == null
        ? path
        : DiskCache.at(options.cache).cacheBytes(options.cacheSize).build().inFrontOf(path);
  }
}
