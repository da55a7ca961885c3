package io.feedline.formats.lmdb;

import io.feedline.formats.image.EncodedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Images in the layout of Caffe: keys are {@code %08d_path}, in whose order the images are;
 * values are {@link Datum}s. Pixels that are not encoded become a PGM or PPM file, so that they can
 * be handled as every other image.
 */
record CaffeLayout(KeyList keys) implements LmdbImageLayout {

  private static final Pattern KEY = Pattern.compile("\\d{8,}(_.*)?");

  static boolean isKey(String key) {
    return KEY.matcher(key).matches();
  }

  static CaffeLayout of(SharedDatabase database) throws IOException {
    KeyList.Builder keys = new KeyList.Builder();
    try (SharedDatabase.Reader reader = database.reader()) {
      reader.forEachKey(
          key -> {
            keys.add(key);
            return true;
          });
    }
    return new CaffeLayout(keys.build());
  }

  @Override
  public long size() {
    return keys.size();
  }

  @Override
  public List<String> classes() {
    return List.of();
  }

  @Override
  public ByteBuffer find(long index, SharedDatabase.Reader reader) throws IOException {
    return reader.get(keys.get((int) index));
  }

  @Override
  public String describe(long index) {
    return "key " + key(index);
  }

  private String key(long index) {
    return new String(keys.get((int) index), StandardCharsets.UTF_8);
  }

  /** The image's key is Caffe's without the extension that the path may have. */
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
