package io.feedline.formats.store.internal.files;

import java.nio.file.Path;

/**
 * The files that Feedline keeps beside data, such as indexes. Their names begin with a dot, so that
 * globs and other tools do not take them for shards: {@code .train-000000.tar.feedline-index}.
 */
public final class Beside {

  private Beside() {}

  public static Path of(Path data, String suffix) {
    return data.resolveSibling("." + data.getFileName() + suffix);
  }
}
