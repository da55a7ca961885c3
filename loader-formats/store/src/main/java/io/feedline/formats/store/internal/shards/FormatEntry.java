package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** The base class of formats, which checks the names of the options for opening. Thread-safe. */
public abstract class FormatEntry implements StoreFormat {

  private final String name;
  private final Set<String> openOptions;

  protected FormatEntry(String name, Set<String> openOptions) {
    this.name = name;
    this.openOptions = openOptions;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Set<String> openOptions() {
    return openOptions;
  }

  @Override
  public final ImageStore open(Path path, StoreOptions options) throws IOException {
    options.requireKnown(name, openOptions);
    return openKnown(path, options);
  }

  protected abstract ImageStore openKnown(Path path, StoreOptions options) throws IOException;
}
