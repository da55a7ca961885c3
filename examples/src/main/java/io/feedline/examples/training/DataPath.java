package io.feedline.examples.training;

import io.feedline.formats.remote.DiskCache;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A converter of a place of data: a path, or a URI such as {@code s3://bucket/train}. */
final class DataPath implements ITypeConverter<Path> {

  @Override
  public Path convert(String text) {
    if (!text.contains("://")) {
      return Path.of(text);
    }
    try {
      return Path.of(URI.create(text));
    } catch (IllegalArgumentException | IllegalStateException | FileSystemNotFoundException e) {
      // The text itself is left out, since it may contain a password.
      throw new TypeConversionException("this URI is not a path: " + e.getMessage());
    }
  }

  /**
   * Returns a path that reads through the cache, if the options have one.
   *
   * @throws IllegalArgumentException if the path is on this machine, or the cache's directory has
   *     other files
   */
  static Path cached(Path path, LoopOptions options) {
    // The process uses the cache until its end, which closes the cache.
    return options.cache == null
        ? path
        : DiskCache.at(options.cache).cacheBytes(options.cacheSize).build().inFrontOf(path);
  }
}
