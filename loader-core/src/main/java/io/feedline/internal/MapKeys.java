package io.feedline.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The keys of a map, in an order that does not change from run to run. */
public final class MapKeys {
  private MapKeys() {}

  /** Returns the keys in the map's order if it has one, otherwise sorted. */
  public static List<String> inOrder(Map<?, ?> map) {
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

  /** Returns the entries as text, for example {@code 'x' (3, 2), 'label' (3)}. */
  public static <V> String listed(Map<String, V> map, Function<? super V, ?> what) {
    return map.entrySet().stream()
        .map(entry -> "'" + entry.getKey() + "' " + what.apply(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  public static boolean isOrdered(Map<?, ?> map) {
    return map instanceof LinkedHashMap || map instanceof SortedMap;
  }
}
