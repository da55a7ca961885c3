package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * The table of public types in a module's README, or on its page TYPES.md, is complete: the first
 * cells of the rows in its section "Public types" name each type once. Packages called {@code
 * internal}, and those below, do not count. A module's test extends this class.
 */
public abstract class ReadmeContract {

  private static final String SECTION = "## Public types";
  private static final Path TYPES = Path.of("TYPES.md");
  private static final Path SOURCES = Path.of("src", "main");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");
  private static final Pattern DECLARATION =
      Pattern.compile(
          "^public (final |sealed |non-sealed |abstract )*(class|interface|record|enum) (\\w+)",
          Pattern.MULTILINE);

  @Test
  void shouldListEveryPublicType() throws IOException {
    String page = Files.readString(Files.exists(TYPES) ? TYPES : Path.of("README.md"));
    assertThat(page).contains(SECTION);
    String section = page.substring(page.indexOf(SECTION) + SECTION.length());
    int end = section.indexOf("\n## ");
    List<String> listed =
        (end < 0 ? section : section.substring(0, end))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(0, line.indexOf('|', 1)))
            .flatMap(cell -> NAME.matcher(cell).results().map(match -> match.group(1)))
            .toList();
    assertThat(listed).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(listed)).isEqualTo(publicTypes());
  }

  private static SortedSet<String> publicTypes() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      SortedSet<String> types = new TreeSet<>();
      for (Path source : files.filter(ReadmeContract::isPublished).toList()) {
        types.addAll(
            DECLARATION
                .matcher(Files.readString(source))
                .results()
                .map(match -> match.group(3))
                .collect(Collectors.toSet()));
      }
      return types;
    }
  }

  private static boolean isPublished(Path file) {
    return file.toString().endsWith(".java") && !isBelowInternal(file.getParent());
  }

  private static boolean isBelowInternal(Path folder) {
    return StreamSupport.stream(folder.spliterator(), false)
        .anyMatch(name -> name.endsWith("internal"));
  }
}
