package io.feedline.formats.lmdb;

import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Images in the layout of Caffe: keys have the form {@code %08d_path}, and images have the order of
 * their keys; values are {@link Datum}s. Pixels that are not encoded become a PGM or PPM file, so
 * that they can be handled like any other image.
 */
record CaffeLayout(KeyList keys) implements ListedLayout {

  private static final int TRIED_VALUES = 3;
  private static final Pattern KEY = Pattern.compile("\\d{8,}(_.*)?");

  /**
   * Returns the reason why a database does not have this layout; null if it has. Parses several
   * values, since other layouts may have such keys, and a value may be damaged.
   */
  static String whyNot(MappedDatabase.Reader reader) throws IOException {
    List<byte[]> keys = new ArrayList<>();
    reader.forEachKey(
        key -> {
          byte[] bytes = new byte[key.remaining()];
          key.get(bytes);
          keys.add(bytes);
          return keys.size() < TRIED_VALUES;
        });
    String reason = "there is no key";
    for (byte[] key : keys) {
      String name = LmdbLayout.shown(ByteBuffer.wrap(key));
      if (!KEY.matcher(name).matches()) {
        return "the key '%s' is not of the form 00000012_path".formatted(name);
      }
      try {
        ByteBuffer value = reader.get(key);
        if (value != null && Datum.parse(value).hasContent()) {
          return null;
        }
        reason = "the value of '%s' is a Datum without an image".formatted(name);
      } catch (IOException e) {
        reason = "key '%s': %s".formatted(name, e.getMessage());
      }
    }
    return reason;
  }

  static CaffeLayout of(MappedDatabase database) throws IOException {
    return new CaffeLayout(KeyList.of(database));
  }

  /** Parses an image; its key is Caffe's key without the extension of the path. */
  @Override
  public EncodedImage parse(long index, ByteBuffer value) throws IOException {
    Datum datum = Datum.parse(value);
    String key = key(index);
    int dot = key.lastIndexOf('.');
    return new EncodedImage(
        dot > key.lastIndexOf('/') + 1 ? key.substring(0, dot) : key,
        datum.toEncodedImage(),
        datum.label());
  }
}
