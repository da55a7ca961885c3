package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The README's table of public types is complete. */
class ReadmeTest {

  private static final Path SOURCES = Path.of("src", "main", "java", "io", "feedline");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void shouldListEveryPublicType() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String table =
        readme.substring(readme.indexOf("## Public types"), readme.indexOf("## Tests worth"));
    // The first cell of each row.
    List<String> listed =
        table
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.indexOf('|', 1)))
            .flatMap(cell -> NAME.matcher(cell).results().map(MatchResult::group))
            .map(name -> name.replace("`", ""))
            .toList();
    assertThat(listed).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(listed)).isEqualTo(publicTypes());
  }

  private static SortedSet<String> publicTypes() throws IOException {
    Pattern declaration =
        Pattern.compile(
            "^public (final |sealed |non-sealed |abstract )*(class|interface|record|enum) (\\w+)",
            Pattern.MULTILINE);
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<Path> sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.startsWith(SOURCES.resolve("internal")))
              .toList();
      SortedSet<String> types = new TreeSet<>();
      for (Path source : sources) {
        types.addAll(
            declaration
                .matcher(Files.readString(source))
                .results()
                .map(match -> match.group(3))
                .collect(Collectors.toSet()));
      }
      return types;
    }
  }
}
