package io.feedline.formats.lmdb;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.shards.FormatEntry;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** The format {@code lmdb}: a directory with a database, or a database file. */
class LmdbFormat extends FormatEntry {
  static final String NAME = "lmdb";

  LmdbFormat() {
    super(NAME, Set.of());
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    if (Presence.isDirectory(path)) {
      return Presence.isFile(path.resolve(DatabaseFile.DATA));
    }
    return path.toString().matches("(?s).*\\.(lmdb|mdb)") && DatabaseFile.isDatabase(path);
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    return LmdbStore.open(path);
  }

  @Override
  public StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    packing.options().requireKnown(NAME, createOptions());
    packing.refuseShards(NAME);
    return LmdbImageWriter.open(path, packing);
  }

  /** The public class that {@link java.util.ServiceLoader} requires. */
  public static final class Provider extends LmdbFormat {}
}
