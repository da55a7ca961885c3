package com.example.pack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The format {@code pack}: images in one file, with a table of their positions. Numbers are
 * big-endian, texts UTF-8.
 *
 * <pre>
 * magic     8 bytes
 * records   int label, int length of the key, key, int length of the image, image
 * index     long offset of each record; then each class's name, as DataOutput.writeUTF writes it
 * trailer   long offset of the index, int records, int classes, long CRC-32 of the records, magic
 * </pre>
 */
public final class PackFormat implements StoreFormat {

  static final String NAME = "pack";

  static final int TRAILER_BYTES = 32;

  private static final byte[] MAGIC = "IMGPACK1".getBytes(US_ASCII);

  /** Creates the format; called by {@link java.util.ServiceLoader}, not by users. */
  public PackFormat() {}

  static byte[] magic() {
    return MAGIC.clone();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(path)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }

  @Override
  public ImageStore open(Path path, StoreOptions options) throws IOException {
    options.requireKnown(NAME, openOptions());
    return PackStore.open(path);
  }

  @Override
  public StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    packing.options().requireKnown(NAME, createOptions());
    packing.refuseShards(NAME);
    return PackWriter.open(path, packing.classes());
  }
}
