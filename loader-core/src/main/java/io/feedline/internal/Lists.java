package io.feedline.internal;

import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Copies of lists that come from users. */
public final class Lists {

  private Lists() {}

  /**
   * Copies a collection into an unmodifiable list.
   *
   * @throws NullPointerException if the collection or an element is null; the message names the
   *     collection, by {@code what}, and the place of the element
   */
  public static <T> List<T> copyOf(String what, Collection<? extends T> elements) {
    Objects.requireNonNull(elements, what);
    int place = 0;
    for (T element : elements) {
      if (element == null) {
        throw new NullPointerException(
            "element %d of the %d %s is null".formatted(place, elements.size(), what));
      }
      place++;
    }
    return List.copyOf(elements);
  }
}
