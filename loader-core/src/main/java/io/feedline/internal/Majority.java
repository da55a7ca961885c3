package io.feedline.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

public final class Majority {

  private Majority() {}

  /**
   * Returns the place of the first element of the most frequent kind; of kinds that are equally
   * frequent, the kind that occurs first wins. Nulls do not count; -1 if all elements are null.
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
