package io.feedline.formats.store.internal;

import java.util.List;

/**
 * A library of a single format, which users add if they use the format: asked for before it is
 * touched.
 *
 * @param format what needs it, as the error says
 * @param coordinates what to add, as Maven has it
 * @param classes whose initialization loads the library, what is native in it included
 */
public record OptionalLibrary(String format, String coordinates, List<String> classes) {

  /** A library that has these classes. */
  public OptionalLibrary(String format, String coordinates, String... classes) {
    this(format, coordinates, List.of(classes));
  }

  /**
   * Makes sure that the library is there.
   *
   * @throws IllegalStateException if it is not, with what to add
   */
  public void require() {
    for (String name : classes) {
      try {
        Class.forName(name, true, OptionalLibrary.class.getClassLoader());
      } catch (ClassNotFoundException absent) {
        throw new IllegalStateException(
            "%s needs a library that is not on the class path: add %s"
                .formatted(format, coordinates),
            absent);
      } catch (LinkageError broken) {
        throw new IllegalStateException(
            "%s needs %s, which is on the class path but does not load: %s"
                .formatted(format, coordinates, broken),
            broken);
      }
    }
  }
}
