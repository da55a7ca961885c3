package io.feedline.formats.store.internal.samples;

import java.util.List;
import java.util.stream.Stream;

/**
 * The common form of files' names in archives and records: parts with slashes between them, without
 * a leading slash, empty parts or parts of one dot. So {@code /cat/0}, {@code ./cat/0} and {@code
 * cat\0} are {@code cat/0}.
 */
public final class EntryName {

  private EntryName() {}

  public static String of(String name) {
    if (name.indexOf('\\') < 0
        && !name.startsWith("/")
        && !name.startsWith("./")
        && !name.contains("//")
        && !name.contains("/./")) {
      return name;
    }
    return String.join("/", steps(name.replace('\\', '/')));
  }

  public static boolean leadsOut(String name) {
    return name.contains("..") && steps(name).contains("..");
  }

  public static boolean isBelow(String name) {
    return Stream.of(name.split("/", -1))
        .noneMatch(step -> step.isEmpty() || step.equals(".") || step.equals(".."));
  }

  private static List<String> steps(String name) {
    return Stream.of(name.split("/")).filter(step -> !step.isEmpty() && !step.equals(".")).toList();
  }
}
