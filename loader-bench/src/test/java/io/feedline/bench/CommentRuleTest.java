package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Javadoc begins with a noun phrase for a type, a field or a parameter, and with a third-person
 * verb for a method: "Number of rows", "Returns the rows". A comment that begins with "What",
 * "How", "Whether", "Where", "Of" or "Why" is a clause without a sentence; write "The bytes of a
 * row" for "What a row consists of", and "True if the epoch has begun" for "Whether the epoch has
 * begun".
 *
 * <p>{@code loader-bench/words} counts the same, and phrases that need a reader's judgment.
 */
@Tag("once")
class CommentRuleTest {

  /** A literal, which may hold the marks of a comment, or a comment. */
  static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'|//[^\n]*|/\\*.*?\\*/",
          Pattern.DOTALL);

  private static final Pattern CLAUSE =
      Pattern.compile("/\\*\\*[\\s*]*(?:What|How|Whether|Where|Of|Why)\\b.*", Pattern.DOTALL);

  @Test
  void shouldBeginJavadocWithANounOrAVerb() throws IOException {
    Path root = Path.of("..").toAbsolutePath().normalize();
    List<String> clauses = new ArrayList<>();
    int files = 0;
    for (Path file : sources(root)) {
      files++;
      clauses.addAll(clauses(root.relativize(file).toString(), Files.readString(file)));
    }
    assertThat(files).isGreaterThan(1000);
    assertThat(clauses).isEmpty();
  }

  @Test
  void shouldTellClausesFromSentences() {
    String source =
        """
        /** What batches are made of. */
        class A {
          String text = "/** How it is not a comment. *" + "/";
          // Whether it is Javadoc: no.
          /* Where it is Javadoc: not here. */
          /**
           * Whether the epoch has begun.
           */
          boolean begun;
          /** Whatever begins with the same letters. */
          int rest;
          char quote = '"'; /** Of all batches. */ int count;
        }
        """;
    assertThat(clauses("A.java", source)).containsExactly("A.java:1", "A.java:6", "A.java:12");
  }

  static List<Path> sources(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !("/" + root.relativize(file)).replace('\\', '/').contains("/target/"))
          .sorted()
          .toList();
    }
  }

  /** Returns the places, as file and line, of Javadoc that begins with a clause. */
  private static List<String> clauses(String file, String source) {
    List<String> found = new ArrayList<>();
    Matcher token = TOKEN.matcher(source);
    while (token.find()) {
      if (CLAUSE.matcher(token.group()).matches()) {
        long line = 1 + source.substring(0, token.start()).chars().filter(c -> c == '\n').count();
        found.add(file + ":" + line);
      }
    }
    return found;
  }
}
