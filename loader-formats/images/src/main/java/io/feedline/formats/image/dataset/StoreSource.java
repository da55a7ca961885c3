package io.feedline.formats.image.dataset;

import io.feedline.data.Dataset.ReadAhead;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import java.io.IOException;
import java.util.Optional;

/** The samples of a store, with decode options and the scan indexes of JPEGs. */
record StoreSource(ImageStore store, DecodeOptions options, ScanIndexStore indexes)
    implements StoreSamples<LabeledImage> {

  @Override
  public LabeledImage get(long index) throws IOException {
    Optional<StoredImage> view = store.view(index);
    if (view.isEmpty()) {
      return image(index, store.read(index));
    }
    try (StoredImage stored = view.get()) {
      return new LabeledImage(
          Image.of(
              EncodedSource.of(stored, store, index, options, indexes.place(index)),
              store.describe(index)),
          stored.label());
    }
  }

  @Override
  public LabeledImage get(long index, SampleContext context) throws Exception {
    Optional<EncodedImage> ahead = context.readAhead(store, index);
    return ahead.isPresent() ? image(index, ahead.get()) : get(index);
  }

  private LabeledImage image(long index, EncodedImage image) throws IOException {
    String description = store.describe(index);
    return new LabeledImage(
        Image.of(
            EncodedSource.of(image.bytes(), description, options, indexes.place(index)),
            description),
        image.label());
  }

  @Override
  public void readAhead(long index, ReadAhead ahead) {
    ahead.add(store, index);
  }
}
