package io.feedline.formats.lmdb;

import io.feedline.formats.store.EncodedImage;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Images in the layout of Efficient-PyTorch's folder2lmdb. {@code __len__} is a pickle of the
 * number of images, and {@code __keys__} a pickle of the list of keys, which are 0 to N-1 in
 * decimal. A value is a pickle of (encoded image, label). {@link Unpickler} reads pickles as data
 * and runs no code.
 *
 * @param keys the keys; null if the keys are the numbers 0 to N-1
 */
record Folder2LmdbLayout(long size, @Nullable KeyList keys) implements LmdbImageLayout {

  static final String LENGTH_KEY = "__len__";
  private static final String KEYS_KEY = "__keys__";

  /** Returns the reason why a database does not have this layout; null if it has. */
  static String whyNot(MappedDatabase.Reader reader) throws IOException {
    return reader.get(LENGTH_KEY.getBytes(StandardCharsets.US_ASCII)) == null
        ? "there is no key " + LENGTH_KEY
        : null;
  }

  static Folder2LmdbLayout of(MappedDatabase database) throws IOException {
    return database.read(reader -> of(database, reader));
  }

  private static Folder2LmdbLayout of(MappedDatabase database, MappedDatabase.Reader reader)
      throws IOException {
    Object length = unpickle(database, reader, LENGTH_KEY);
    if (!(length instanceof Long size) || size < 0 || size > database.entries() - 1) {
      throw new IOException(
          "%s: %s says %s, the database has %s"
              .formatted(
                  database.data(), LENGTH_KEY, length, Counts.of(database.entries(), "key")));
    }
    // A long list of keys takes long to read, and most lists contain only the numbers 0 to N-1.
    if (size == 0 || (reader.get(ascii(0)) != null && reader.get(ascii(size - 1)) != null)) {
      return new Folder2LmdbLayout(size, null);
    }
    return new Folder2LmdbLayout(size, keys(database, reader, size));
  }

  private static KeyList keys(MappedDatabase database, MappedDatabase.Reader reader, long size)
      throws IOException {
    KeyList.Builder keys = new KeyList.Builder();
    if (unpickle(database, reader, KEYS_KEY) instanceof List<?> list && list.size() == size) {
      for (Object each : list) {
        if (each instanceof byte[] bytes) {
          keys.add(ByteBuffer.wrap(bytes));
        } else if (each instanceof String text) {
          keys.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } else {
          throw new IOException(
              "%s: %s has an entry that is not a key: %s"
                  .formatted(database.data(), KEYS_KEY, each));
        }
      }
      return keys.build();
    }
    throw new IOException(
        "%s: there are no keys 0 and %d, and %s is not a list of %d keys"
            .formatted(database.data(), size - 1, KEYS_KEY, size));
  }

  private static Object unpickle(MappedDatabase database, MappedDatabase.Reader reader, String key)
      throws IOException {
    ByteBuffer pickle = reader.get(key.getBytes(StandardCharsets.US_ASCII));
    if (pickle == null) {
      throw new IOException("%s: there is no key %s".formatted(database.data(), key));
    }
    try {
      return Unpickler.unpickle(pickle);
    } catch (IOException e) {
      throw new IOException("%s, key %s: %s".formatted(database.data(), key, e.getMessage()), e);
    }
  }

  private static byte[] ascii(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public List<String> classes() {
    return List.of();
  }

  @Override
  public ByteBuffer find(long index, MappedDatabase.Reader reader) throws IOException {
    return reader.get(keys == null ? ascii(index) : keys.get((int) index));
  }

  @Override
  public String describe(long index) {
    return "key " + key(index);
  }

  private String key(long index) {
    return keys == null
        ? Long.toString(index)
        : new String(keys.get((int) index), StandardCharsets.UTF_8);
  }

  @Override
  public EncodedImage parse(long index, ByteBuffer value) throws IOException {
    Object found = Unpickler.unpickle(value);
    if (found instanceof List<?> pair
        && pair.size() == 2
        && pair.get(0) instanceof byte[] encoded
        && pair.get(1) instanceof Long label
        && label >= EncodedImage.NO_LABEL
        && label <= Integer.MAX_VALUE) {
      return new EncodedImage(key(index), encoded, label.intValue());
    }
    throw new IOException(
        "the pickle should be (encoded image, label), was " + Unpickler.describe(found));
  }
}
