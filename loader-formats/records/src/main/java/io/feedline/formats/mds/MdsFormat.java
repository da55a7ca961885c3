package io.feedline.formats.mds;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.TaskFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.shards.FormatEntry;
import io.feedline.internal.Json;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

class MdsFormat extends FormatEntry {
  static final String NAME = "mds";

  static final String IMAGE_ENCODING = "image-encoding";
  static final String COMPRESSION = "compression";
  static final String HASHES = "hashes";

  MdsFormat() {
    super(NAME, Set.of(StoreOptions.IMAGE_FIELD, StoreOptions.LABEL_FIELD, StoreOptions.KEY_FIELD));
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    return Presence.isFile(directory(path).resolve(MdsIndex.NAME));
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    return builder(path, options).store();
  }

  @Override
  public List<String> shards(Path path, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    return MdsIndex.read(directory(path)).shards().stream()
        .map(shard -> Json.write(shard.toJson()))
        .toList();
  }

  @Override
  public ImageStore openShard(Path path, String shard, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    MdsShard only = MdsShard.parse(Json.read(shard));
    return builder(path, options).store(new MdsIndex(List.of(only), List.of()));
  }

  @Override
  public Set<String> createOptions() {
    return Set.of(IMAGE_ENCODING, COMPRESSION, HASHES);
  }

  @Override
  public StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    return new MdsTasks().create(path, packing);
  }

  @Override
  public Optional<TaskFormat> tasks() {
    return Optional.of(new MdsTasks());
  }

  private static Path directory(Path path) {
    return path.endsWith(MdsIndex.NAME) ? path.resolveSibling("") : path;
  }

  private static MdsDataset.ImagesBuilder builder(Path path, StoreOptions options) {
    return MdsDataset.images(directory(path)).fields(options);
  }

  public static final class Provider extends MdsFormat {}
}
