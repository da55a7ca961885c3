package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallExamplesTest {

  private interface Program {
    void run(String... args) throws Exception;
  }

  private static String printedBy(Program program, String... args) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      program.run(args);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void shouldReadBatches(@TempDir Path temp) throws Exception {
    Path pictures = new GeneratedFolder(temp, 4, 1, 0).make();

    String printed = printedBy(QuickStart::main, pictures.resolve("train").toString());

    assertThat(printed.lines())
        .containsExactly(
            "FLOAT32 (32, 3, 224, 224) INT64 (32)", "FLOAT32 (8, 3, 224, 224) INT64 (8)");
  }

  @Test
  void shouldTrainWithDjlsOwnLoop(@TempDir Path temp) throws Exception {
    String printed = printedBy(EasyTrainWithFeedline::main, temp.toString());

    assertThat(printed)
        .containsPattern("training loss [0-9.]+, validation accuracy [0-9.]+")
        .contains("batches still open: 0");
  }
}
