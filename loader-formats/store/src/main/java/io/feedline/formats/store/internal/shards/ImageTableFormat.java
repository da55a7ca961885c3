package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.samples.ImageColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A format of tables that may have images in a column. Images are only read. Thread-safe. */
public abstract class ImageTableFormat extends FormatEntry implements TableFormat {

  private final FilesOfFormat names;

  protected ImageTableFormat(String name, FilesOfFormat names) {
    super(name, Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD, StoreOptions.KEY_FIELD));
    this.names = names;
  }

  @Override
  public final FilesOfFormat names() {
    return names;
  }

  @Override
  public final boolean recognizes(Path path) throws IOException {
    return TableFormat.super.recognizes(path);
  }

  @Override
  protected final ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    ImageColumns.Wanted columns =
        new ImageColumns.Wanted(
            options.text(StoreOptions.IMAGE_FIELD).orElse(null),
            options.text(StoreOptions.LABEL_FIELD).orElse(null),
            options.text(StoreOptions.KEY_FIELD).orElse(null));
    return openImages(path, files(path, false), columns);
  }

  /** Opens the images of files. {@code path} is the path that the user gave, for messages. */
  protected abstract ImageStore openImages(Path path, List<Path> files, ImageColumns.Wanted columns)
      throws IOException;

  @Override
  public final boolean isWritable() {
    return false;
  }
}
