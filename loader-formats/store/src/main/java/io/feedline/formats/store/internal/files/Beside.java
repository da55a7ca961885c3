package io.feedline.formats.store.internal.files;

import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files that Feedline keeps beside data, such as indexes. Their names begin with a dot, so that
 * globs and other tools do not take them for shards: {@code .train-000000.tar.feedline-index}.
 *
 * <p>Files of earlier versions, without the dot, are found too.
 */
public final class Beside {

  private Beside() {}

  /** Returns the path of a file beside the data. */
  public static Path of(Path data, String suffix) {
    return data.resolveSibling("." + data.getFileName() + suffix);
  }

  /**
   * Returns the path where such a file is: with the dot, or else without it.
   *
   * @return null if there is none
   * @throws IOException if that cannot be said
   */
  public static @Nullable Path existing(Path path) throws IOException {
    if (Presence.exists(path)) {
      return path;
    }
    String name = path.getFileName().toString();
    Path visible = name.startsWith(".") ? path.resolveSibling(name.substring(1)) : path;
    return !visible.equals(path) && Presence.exists(visible) ? visible : null;
  }
}
