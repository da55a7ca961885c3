package io.feedline.formats.webdataset;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rule by which webdataset splits the name of an entry into a sample's key and the suffix of a
 * field: {@code ^((?:.*}{@code /|)[^.]+)[.]([^/]*)$}, so that the key has the directories and ends
 * before the first dot of the last name. {@link #split} returns the result of the expression, in
 * time linear in the length of the name.
 */
final class Names {

  private static final int SHOWN = 200;

  private Names() {}

  record KeyAndSuffix(String key, String suffix) {}

  /** Returns the parts of an entry's name; null if the entry belongs to no sample. */
  static @Nullable KeyAndSuffix split(String name) {
    if (isMeta(name)) {
      return null;
    }
    int slash = name.lastIndexOf('/');
    int dot = name.indexOf('.', slash + 1);
    if (dot < 0) {
      return null;
    }
    if (dot == slash + 1 && !isDotless(name, slash)) {
      return null;
    }
    return new KeyAndSuffix(
        name.substring(0, dot), name.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  /**
   * Tests whether the last directory has no dot: then {@code a/.hidden} has the key {@code a/} and
   * the suffix {@code hidden}.
   */
  private static boolean isDotless(String name, int slash) {
    return slash >= 0
        && name.substring(name.lastIndexOf('/', slash - 1) + 1, slash).indexOf('.') < 0;
  }

  /** Tests whether a name is {@code __x__} or a path below it; such entries belong to no sample. */
  static boolean isMeta(String name) {
    if (!name.startsWith("__")) {
      return false;
    }
    int slash = name.indexOf('/');
    String first = slash < 0 ? name : name.substring(0, slash);
    return first.endsWith("__") && (first.length() >= 4 || slash < 0);
  }

  static String shown(String name) {
    String part = name.length() > SHOWN ? name.substring(0, SHOWN) + "..." : name;
    return part.replaceAll("\\p{Cntrl}", "?");
  }
}
