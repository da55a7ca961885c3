package io.feedline.formats.hdf5;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.FormatEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

class Hdf5Format extends FormatEntry {
  static final String NAME = "hdf5";

  private static final FilesOfFormat FILES = FilesOfFormat.matching(".*\\.(h5|hdf5)");

  private static final String GROUP = "group";

  Hdf5Format() {
    super(NAME, Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD, GROUP));
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    return FILES.anyAt(path);
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    Hdf5Dataset.ImagesBuilder builder = Hdf5Dataset.images(FILES.onlyAt(path)).fields(options);
    options.text(GROUP).ifPresent(builder::groupPerSample);
    return builder.store();
  }

  @Override
  public boolean isWritable() {
    return false;
  }

  public static final class Provider extends Hdf5Format {}
}
