package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ImageColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A format of tables that may have images in a column. Images are only read. Thread-safe. */
public abstract class ImageTableFormat extends FormatEntry implements TableFormat {

  /** The default limit of unpacked bytes kept: eight row groups of 100 images of 300 KB. */
  public static final long CACHE_BYTES = 256L << 20;

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
    return openImages(
        path, files(path, false), columns, null, OpenFiles.DEFAULT_LIMIT, CACHE_BYTES);
  }

  /** Opens images. {@code path} is for errors; {@code cacheBytes} limits kept unpacked data. */
  public abstract ImageStore openImages(
      Path path,
      List<Path> files,
      ImageColumns.Wanted columns,
      @Nullable List<String> classes,
      int openFiles,
      long cacheBytes)
      throws IOException;

  @Override
  public final boolean isWritable() {
    return false;
  }
}
