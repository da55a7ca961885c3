package io.feedline.formats.image.dataset;

import io.feedline.data.CachedDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.samples.ForwardingStore;
import java.io.IOException;

/** A store that keeps encoded images in memory outside the heap, up to a number of bytes. */
final class CachedStore extends ForwardingStore {

  private final CachedDataset<EncodedImage> cache;

  CachedStore(ImageStore origin, long budgetBytes) {
    super(origin);
    this.cache = CachedDataset.of(new Images(origin), budgetBytes);
  }

  private record Images(ImageStore store) implements StoreSamples<EncodedImage> {

    @Override
    public EncodedImage get(long index) throws IOException {
      return store.read(index);
    }
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    return SampleReads.get(cache, index, this::describe);
  }

  @Override
  public void close() throws IOException {
    cache.close();
    super.close();
  }
}
