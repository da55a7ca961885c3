package io.feedline.bench;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * Encoded images in memory, as a store, so that their scan indexes can be kept like those of any
 * other store.
 *
 * @param path the directory from which the images were read
 * @param names the name of each image, for errors
 * @param files the bytes of each image
 */
record MemoryImages(Path path, List<String> names, List<byte[]> files) implements ImageStore {

  @Override
  public long size() {
    return files.size();
  }

  @Override
  public EncodedImage read(long index) {
    int i = Math.toIntExact(index);
    return new EncodedImage(names.get(i), files.get(i), EncodedImage.NO_LABEL);
  }

  @Override
  public String describe(long index) {
    return names.get(Math.toIntExact(index));
  }

  @Override
  public String name() {
    return "MemoryImages(" + path + ")";
  }

  @Override
  public String fingerprint() {
    CRC32C crc = new CRC32C();
    names.forEach(name -> crc.update(name.getBytes(StandardCharsets.UTF_8)));
    files.forEach(crc::update);
    return String.format(Locale.ROOT, "MemoryImages:%d:%08x", size(), crc.getValue());
  }

  @Override
  public void close() {}
}
