package io.feedline.formats.lmdb;

import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Images in Feedline's layout. A key is the index as a big-endian u64. A value is little-endian:
 *
 * <pre>
 *   i32 label, -1 for none | u32 bytes of the image's key | its key in UTF-8 | the encoded image
 * </pre>
 */
record FeedlineLayout(Metadata metadata) implements LmdbImageLayout {

  private static final int FIXED_BYTES = 8;

  @Override
  public long size() {
    return metadata.count();
  }

  @Override
  public List<String> classes() {
    return metadata.classes();
  }

  @Override
  public ByteBuffer find(long index, MappedDatabase.Reader reader) throws IOException {
    return reader.get(index);
  }

  @Override
  public String describe(long index) {
    return "key " + index;
  }

  @Override
  public EncodedImage parse(long index, ByteBuffer value) throws IOException {
    Place place = locate(value);
    byte[] encoded = new byte[place.image().capacity()];
    place.image().get(0, encoded);
    byte[] key = new byte[value.limit() - encoded.length - FIXED_BYTES];
    value.get(FIXED_BYTES, key);
    return new EncodedImage(new String(key, StandardCharsets.UTF_8), encoded, place.label());
  }

  @Override
  public Place locate(ByteBuffer value) throws IOException {
    ByteBuffer in = value.order(ByteOrder.LITTLE_ENDIAN);
    boolean whole = in.limit() >= FIXED_BYTES;
    int label = whole ? in.getInt(0) : EncodedImage.NO_LABEL;
    int keyBytes = whole ? in.getInt(Integer.BYTES) : -1;
    if (keyBytes < 0 || keyBytes > in.limit() - FIXED_BYTES || label < EncodedImage.NO_LABEL) {
      throw new IOException(
          "the value of %d bytes is not an image of Feedline's: label %d, a key of %d bytes"
              .formatted(value.limit(), label, keyBytes));
    }
    int begin = FIXED_BYTES + keyBytes;
    return new Place(in.slice(begin, in.limit() - begin), label);
  }

  static void put(EncodedImage image, ByteSink out) {
    byte[] key = image.key().getBytes(StandardCharsets.UTF_8);
    out.room(FIXED_BYTES + (long) key.length + image.bytes().length)
        .putInt(image.label())
        .putInt(key.length)
        .put(key)
        .put(image.bytes());
  }
}
