package io.feedline.formats.cli.internal.command;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command over one store: it opens the store, and always closes it. */
public abstract class StoreCommand implements Callable<Integer> {

  @Parameters(paramLabel = "PATH", description = "A store of any readable format.")
  private Path path;

  @Mixin private final InputOptions input = new InputOptions();

  @Mixin private Common common;

  @Override
  public final Integer call() throws Exception {
    if (!prepare()) {
      return ExitCode.OK;
    }
    try (input) {
      Path read = input.through(path);
      StoreFormat format;
      ImageDataset images;
      try {
        format = input.format(read);
        images = input.open(format, read);
      } catch (IOException | IllegalArgumentException none) {
        OptionalInt code = input.namesField() ? OptionalInt.empty() : runWithoutImages(read);
        if (code.isEmpty()) {
          throw none;
        }
        return code.getAsInt();
      }
      try (images) {
        return run(format, images);
      }
    }
  }

  /** Does the work if it needs no images, and returns the exit code; empty if it needs images. */
  public OptionalInt runWithoutImages(Path read) throws Exception {
    return OptionalInt.empty();
  }

  /** Prepares the work before the store is opened; returns false if no store needs to be opened. */
  public boolean prepare() throws Exception {
    return true;
  }

  /** Does the work on an open store, and returns the exit code. */
  public abstract int run(StoreFormat format, ImageDataset images) throws Exception;

  /** Opens another store with the same options, but without the cache; the caller closes it. */
  protected final ImageDataset open(Path other) throws IOException {
    return input.open(other);
  }

  public final Path path() {
    return path;
  }

  protected final void require(boolean holds, String message, Object... values) {
    common.require(holds, message, values);
  }

  public final Common common() {
    return common;
  }
}
