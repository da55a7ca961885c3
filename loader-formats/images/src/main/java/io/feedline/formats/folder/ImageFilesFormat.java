package io.feedline.formats.folder;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.samples.ClassDirectories;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.FormatEntry;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The format {@code imagefiles}: a directory of images without classes, or a CSV file. */
class ImageFilesFormat extends FormatEntry {
  private static final Logger LOG = LoggerFactory.getLogger(ImageFiles.class);

  static final String NAME = "imagefiles";

  private static final FilesOfFormat CSV = FilesOfFormat.matching("(?i).*\\.csv");

  ImageFilesFormat() {
    super(NAME, Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD));
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    if (!Presence.isDirectory(path)) {
      return CSV.anyAt(path);
    }
    boolean images = false;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        if (Presence.isDirectory(entry)) {
          return false;
        }
        images |= ClassDirectories.isImage(String.valueOf(entry.getFileName()));
      }
    }
    return images;
  }

  @Override
  public boolean isFallback() {
    return true;
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    if (Presence.isDirectory(path)) {
      options.requireKnown("a directory of images", Set.of());
      ImageStore store = ImageFiles.builder(path).store();
      LOG.warn(
          "{} has no directories of classes: its {} images have no labels (-1)",
          path,
          store.size());
      return store;
    }
    String imageColumn =
        options
            .text(StoreOptions.IMAGE_FIELD)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s: the option %s must name the column with the names of the image files"
                            .formatted(path, StoreOptions.IMAGE_FIELD)));
    ImageFiles.CsvBuilder builder = ImageFiles.csvBuilder(path, imageColumn);
    options
        .text(StoreOptions.LABEL_FIELD)
        .filter(column -> !column.isEmpty())
        .ifPresent(builder::labelField);
    return builder.store();
  }

  @Override
  public boolean isWritable() {
    return false;
  }

  /** The class that {@link java.util.ServiceLoader} creates; it must be public for that. */
  public static final class Provider extends ImageFilesFormat {}
}
