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
   * @throws NullPointerException if the collection is null, which is named {@code what}, or an
   *     element, whose place the message has
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
