package io.feedline.formats.zip.internal;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.FormatEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

class ZipFormat extends FormatEntry {
  static final String NAME = "zip";

  private static final FilesOfFormat FILES = FilesOfFormat.matching("(?i).*\\.zip");

  ZipFormat() {
    super(NAME, Set.of());
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    return FILES.anyAt(path) || FilesOfFormat.beginsWith(path, 'P', 'K', 3, 4);
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    return ZipStore.open(FILES.onlyAt(path));
  }

  @Override
  public StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    packing.options().requireKnown(NAME, createOptions());
    packing.refuseShards(NAME);
    return ZipImageWriter.open(path, packing);
  }

  public static final class Provider extends ZipFormat {}
}
