package io.feedline.formats.store.internal.files;

import java.util.List;

/**
 * A library that may fail to load, which is checked before the first use.
 *
 * @param use the feature that needs the library, for the error
 * @param classes the classes whose initialization loads the library with its native parts
 */
public record RequiredLibrary(String use, String artifact, List<String> classes) {

  public RequiredLibrary(String use, String artifact, String... classes) {
    this(use, artifact, List.of(classes));
  }

  public void require() {
    for (String name : classes) {
      try {
        Class.forName(name, true, RequiredLibrary.class.getClassLoader());
      } catch (ClassNotFoundException | LinkageError missing) {
        throw new IllegalStateException(
            "%s needs a library that does not load (%s). It comes with %s"
                .formatted(use, missing, artifact),
            missing);
      }
    }
  }
}
