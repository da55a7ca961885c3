package io.feedline.formats.webdataset;

import java.nio.file.Path;
import java.util.IllegalFormatException;
import java.util.Locale;

record ShardNames(Path directory, String pattern) {

  ShardNames {
    try {
      if (name(pattern, 1).equals(name(pattern, 2)) || pattern.indexOf('/') >= 0) {
        throw new IllegalArgumentException(
            "a pattern must be a file name with one %%d, such as train-%%06d.tar, was '%s'"
                .formatted(pattern));
      }
    } catch (IllegalFormatException e) {
      throw new IllegalArgumentException("the pattern '" + pattern + "' has no meaning", e);
    }
  }

  ShardNames in(Path other) {
    return new ShardNames(other, pattern);
  }

  Path path(int shard) {
    return directory.resolve(name(pattern, shard));
  }

  /** Returns a shard's name with the digits 0 to 9 in any default locale. */
  private static String name(String pattern, int shard) {
    return String.format(Locale.ROOT, pattern, shard);
  }
}
