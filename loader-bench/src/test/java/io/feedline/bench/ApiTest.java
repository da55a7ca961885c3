package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Programs compiled against the last release still find what they name: each public type outside of
 * internal packages, with its public and protected members, as javap prints them. A new member is
 * not an incompatible change, except an abstract method, which existing implementations lack.
 *
 * <p>{@code api.txt} is the API of the last release, until 0.1.0 that of a snapshot. After a change
 * that the changelog describes, and with each release, this writes it anew:
 *
 * <pre>
 * mvn -q -o -Pquick -pl loader-bench -am test -Dtest=ApiTest -Dfeedline.api.write
 * </pre>
 */
@Tag("once")
class ApiTest {
  private static final String BASELINE = "api.txt";

  /** In the checkout, from the directory of this module. */
  private static final Path WRITTEN = Path.of("src/test/resources/io/feedline/bench", BASELINE);

  /** A program's packages are no API; nor are benchmarks and examples. */
  private static final String NO_API =
      "io/feedline/(bench|examples|formats/cli)/.*|.*/(internal|chartjs)/.*|.*(package|module)-info";

  @Test
  @DisabledIfSystemProperty(named = "feedline.api.write", matches = ".*")
  void shouldKeepWhatTheLastReleaseHas() throws IOException {
    try (InputStream baseline = ApiTest.class.getResourceAsStream(BASELINE)) {
      List<String> lines = new String(baseline.readAllBytes(), UTF_8).lines().toList();
      assertThat(breaks(parse(lines), parse(api().lines().toList()))).isEmpty();
    }
  }

  @Test
  @EnabledIfSystemProperty(
      named = "feedline.api.write",
      matches = ".*",
      disabledReason = "it writes the baseline")
  void writesTheBaseline() throws IOException {
    Files.writeString(WRITTEN, api());
  }

  @Test
  void shouldFindWhatBreaksPrograms() {
    List<String> before =
        List.of(
            "public final class a.B {",
            "  public int size();",
            "  public long length();",
            "}",
            "public interface a.C {",
            "}",
            "public class a.D {",
            "}");
    List<String> after =
        List.of(
            "public final class a.B {",
            "  public long size();",
            "  public long length();",
            "  public boolean isEmpty();",
            "}",
            "public interface a.C {",
            "  public abstract void close();",
            "}",
            "public final class a.E {",
            "}");
    assertThat(breaks(parse(before), parse(after)))
        .containsExactly(
            "gone: a.B: public int size();",
            "to be implemented: a.C: public abstract void close();",
            "gone: a.D: public class a.D {");
  }

  /**
   * Returns the members that are gone or changed, and those that implementors of a type must add.
   */
  private static List<String> breaks(
      Map<String, SortedSet<String>> before, Map<String, SortedSet<String>> after) {
    List<String> breaks = new ArrayList<>();
    before.forEach(
        (type, members) -> {
          SortedSet<String> now = after.getOrDefault(type, new TreeSet<>());
          for (String member : now.isEmpty() ? List.of(members.first()) : members) {
            if (!now.contains(member)) {
              breaks.add("gone: " + type + ": " + member);
            }
          }
          for (String member : now) {
            if (member.contains(" abstract ") && !members.contains(member) && !isSealed(type)) {
              breaks.add("to be implemented: " + type + ": " + member);
            }
          }
        });
    return breaks;
  }

  /** Tests whether users cannot implement it. */
  private static boolean isSealed(String type) {
    try {
      return Class.forName(type, false, ApiTest.class.getClassLoader()).isSealed();
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** A type's name, and its lines, the first of which declares it. */
  private static Map<String, SortedSet<String>> parse(List<String> lines) {
    Map<String, SortedSet<String>> types = new TreeMap<>();
    SortedSet<String> members = new TreeSet<>();
    for (String line : lines) {
      if (line.endsWith("{")) {
        members = new TreeSet<>(List.of(line));
        types.put(line.replaceFirst(".*?\\b(class|interface) ([\\w.$]+).*", "$2"), members);
      } else if (!line.equals("}")) {
        members.add(line.strip());
      }
    }
    return types;
  }

  /** All types with their members, in order. */
  private static String api() throws IOException {
    List<String> types = types();
    StringWriter printed = new StringWriter();
    List<String> arguments =
        new ArrayList<>(
            List.of("-protected", "-constants", "-cp", System.getProperty("java.class.path")));
    arguments.addAll(types);
    PrintWriter out = new PrintWriter(printed);
    int code =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(out, out, arguments.toArray(String[]::new));
    assertThat(code).as(printed.toString()).isZero();

    Map<String, List<String>> blocks = new TreeMap<>();
    List<String> block = new ArrayList<>();
    for (String line : printed.toString().lines().toList()) {
      if (line.endsWith("{")) {
        block = new ArrayList<>();
        blocks.put(line.replaceFirst(".*?\\b(class|interface) ([\\w.$]+).*", "$2"), block);
      }
      if (!line.startsWith("Compiled from ")) {
        block.add(line.replace(" synchronized ", " "));
      }
    }
    blocks.values().removeIf(lines -> !lines.get(0).startsWith("public "));
    // Public members of a type that is hidden.
    blocks.keySet().removeIf(type -> !blocks.containsKey(type.replaceFirst("\\$.*", "")));
    StringBuilder text = new StringBuilder();
    for (List<String> lines : blocks.values()) {
      text.append(lines.get(0)).append('\n');
      lines.subList(1, lines.size() - 1).stream()
          .sorted()
          .forEach(line -> text.append(line).append('\n'));
      text.append("}\n");
    }
    return text.toString();
  }

  /** The names of the libraries' classes, in the directories and jars of the class path. */
  private static List<String> types() throws IOException {
    SortedSet<String> types = new TreeSet<>();
    String path = System.getProperty("java.class.path");
    for (String entry : path.split(File.pathSeparator, -1)) {
      Path root = Path.of(entry);
      if (Files.isDirectory(root)) {
        collect(root, types);
      } else if (root.getFileName().toString().matches("(loader-|feedline-).*(?<!-tests)\\.jar")) {
        try (FileSystem jar = FileSystems.newFileSystem(root)) {
          collect(jar.getPath("/"), types);
        }
      }
    }
    return List.copyOf(types);
  }

  private static void collect(Path root, SortedSet<String> types) throws IOException {
    Path own = root.resolve("io").resolve("feedline");
    if (!Files.isDirectory(own) || root.toString().contains("test-classes")) {
      return;
    }
    try (Stream<Path> files = Files.walk(own)) {
      files
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(file -> file.endsWith(".class"))
          .map(file -> file.substring(0, file.length() - ".class".length()))
          .filter(file -> !file.matches(NO_API))
          .forEach(file -> types.add(file.replace('/', '.')));
    }
  }
}
