package io.feedline.formats.webdataset;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.DatasetStore;
import java.io.IOException;
import java.nio.file.Path;

/** The images of WebDataset shards: samples, and which of their fields are the image and label. */
final class WebDatasetStore extends DatasetStore<WebDataset> {

  private final ImageFields fields;

  WebDatasetStore(WebDataset samples, ImageFields fields) {
    super(samples, fields.classes());
    this.fields = fields;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    return fields.image(samples().read(index, fields::contains));
  }

  /** Reads the label's field alone. */
  @Override
  public int label(long index) throws IOException {
    return fields.label(samples().read(index, fields::isLabel));
  }

  /** The first shard. */
  @Override
  public Path path() {
    return samples().shards().get(0);
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

  @Override
  public long[] shardSizes() {
    return samples().shardSizes();
  }
}
