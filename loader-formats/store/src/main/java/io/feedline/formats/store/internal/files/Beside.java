package io.feedline.formats.store.internal.files;

import java.nio.file.Path;

/** The names of Feedline's hidden files beside data: {@code .train-000000.tar.feedline-index}. */
public final class Beside {

  private Beside() {}

  public static Path of(Path data, String suffix) {
    return data.resolveSibling("." + data.getFileName() + suffix);
  }
}
