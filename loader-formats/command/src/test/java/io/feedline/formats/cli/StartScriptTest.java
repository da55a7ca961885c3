package io.feedline.formats.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The start script, with a jar that prints its arguments. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for a POSIX shell")
class StartScriptTest {

  @TempDir private Path directory;
  private Path home;
  private Path script;

  /** The program in the jar. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] arguments) {
      System.out.println(String.join("|", arguments));
      System.exit(arguments.length > 1 ? 3 : 0);
    }
  }

  @BeforeEach
  void install() throws IOException {
    home = Files.createDirectory(directory.resolve("a home"));
    script = Files.copy(Path.of("feedline"), home.resolve("feedline"));
    assertThat(script.toFile().setExecutable(true)).isTrue();
  }

  private void makeJar() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Echo.class.getName());
    String name = Echo.class.getName().replace('.', '/') + ".class";
    try (OutputStream file = Files.newOutputStream(home.resolve("feedline.jar"));
        JarOutputStream jar = new JarOutputStream(file, manifest);
        InputStream code = Echo.class.getClassLoader().getResourceAsStream(name)) {
      jar.putNextEntry(new JarEntry(name));
      code.transferTo(jar);
    }
  }

  private record Ended(int code, String output) {}

  private Ended run(Path program, String archives, String... arguments) throws Exception {
    return run("", program, archives, arguments);
  }

  private Ended run(String classpath, Path program, String archives, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("FEEDLINE_ARCHIVE", archives);
    builder.environment().put("FEEDLINE_CLASSPATH", classpath);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @Test
  void shouldPassArgumentsAndTheExitCodeAndKeepAnArchiveOfEachSubcommand() throws Exception {
    makeJar();
    Path archives = home.resolve("archives");
    Path link = Files.createSymbolicLink(directory.resolve("link"), script);
    for (int i = 0; i < 2; i++) {
      assertThat(run(link, archives.toString(), "inspect")).isEqualTo(new Ended(0, "inspect\n"));
      try (Stream<Path> files = Files.list(archives)) {
        assertThat(files)
            .singleElement()
            .satisfies(file -> assertThat(file.toString()).endsWith("-inspect.jsa"));
      }
    }
    // A run that fails leaves none.
    assertThat(run(script, archives.toString(), "convert", "a b", ""))
        .isEqualTo(new Ended(3, "convert|a b|\n"));
    try (Stream<Path> files = Files.list(archives)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void shouldStartWithoutAnArchiveAndTakeFurtherJars() throws Exception {
    makeJar();
    Path noDirectory = Files.writeString(home.resolve("file"), "a file");
    for (String archives : List.of("none", noDirectory.toString())) {
      assertThat(run(script, archives, "convert", "x")).isEqualTo(new Ended(3, "convert|x\n"));
    }
    // The command itself, which this jar does not have.
    assertThat(run(System.getProperty("java.class.path"), script, "none", "--version"))
        .isEqualTo(new Ended(0, "feedline (development)\n"));
  }

  @Test
  void shouldSayThatThereIsNoJar() throws Exception {
    Ended ended = run(script, "none", "inspect");
    assertThat(ended.code()).isEqualTo(1);
    assertThat(ended.output()).startsWith("feedline: there is no feedline.jar beside ");
  }
}
