package io.feedline.formats.table;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A row as a map that cannot be changed. All rows share the names. */
final class RowMap extends AbstractMap<String, Object> {

  private final String[] names;
  private final Object[] values;

  RowMap(String[] names, Object[] values) {
    this.names = names;
    this.values = values;
  }

  @Override
  public int size() {
    return names.length;
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(key)) {
        return values[i];
      }
    }
    return null;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return names.length;
      }

      @Override
      public Iterator<Map.Entry<String, Object>> iterator() {
        return new Iterator<>() {
          private int next;

          @Override
          public boolean hasNext() {
            return next < names.length;
          }

          @Override
          public Map.Entry<String, Object> next() {
            if (next == names.length) {
              throw new java.util.NoSuchElementException();
            }
            return Map.entry(names[next], values[next++]);
          }
        };
      }
    };
  }
}
