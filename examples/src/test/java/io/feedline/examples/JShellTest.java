package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import org.junit.jupiter.api.Test;

/**
 * The start-up file feedline.jsh works, with JShell's own imports before it.
 *
 * <p>The local engine of JShell waits for the threads that a snippet starts, so loaders have no
 * workers here; JShell itself runs snippets in another process and waits for none.
 */
class JShellTest {

  private static final List<String> DEFAULT_IMPORTS =
      List.of("java.io", "java.nio.file", "java.util", "java.util.function", "java.util.stream");

  @Test
  void shouldLookAtDataWithTheStartUpFile() throws IOException {
    try (JShell shell = JShell.builder().executionEngine("local").build()) {
      shell.addToClasspath(System.getProperty("java.class.path"));
      for (String imported : DEFAULT_IMPORTS) {
        run(shell, "import " + imported + ".*;");
      }
      run(shell, Files.readString(Path.of("feedline.jsh")));
      run(
          shell,
          """
          var images = FakeData.builder(8).imageSize(16, 12).classes(3).build();
          var loader = DataLoader.builder(images).batchSize(4).numWorkers(0).build();
          """);
      assertThat(run(shell, "images.toString()")).contains("FakeData(8 of 16 x 12)");
      assertThat(run(shell, "first(loader).get(\"image\").toString()"))
          .isEqualTo("\"FLOAT32 (4, 3, 12, 16)\"");
      assertThat(run(shell, "((Tensor) first(loader).get(\"label\")).toText()"))
          .contains("INT64 (4)");
      assertThat(run(shell, "Files.size(sheet(List.of(images.get(0), images.get(1)))) > 100"))
          .isEqualTo("true");
      assertThat(run(shell, "Files.size(sheet(images, 4)) > 100")).isEqualTo("true");
      assertThat(run(shell, "Progress.class.getSimpleName()")).contains("Progress");
      run(shell, "loader.close();");
    }
  }

  /** Runs all snippets of a text; returns the value of the last one. */
  private static String run(JShell shell, String text) {
    SourceCodeAnalysis analysis = shell.sourceCodeAnalysis();
    String rest = text;
    String value = "";
    while (!rest.isBlank()) {
      CompletionInfo next = analysis.analyzeCompletion(rest);
      for (SnippetEvent event : shell.eval(next.source())) {
        assertThat(event.status()).as(next.source()).isEqualTo(Snippet.Status.VALID);
        assertThat(event.exception()).as(next.source()).isNull();
        value = event.value();
      }
      rest = next.remaining();
    }
    return value;
  }
}
