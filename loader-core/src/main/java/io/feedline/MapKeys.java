package io.feedline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The keys of a map, in an order that does not change from run to run. */
final class MapKeys {
  private MapKeys() {}

  /**
   * Returns a map's keys in its own order where it has one, sorted otherwise: that of {@link
   * Map#of} changes with each start of the JVM.
   *
   * @throws IllegalArgumentException if a key is not a string
   */
  static List<String> inOrder(Map<?, ?> map) {
    List<String> keys = new ArrayList<>(map.size());
    for (Object key : map.keySet()) {
      if (!(key instanceof String name)) {
        throw new IllegalArgumentException(
            "the keys of a map must be strings, found " + key + " in " + map.keySet());
      }
      keys.add(name);
    }
    if (!isOrdered(map)) {
      Collections.sort(keys);
    }
    return keys;
  }

  static boolean isOrdered(Map<?, ?> map) {
    return map instanceof LinkedHashMap || map instanceof SortedMap;
  }
}
