package io.feedline.formats.lmdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A layout that has a list of keys, which are texts, and no names of classes. */
interface ListedLayout extends LmdbImageLayout {

  /** Returns the keys in the order of the images. */
  KeyList keys();

  @Override
  default long size() {
    return keys().size();
  }

  @Override
  default List<String> classes() {
    return List.of();
  }

  @Override
  default ByteBuffer find(long index, MappedDatabase.Reader reader) throws IOException {
    return reader.get(keys().get((int) index));
  }

  @Override
  default String describe(long index) {
    return "key " + key(index);
  }

  default String key(long index) {
    return new String(keys().get((int) index), StandardCharsets.UTF_8);
  }
}
