package io.feedline.formats.cli.internal.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.cli.CommandFixture;
import io.feedline.formats.cli.internal.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportCommandTest extends CommandFixture {

  @TempDir Path temp;

  private Path record;
  private Path page;

  @BeforeEach
  void write() throws IOException {
    record = temp.resolve("run.json");
    page = temp.resolve("report.html");
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(8, index -> index)).name("train").batchSize(2).build()) {
      for (Batch batch : loader) {
        batch.close();
      }
      Files.writeString(record, loader.runRecord().toJson());
    }
  }

  /** Another record that differs. */
  private Path recordWith(String other, String instead) throws IOException {
    return Files.writeString(
        temp.resolve("other.json"), Files.readString(record).replaceAll(other, instead));
  }

  @Test
  void shouldWriteThePage() throws IOException {
    assertThat(ok("report", record, "-o", page)).endsWith("Wrote %s%n".formatted(page));
    assertThat(out().lines().count()).isGreaterThan(1);
    assertThat(Files.readString(page)).startsWith("<!doctype html>").contains("<h1>train</h1>");
  }

  @Test
  void shouldShowTwoRunsSideBySide() throws IOException {
    Path earlier = recordWith("\"batch_size\":2", "\"batch_size\":4");

    assertThat(ok("report", earlier, record, "-o", page).lines())
        .contains("  batch size: 4 -> 2")
        .first(STRING)
        .startsWith("Against the run of ")
        .contains(" times as many samples a second came");
    assertThat(Files.readString(page))
        .contains("What changed", "times as many samples a second came")
        .contains(
            "<th scope=\"row\">batch size</th><td class=\"n\" data-head=\"before\">4</td><td"
                + " class=\"n\" data-head=\"after\">2</td>");

    Path later = recordWith("\"created\":\"....", "\"created\":\"9999");
    assertThat(ok("report", later, record, "-o", page))
        .startsWith("Against the run of 9999")
        .contains(", which is later,", "  All options are the same.");
  }

  @Test
  void shouldSayThatTheRunsDidOtherWork() throws IOException {
    Path earlier =
        recordWith("\"stages\":\\[", "\"stages\":[" + stage("augment") + "," + stage("lift") + ",");

    assertThat(ok("report", earlier, record, "-o", page).lines())
        .contains("  augment, a sample: 125 ms -> \u2013  x 0.00")
        .first(STRING)
        .contains(", by other work: only one of them has the stages augment, lift");
  }

  @Test
  void shouldGiveADigitOfASmallFactor() throws IOException {
    Path earlier = recordWith("_occupancy\":[^,]*", "_occupancy\":0.5");
    Files.writeString(
        record, Files.readString(record).replaceAll("_occupancy\":[^,]*", "_occupancy\":0.002"));

    assertThat(ok("report", earlier, record, "-o", page).lines())
        .contains("  workers' time in stages: 50% -> 0.2%  x 0.004");
  }

  private static String stage(String name) {
    return "{\"name\":\"%s\",\"elapsed_seconds\":1,\"cpu_seconds\":1}".formatted(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "1e999"})
  void shouldTakeNoFigureBelowNothing(String figure) throws IOException {
    Path wrong = recordWith("\"samples\":8", "\"samples\":" + figure);

    assertThat(fails(ExitCode.FAILED, "report", wrong, "-o", page))
        .contains(wrong + ": run record: total: 'samples' must be ", "was ");
    assertThat(page).doesNotExist();
  }

  @Test
  void shouldSayWhatIsWrongWithAFile() throws IOException {
    String before = Files.readString(record);
    assertThat(fails(ExitCode.USAGE, "report", record, "-o", record))
        .contains(record + " would replace the input");
    assertThat(record).hasContent(before);
    Path nowhere = temp.resolve("no/such.html");
    assertThat(fails(ExitCode.FAILED, "report", record, "-o", nowhere))
        .contains(nowhere + " cannot be written", "its directory does not exist");
    assertThat(fails(ExitCode.FAILED, "report", nowhere, "-o", page))
        .contains(nowhere + " cannot be read");
    assertThat(fails(ExitCode.USAGE, "report", record)).contains("--output");
    assertThat(fails(ExitCode.USAGE, "report", record, record, record, "-o", page))
        .contains("one record, or two", "3 were given");
    Files.writeString(record, "{\"a\":1}");
    assertThat(fails(ExitCode.FAILED, "report", record, "-o", page))
        .contains(record + ": not the record of a run");
    Files.write(record, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    assertThat(fails(ExitCode.FAILED, "report", record, "-o", page))
        .contains(record + ": no text in UTF-8");
    assertThat(page).doesNotExist();
  }
}
