package io.feedline.formats.recordio;

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

class RecordIoFormat extends FormatEntry {
  static final String NAME = "recordio";

  private static final FilesOfFormat FILES = FilesOfFormat.matching(".*\\.rec");

  private static final String LABEL_COLUMN = "label-column";

  RecordIoFormat() {
    super(NAME, Set.of(LABEL_COLUMN));
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    return FILES.anyAt(path);
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    RecordIoDataset.ImagesBuilder builder = RecordIoDataset.images(FILES.onlyAt(path));
    options.integer(LABEL_COLUMN).ifPresent(builder::labelColumn);
    return builder.store();
  }

  @Override
  public StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    packing.options().requireKnown(NAME, createOptions());
    packing.refuseShards(NAME);
    return RecordIoImageWriter.open(path, packing);
  }

  public static final class Provider extends RecordIoFormat {}
}
