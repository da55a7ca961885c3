package io.feedline.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kind that most of some things have: the others are the odd ones. */
public final class Majority {

  private Majority() {}

  /**
   * Returns the first thing of the kind that most have; of two kinds that as many have, the one
   * that comes first.
   *
   * @param kinds of the things in order; null: the thing does not count
   * @return the thing's place; -1 where none counts
   */
  public static int first(List<? extends @Nullable Object> kinds) {
    Map<Object, Integer> counts = new LinkedHashMap<>();
    for (Object kind : kinds) {
      if (kind != null) {
        counts.merge(kind, 1, Integer::sum);
      }
    }
    Object most = null;
    int count = 0;
    for (Map.Entry<Object, Integer> each : counts.entrySet()) {
      if (each.getValue() > count) {
        most = each.getKey();
        count = each.getValue();
      }
    }
    return most == null ? -1 : kinds.indexOf(most);
  }
}
