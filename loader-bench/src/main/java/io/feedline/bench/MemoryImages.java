package io.feedline.bench;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.jpeg.internal.ScanIndexStore;
import java.nio.file.Path;
import java.util.List;

/**
 * Encoded images that lie in memory, as a dataset: so that their scan indexes can be kept as those
 * of any other. It keeps none of its own.
 *
 * @param path the directory that they were read from
 * @param names what each is called in errors
 * @param files the bytes of each
 * @param decodeOptions how they are decoded
 */
record MemoryImages(Path path, List<String> names, List<byte[]> files, DecodeOptions decodeOptions)
    implements ImageDataset {

  @Override
  public long size() {
    return files.size();
  }

  @Override
  public EncodedImage encoded(long index) {
    int i = Math.toIntExact(index);
    return new EncodedImage(names.get(i), files.get(i), EncodedImage.NO_LABEL);
  }

  @Override
  public String describe(long index) {
    return names.get(Math.toIntExact(index));
  }

  @Override
  public List<String> classes() {
    return List.of();
  }

  @Override
  public ScanIndexStore scanIndexes() {
    return ScanIndexStore.none();
  }
}
