package io.feedline.formats.hub;

import io.feedline.data.FormatException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Patterns of paths with the meaning that fsspec's {@code glob_translate} gives them. */
final class Glob {

  private Glob() {}

  static boolean isPattern(String text) {
    return text.matches("(?s).*[*?\\[].*");
  }

  static Predicate<String> of(String glob) throws FormatException {
    StringBuilder regex = new StringBuilder();
    String[] parts = glob.split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      boolean last = i == parts.length - 1;
      switch (parts[i]) {
        case "*" -> regex.append(last ? "[^/]+" : "[^/]+/");
        case "**" -> regex.append(last ? ".*" : "(?:.+/)?");
        default -> {
          if (parts[i].contains("**")) {
            throw new FormatException(
                "the pattern '%s' has ** beside other characters of a name".formatted(glob));
          }
          part(parts[i], regex);
          regex.append(last ? "" : "/");
        }
      }
    }
    String word = word(glob);
    Pattern pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
    return path -> path.contains(word) && pattern.matcher(path).matches();
  }

  /** Returns a text that every matching path contains; paths without it need no matching. */
  private static String word(String glob) {
    return glob.matches("(?s).*\\[!?\\].*")
        ? ""
        : Arrays.stream(glob.split("\\[[^\\]]*\\]|[*?/\\[]"))
            .max(Comparator.comparingInt(String::length))
            .orElse("");
  }

  private static void part(String part, StringBuilder regex) {
    int at = 0;
    while (at < part.length()) {
      char c = part.charAt(at);
      int end = c == '[' ? endOfSet(part, at) : -1;
      if (end > 0) {
        set(part.substring(at + 1, end), regex);
        at = end;
      } else if (c == '*') {
        regex.append("[^/]*");
      } else if (c == '?') {
        regex.append("[^/]");
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
      at++;
    }
  }

  /** Returns the index of the ']' that ends a set such as [a-z], or -1; skips a first ']'. */
  private static int endOfSet(String part, int start) {
    int first = start + (part.startsWith("!", start + 1) ? 2 : 1);
    return part.indexOf(']', Math.min(first + 1, part.length()));
  }

  private static void set(String set, StringBuilder regex) {
    boolean not = set.startsWith("!");
    StringBuilder members = new StringBuilder();
    for (int i = not ? 1 : 0; i < set.length(); i++) {
      char low = set.charAt(i);
      boolean range = i + 2 < set.length() && set.charAt(i + 1) == '-';
      char high = range ? set.charAt(i + 2) : low;
      if (low <= high) {
        members.append(escaped(low)).append('-').append(escaped(high));
      }
      i += range ? 2 : 0;
    }
    if (members.isEmpty()) {
      regex.append(not ? "." : "(?!)");
    } else {
      regex.append(not ? "[^" : "[").append(members).append(']');
    }
  }

  private static String escaped(char c) {
    return "\\x{" + Integer.toHexString(c) + "}";
  }
}
