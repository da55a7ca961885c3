package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Model;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of the BOM lists all public types whose names DJL's API has too. */
@Tag("once")
class NamesOfDjlTest {

  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("^public [\\w -]*?(?:class|interface|record|enum) (\\w+)", Pattern.MULTILINE);
  private static final Pattern LISTED =
      Pattern.compile("DJL has these names too:(.*?)\\.\\s", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void shouldListTheNamesThatDjlHasToo() throws Exception {
    SortedSet<String> both = feedlineNames();
    both.retainAll(djlNames());

    Matcher listed =
        LISTED.matcher(Files.readString(Path.of("..", "loader-core", "bom", "README.md")));
    assertThat(listed.find()).isTrue();
    assertThat(NAME.matcher(listed.group(1)).results().map(name -> name.group(1)))
        .containsExactlyElementsOf(both);
  }

  private static SortedSet<String> feedlineNames() throws IOException {
    SortedSet<String> names = new TreeSet<>();
    for (Path module : Pom.modules(Path.of(".."))) {
      for (Path file : Pom.sources(module)) {
        // The types that the rooms of the command share are internal: an example never names them.
        if (!file.toString().matches(".*[/\\\\](internal|cli)[/\\\\].*")) {
          PUBLIC_TYPE
              .matcher(Files.readString(file))
              .results()
              .forEach(type -> names.add(type.group(1)));
        }
      }
    }
    return names;
  }

  /** The public types of DJL's API, which are all that a program can import. */
  private static SortedSet<String> djlNames() throws Exception {
    SortedSet<String> names = new TreeSet<>();
    Path jar = Path.of(Model.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (JarFile api = new JarFile(jar.toFile())) {
      for (String entry : api.stream().map(Object::toString).toList()) {
        if (entry.matches("ai/djl/[\\w/]+\\.class")) {
          String type = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
          if (Modifier.isPublic(
              Class.forName(type, false, Model.class.getClassLoader()).getModifiers())) {
            names.add(type.substring(type.lastIndexOf('.') + 1));
          }
        }
      }
    }
    return names;
  }
}
