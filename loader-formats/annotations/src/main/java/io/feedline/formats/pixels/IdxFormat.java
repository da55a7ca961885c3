package io.feedline.formats.pixels;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.FormatEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** The format {@code idx}: a file of images, or a directory that contains such a file. */
class IdxFormat extends FormatEntry {
  static final String NAME = "idx";

  IdxFormat() {
    super(NAME, Set.of(Split.OPTION));
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    return IdxImages.FILES.anyAt(path)
        || FilesOfFormat.beginsWith(path, 0, 0, IdxFile.UNSIGNED_BYTE, 3);
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    return IdxImages.builder(path).split(Split.of(options)).store();
  }

  @Override
  public boolean isWritable() {
    return false;
  }

  /** The public class that {@link java.util.ServiceLoader} requires. */
  public static final class Provider extends IdxFormat {}
}
