package io.feedline.internal;

import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Copies of lists that users give. */
public final class Lists {

  private Lists() {}

  /**
   * Copies a collection into an unmodifiable list.
   *
   * @param what the list's name in the message
   * @param <T> an element
   * @throws NullPointerException if the collection is null, or an element; the message has its
   *     place
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
