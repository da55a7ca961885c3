package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.internal.Counts;
import java.nio.file.Path;
import java.util.List;

/** Some images of a store, in memory, so that decoding is measured without reading. */
record MemoryStore(List<EncodedImage> images, List<String> places) implements ImageStore {

  @Override
  public long size() {
    return images.size();
  }

  @Override
  public EncodedImage read(long index) {
    return images.get(Math.toIntExact(index));
  }

  /** No file: there is nothing beside it either. */
  @Override
  public Path path() {
    return Path.of("memory");
  }

  @Override
  public String describe(long index) {
    return places.get(Math.toIntExact(index));
  }

  @Override
  public String name() {
    return Counts.of(images.size(), "image") + " in memory";
  }

  @Override
  public String fingerprint() {
    return name();
  }

  @Override
  public void close() {}
}
