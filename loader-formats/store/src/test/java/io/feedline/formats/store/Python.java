package io.feedline.formats.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The reference libraries, where there are any: the environment variable {@code FEEDLINE_PYTHON}
 * names a Python that can import them. Tests that ask for one are skipped where it is missing.
 */
public final class Python {

  private static final String VARIABLE = "FEEDLINE_PYTHON";

  private Python() {}

  /** Skips the test where a module cannot be imported; returns the script's lines. */
  public static List<String> run(Class<?> test, String script, String module, Object... arguments)
      throws IOException, InterruptedException {
    String python = System.getenv(VARIABLE);
    assumeTrue(python != null, VARIABLE + " names no Python with " + module);
    Path copy = Files.createTempFile("feedline", ".py");
    try (InputStream in = test.getResourceAsStream(script)) {
      assertThat(in).as(script).isNotNull();
      Files.write(copy, in.readAllBytes());
      assumeTrue(
          start(python, "-c", "import " + module) == null, python + " cannot import " + module);
      List<String> command = new ArrayList<>(List.of(python, copy.toString()));
      for (Object argument : arguments) {
        command.add(argument.toString());
      }
      Path out = Files.createTempFile("feedline", ".txt");
      command.add(out.toString());
      String failure = start(command.toArray(String[]::new));
      assertThat(failure).as("what %s says", command).isNull();
      List<String> lines = Files.readAllLines(out);
      Files.delete(out);
      return lines;
    } finally {
      Files.delete(copy);
    }
  }

  /** Runs a script that needs Python's own library alone. */
  public static List<String> runPlain(Class<?> test, String script, Object... arguments)
      throws IOException, InterruptedException {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "python3"))),
        "there is no python3 on the PATH");
    Path copy = Files.createTempFile("feedline", ".py");
    try {
      Files.write(copy, FixtureFiles.bytes(test, script));
      List<String> command = new ArrayList<>(List.of("python3", copy.toString()));
      for (Object argument : arguments) {
        command.add(argument.toString());
      }
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
      return said.lines().toList();
    } finally {
      Files.delete(copy);
    }
  }

  /** Runs a command; null where it succeeds, and what it says where it fails. */
  private static String start(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? null : said;
  }
}
