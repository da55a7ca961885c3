package io.feedline.formats.webdataset;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.internal.shards.ShardFilesStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

final class WebDatasetStore extends ShardFilesStore<WebDataset> {

  /** The suffixes of images of which parts can be decoded. */
  private static final Set<String> IN_PARTS =
      Arrays.stream(ImageFormat.values())
          .filter(ImageFormat::isRecord)
          .map(ImageFormat::suffix)
          .collect(Collectors.toUnmodifiableSet());

  private final ImageFields fields;

  WebDatasetStore(WebDataset samples, ImageFields fields) {
    super(samples, fields.classes(), samples.indexes());
    this.fields = fields;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    WebDataset.Located found = samples().readLocated(index, fields::contains);
    return noted(fields.image(found.sample(), found.places().keySet()));
  }

  @Override
  public Optional<StoredImage> view(long index) throws IOException {
    return hasRecords() && !samples().isFar(index)
        ? located(index, IN_PARTS::contains)
        : Optional.empty();
  }

  @Override
  public Optional<StoredImage> locate(long index) throws IOException {
    return located(index, suffix -> true);
  }

  private Optional<StoredImage> located(long index, Predicate<String> wanted) throws IOException {
    WebDataset.Located found = samples().find(index, fields::isLabel);
    Optional<String> suffix = fields.imageIn(found.places().keySet());
    return suffix.isPresent() && wanted.test(suffix.get())
        ? samples().view(found, suffix.get(), fields.label(found.sample(), found.places().keySet()))
        : Optional.empty();
  }

  @Override
  public int label(long index) throws IOException {
    WebDataset.Located found = samples().find(index, fields::isLabel);
    return fields.label(found.sample(), found.places().keySet());
  }

  @Override
  public String key(long index) throws IOException {
    return samples().find(index, suffix -> false).sample().key();
  }

  @Override
  public String name() {
    return samples().name().replaceFirst("WebDataset", "WebDataset.images");
  }

  @Override
  public String fingerprint() {
    return samples().fingerprint();
  }
}
