package io.feedline.formats.store.internal.shards;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.samples.ImageColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A format of tables that may have images in a column. Images are only read. Thread-safe. */
public interface ImageTableFormat extends TableFormat, StoreFormat {

  @Override
  String name();

  @Override
  default boolean recognizes(Path path) throws IOException {
    return TableFormat.super.recognizes(path);
  }

  @Override
  default Set<String> openOptions() {
    return Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD, StoreOptions.KEY_FIELD);
  }

  @Override
  default ImageStore open(Path path, StoreOptions options) throws IOException {
    options.requireKnown(name(), openOptions());
    ImageColumns.Wanted columns =
        new ImageColumns.Wanted(
            options.text(StoreOptions.IMAGE_FIELD).orElse(null),
            options.text(StoreOptions.LABEL_FIELD).orElse(null),
            options.text(StoreOptions.KEY_FIELD).orElse(null));
    return openImages(path, files(path, false), columns);
  }

  /**
   * Opens the images of files, which the caller closes.
   *
   * @param path of all files together, for messages
   * @param files one or more, in order
   * @throws IOException if a file cannot be read, is damaged, or has no such columns
   */
  ImageStore openImages(Path path, List<Path> files, ImageColumns.Wanted columns)
      throws IOException;

  @Override
  default boolean isWritable() {
    return false;
  }
}
