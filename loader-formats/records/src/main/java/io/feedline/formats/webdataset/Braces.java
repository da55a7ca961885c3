package io.feedline.formats.webdataset;

import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The brace notation of shells and Python's braceexpand: {@code {000..146}} counts, with leading
 * zeros if either end has them, {@code {0..10..2}} counts in steps, {@code {a,b}} lists, and braces
 * may be nested. Braces around any other text are ordinary characters.
 *
 * <p>A backslash is an ordinary character: in paths it is not an escape.
 */
final class Braces {

  /** The largest number of names of a pattern; more names are taken for a typing error. */
  static final int MAX_NAMES = 1_000_000;

  private static final Pattern RANGE =
      Pattern.compile("(-?[0-9]{1,18})\\.\\.(-?[0-9]{1,18})(?:\\.\\.(-?[0-9]{1,18}))?");

  private Braces() {}

  /** Returns the paths of the default file system that a pattern stands for. */
  static List<Path> paths(String pattern) {
    return expand(pattern).stream().map(Path::of).toList();
  }

  static List<Path> paths(Path pattern) {
    FileSystem files = pattern.getFileSystem();
    return expand(pattern.toString()).stream().map(name -> files.getPath(name)).toList();
  }

  static List<String> expand(String pattern) {
    int open = pattern.indexOf('{');
    if (open < 0) {
      if (pattern.indexOf('}') >= 0) {
        throw unbalanced(pattern);
      }
      return List.of(pattern);
    }
    int close = matching(pattern, open);
    String before = pattern.substring(0, open);
    if (before.indexOf('}') >= 0) {
      throw unbalanced(pattern);
    }
    List<String> middles = alternatives(pattern.substring(open + 1, close));
    List<String> ends = expand(pattern.substring(close + 1));
    if ((long) middles.size() * ends.size() > MAX_NAMES) {
      throw tooMany(pattern);
    }
    List<String> names = new ArrayList<>(middles.size() * ends.size());
    for (String middle : middles) {
      for (String end : ends) {
        names.add(before + middle + end);
      }
    }
    return names;
  }

  private static int matching(String pattern, int open) {
    int depth = 0;
    for (int i = open; i < pattern.length(); i++) {
      if (pattern.charAt(i) == '{') {
        depth++;
      } else if (pattern.charAt(i) == '}' && --depth == 0) {
        return i;
      }
    }
    throw unbalanced(pattern);
  }

  private static List<String> alternatives(String inside) {
    Matcher range = RANGE.matcher(inside);
    if (range.matches()) {
      return count(range, inside);
    }
    List<String> parts = split(inside);
    List<String> names = new ArrayList<>();
    for (String part : parts) {
      names.addAll(expand(part));
      if (names.size() > MAX_NAMES) {
        throw tooMany(inside);
      }
    }
    if (parts.size() == 1) {
      names.replaceAll(name -> "{" + name + "}");
    }
    return names;
  }

  private static List<String> split(String inside) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < inside.length(); i++) {
      char c = inside.charAt(i);
      if (c == '{') {
        depth++;
      } else if (c == '}') {
        depth--;
      } else if (c == ',' && depth == 0) {
        parts.add(inside.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(inside.substring(start));
    return parts;
  }

  private static List<String> count(Matcher range, String inside) {
    long first = Long.parseLong(range.group(1));
    long last = Long.parseLong(range.group(2));
    long step = range.group(3) == null ? 1 : Math.abs(Long.parseLong(range.group(3)));
    step = Math.max(step, 1);
    long number = Math.abs(last - first) / step + 1;
    if (number > MAX_NAMES) {
      throw tooMany(inside);
    }
    boolean padded = isPadded(range.group(1)) || isPadded(range.group(2));
    int width = padded ? Math.max(range.group(1).length(), range.group(2).length()) : 1;
    String format = "%0" + width + "d";
    List<String> names = new ArrayList<>((int) number);
    for (long i = 0; i < number; i++) {
      long each = last < first ? first - i * step : first + i * step;
      names.add(String.format(Locale.ROOT, format, each));
    }
    return names;
  }

  private static boolean isPadded(String number) {
    String digits = number.startsWith("-") ? number.substring(1) : number;
    return digits.length() > 1 && digits.startsWith("0");
  }

  private static IllegalArgumentException unbalanced(String pattern) {
    return new IllegalArgumentException("the braces do not match in '" + pattern + "'");
  }

  private static IllegalArgumentException tooMany(String pattern) {
    return new IllegalArgumentException(
        "'%s' stands for more than %d names".formatted(pattern, MAX_NAMES));
  }
}
