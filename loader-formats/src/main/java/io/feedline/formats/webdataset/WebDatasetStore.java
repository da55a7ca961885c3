package io.feedline.formats.webdataset;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.StoredImage;
import io.feedline.formats.store.internal.DatasetStore;
import io.feedline.formats.store.internal.ShardIdentity;
import io.feedline.formats.store.internal.ShardedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The images of WebDataset shards: samples, and which of their fields are the image and label. */
final class WebDatasetStore extends DatasetStore<WebDataset> implements ShardedStore {

  /** The suffixes of images of which parts can be decoded. */
  private static final Set<String> IN_PARTS =
      Arrays.stream(ImageFormat.values())
          .filter(ImageFormat::isRecord)
          .map(ImageFormat::suffix)
          .collect(Collectors.toUnmodifiableSet());

  private final ImageFields fields;

  WebDatasetStore(WebDataset samples, ImageFields fields) {
    super(samples, fields.classes());
    this.fields = fields;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    return noted(fields.image(samples().read(index, fields::contains)));
  }

  /** Records alone. */
  @Override
  public Optional<StoredImage> view(long index) throws IOException {
    if (!hasRecords() || samples().isFar(index)) {
      return Optional.empty();
    }
    WebDataset.Located found = samples().locate(index, fields::isLabel);
    Optional<String> suffix = fields.imageIn(found.places().keySet());
    return suffix.isPresent() && IN_PARTS.contains(suffix.get())
        ? samples().view(found, suffix.get(), fields.label(found.sample()))
        : Optional.empty();
  }

  /** Reads the label's field alone. */
  @Override
  public int label(long index) throws IOException {
    return fields.label(samples().read(index, fields::isLabel));
  }

  /** Reads the names of the sample's entries alone. */
  @Override
  public String key(long index) throws IOException {
    return samples().read(index, suffix -> false).key();
  }

  /** The first shard, or the directory of the list of shards. */
  @Override
  public Path path() {
    return samples().path();
  }

  @Override
  public Path path(long index) {
    return samples().path(index);
  }

  @Override
  public String name() {
    return samples().name().replaceFirst("WebDataset", "WebDatasetImages");
  }

  @Override
  public String fingerprint() {
    return samples().fingerprint();
  }

  /** Compares size and hash of the shards with their list, if they have one. */
  @Override
  public void checkStructure() throws IOException {
    samples().checkShards();
  }

  @Override
  public ShardIdentity shard(int number) throws IOException {
    return samples().identity(number);
  }

  @Override
  public long[] shardSizes() {
    return samples().shardSizes();
  }
}
