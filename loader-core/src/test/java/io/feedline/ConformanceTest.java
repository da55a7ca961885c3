package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that {@code CONFORMANCE.md} names are there. */
class ConformanceTest {

  private static final Path TABLE = Path.of("CONFORMANCE.md");
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

  @Test
  void shouldNameTestsThatExist() throws Exception {
    Map<String, Class<?>> classes = testClasses();
    List<String> missing = new ArrayList<>();
    int found = 0;
    Matcher matcher = TEST.matcher(Files.readString(TABLE));
    while (matcher.find()) {
      // A class that is not here belongs to another module, or to a build of its own.
      Class<?> test = classes.get(matcher.group(1));
      String name = matcher.group(2);
      if (test != null) {
        found++;
        if (Stream.of(test.getDeclaredMethods()).noneMatch(m -> m.getName().equals(name))) {
          missing.add(matcher.group());
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(found).isGreaterThan(120);
  }

  private static Map<String, Class<?>> testClasses() throws Exception {
    Path sources = Path.of("src", "test", "java");
    Map<String, Class<?>> classes = new HashMap<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(each -> each.toString().endsWith("Test.java")).toList()) {
        String path = sources.relativize(file).toString();
        String name =
            path.substring(0, path.length() - ".java".length()).replaceAll("[/\\\\]", ".");
        Class<?> test = Class.forName(name);
        classes.put(test.getSimpleName(), test);
      }
    }
    return classes;
  }

  @Test
  void shouldLeaveNoRuleWithoutATestOrAReason() throws IOException {
    List<String> rows =
        Files.readAllLines(TABLE).stream()
            .filter(line -> line.startsWith("|") && !line.startsWith("|---"))
            .toList();
    assertThat(rows).hasSizeGreaterThan(70);
    assertThat(rows).allSatisfy(row -> assertThat(row).matches("\\|.*\\|\\s*\\S.*\\|"));
  }
}
