package io.feedline.formats.cli;

import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.store.StoreFormat;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that looks at one store: it opens the store, and closes it whatever happens. */
abstract class StoreCommand implements Callable<Integer> {

  @Parameters(paramLabel = "PATH", description = "A store of any readable format.")
  private Path path;

  @Mixin private final Reading reading = new Reading();

  @Mixin private Common common;

  @Spec private CommandSpec spec;

  @Override
  public final Integer call() throws Exception {
    if (!prepare()) {
      return ExitCode.OK;
    }
    try (reading) {
      Path read = reading.through(path);
      StoreFormat format = reading.format(read);
      try (ImageDataset images = reading.open(format, read)) {
        return run(format, images);
      }
    }
  }

  /**
   * Does what comes before the store is opened: nothing, by default.
   *
   * @return whether there is a store to be opened
   */
  boolean prepare() throws Exception {
    return true;
  }

  /**
   * Does the command's work.
   *
   * @return the exit code
   */
  abstract int run(StoreFormat format, ImageDataset images) throws Exception;

  /** Where the store is, as it was given. */
  final Path path() {
    return path;
  }

  /** The options of all commands. */
  final Common common() {
    return common;
  }

  /** The command on its line: where results and errors go. */
  final CommandSpec spec() {
    return spec;
  }
}
