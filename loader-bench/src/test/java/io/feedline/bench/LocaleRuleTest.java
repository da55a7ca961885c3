package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Text for programs does not depend on the locale. {@code %d} and {@code %f} write the digits of
 * the default locale, so a file name, key or fingerprint that is formatted without {@code
 * Locale.ROOT} is another one under {@code ar-EG}, {@code fa} or {@code mr}.
 *
 * <p>Messages for people may be formatted as they like. The rule takes these for text for programs:
 * a format with such a conversion that holds no word with a space behind it, and each one in a
 * method called {@code fingerprint}, {@code name} or {@code fileName}; except in {@code toString},
 * in exceptions, and in the command line, which prints for people. To mend a finding, write {@code
 * String.format(Locale.ROOT, ...)}.
 */
@Tag("once")
class LocaleRuleTest {

  /** Conversions whose digits are the locale's. */
  private static final Pattern LOCALIZED =
      Pattern.compile("%(\\d+\\$)?[-# +0,(<]*\\d*(\\.\\d+)?[dfeEgG]");

  private static final Pattern SENTENCE = Pattern.compile("[A-Za-z]{2,}[,:;]? ");

  private static final Pattern CALL = Pattern.compile("\\.formatted\\(|String\\.format\\(");

  private static final Pattern THROWN = Pattern.compile("\\bthrow\\b|(Exception|Error)\\(");

  private static final Pattern METHOD =
      Pattern.compile("\\b(\\w+)\\s*\\([^;{}()]*\\)\\s*(?:throws [\\w., ]+)?\\{");

  private static final Set<String> METHODS_FOR_PROGRAMS = Set.of("fingerprint", "name", "fileName");

  /**
   * A call to format text.
   *
   * @param place file and line
   * @param method the name of the method that it is in
   * @param thrown whether it is in a statement that throws or makes an exception
   * @param text the format
   */
  private record Format(String place, String method, boolean thrown, String text) {
    boolean forPrograms() {
      return LOCALIZED.matcher(text).find()
          && !thrown
          && !method.equals("toString")
          && (METHODS_FOR_PROGRAMS.contains(method) || !SENTENCE.matcher(text).find());
    }
  }

  @Test
  void shouldNameTheLocaleInTextForPrograms() throws IOException {
    Path root = Path.of("..").toAbsolutePath().normalize();
    List<Format> formats = new ArrayList<>();
    int files = 0;
    for (Path file : CommentRuleTest.sources(root)) {
      if (!isForPrograms(root.relativize(file).toString().replace('\\', '/'))) {
        continue;
      }
      files++;
      formats.addAll(formats(root.relativize(file).toString(), Files.readString(file)));
    }
    assertThat(files).isGreaterThan(100);
    assertThat(formats).hasSizeGreaterThan(100);
    assertThat(formats.stream().filter(Format::forPrograms)).isEmpty();
  }

  @Test
  void shouldTellTextForProgramsFromMessages() {
    String source =
        """
        class A {
          String fingerprint() {
            return "LmdbImages, all %d of them".formatted(size());
          }
          void write(int shard) throws IOException {
            // "%d-of-%d".formatted(1, 2) is no code
            open("%s-%05d".formatted(base, shard));
            throw new IOException("shard %d is missing".formatted(shard) + '"');
          }
          String key(int i) {
            return String.format(Locale.ROOT, "%08d", i) + String.format("%08x", i);
          }
          String line(int i) {
            return String.format(
                "%d:" + "%d\\n", i, i);
          }
          public String toString() {
            return "A(%d)".formatted(1);
          }
        }
        """;
    assertThat(formats("A.java", source).stream().filter(Format::forPrograms))
        .extracting(Format::place, Format::text)
        .containsExactly(
            tuple("A.java:3", "LmdbImages, all %d of them"),
            tuple("A.java:7", "%s-%05d"),
            tuple("A.java:14", "%d:%d\\n"));
  }

  private static boolean isForPrograms(String file) {
    return file.contains("/src/main/") && !file.contains("/formats/cli/");
  }

  /** The calls that format without a locale. */
  private static List<Format> formats(String file, String source) {
    String code = withoutLiterals(source);
    List<Format> formats = new ArrayList<>();
    Matcher call = CALL.matcher(code);
    while (call.find()) {
      boolean method = code.charAt(call.start()) == '.';
      int from = method ? startOfOperand(code, call.start()) : call.end();
      int to = method ? call.start() : endOfArgument(code, call.end());
      if (source.substring(from, to).stripLeading().startsWith("Locale.")) {
        continue;
      }
      long line = 1 + source.substring(0, call.start()).chars().filter(c -> c == '\n').count();
      formats.add(
          new Format(
              file + ":" + line,
              methodAt(code, call.start()),
              THROWN.matcher(statement(code, call.start())).find(),
              literals(source, code, from, to)));
    }
    return formats;
  }

  /** Returns the text between the end of the statement before and a place. */
  private static String statement(String code, int place) {
    int start = place;
    while (start > 0 && ";{}".indexOf(code.charAt(start - 1)) < 0) {
      start--;
    }
    return code.substring(start, place);
  }

  /** Returns the start of the string that {@code .formatted} is called on. */
  private static int startOfOperand(String code, int end) {
    int depth = 0;
    for (int at = end - 1; at >= 0; at--) {
      char c = code.charAt(at);
      depth += c == ')' ? 1 : c == '(' ? -1 : 0;
      if (depth < 0 || (depth == 0 && (c == ';' || c == '{' || c == '}' || c == ',' || c == '+'))) {
        return at + 1;
      }
    }
    return 0;
  }

  private static int endOfArgument(String code, int start) {
    int depth = 0;
    for (int at = start; at < code.length(); at++) {
      char c = code.charAt(at);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth < 0 || (depth == 0 && c == ',')) {
        return at;
      }
    }
    return code.length();
  }

  /** The name of the method that a place is in; "" in none. */
  private static String methodAt(String code, int place) {
    String name = "";
    Matcher method = METHOD.matcher(code).region(0, place);
    while (method.find()) {
      if (!Set.of("if", "for", "while", "switch", "catch", "synchronized", "try")
          .contains(method.group(1))) {
        name = method.group(1);
      }
    }
    return name;
  }

  /** The string literals of a part of the source, joined. */
  private static String literals(String source, String code, int from, int to) {
    StringBuilder text = new StringBuilder();
    boolean inside = false;
    for (int at = from; at < to; at++) {
      if (code.charAt(at) == '"') {
        inside = !inside;
      } else if (inside) {
        text.append(source.charAt(at));
      }
    }
    return text.toString();
  }

  /** The source with blanks in comments and between quotes, each character in its place. */
  private static String withoutLiterals(String source) {
    StringBuilder code = new StringBuilder(source);
    for (MatchResult token : CommentRuleTest.TOKEN.matcher(source).results().toList()) {
      char quote = source.charAt(token.start()) == '/' ? ' ' : source.charAt(token.start());
      String blank = token.group().replaceAll("[^\n]", " ");
      code.replace(token.start(), token.end(), blank);
      code.setCharAt(token.start(), quote);
      code.setCharAt(token.end() - 1, quote);
    }
    return code.toString();
  }
}
