package io.feedline.formats.folder;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.shards.FormatEntry;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** The format {@code imagefolder}: a directory with a subdirectory of images for each class. */
class ImageFolderFormat extends FormatEntry {
  static final String NAME = "imagefolder";

  static final String ALLOW_EMPTY = "allow-empty";

  ImageFolderFormat() {
    super(NAME, Set.of(ALLOW_EMPTY));
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    if (!Presence.isDirectory(path)) {
      return false;
    }
    try (var entries = Files.list(path)) {
      for (Path entry : (Iterable<Path>) entries::iterator) {
        if (Presence.isDirectory(entry)) {
          return true;
        }
      }
      return false;
    }
  }

  @Override
  public boolean isFallback() {
    return true;
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    String allowEmpty = options.text(ALLOW_EMPTY).orElse("false");
    if (!allowEmpty.equals("true") && !allowEmpty.equals("false")) {
      throw new IllegalArgumentException(
          "the option %s must be true or false, was '%s'".formatted(ALLOW_EMPTY, allowEmpty));
    }
    return ImageFolder.builder(path).allowEmpty(allowEmpty.equals("true")).store();
  }

  @Override
  public StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    packing.options().requireKnown(NAME, createOptions());
    return FolderWriter.open(path, packing);
  }

  /** The class that {@link java.util.ServiceLoader} creates; it must be public for that. */
  public static final class Provider extends ImageFolderFormat {}
}
