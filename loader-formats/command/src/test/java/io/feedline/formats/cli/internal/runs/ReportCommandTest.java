package io.feedline.formats.cli.internal.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.cli.Feedline;
import io.feedline.formats.cli.internal.command.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportCommandTest {

  @TempDir Path temp;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

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

  private int report(Object... args) {
    String[] all = new String[args.length + 1];
    all[0] = "report";
    for (int i = 0; i < args.length; i++) {
      all[i + 1] = args[i].toString();
    }
    return Feedline.run(new PrintWriter(out, true), new PrintWriter(err, true), all);
  }

  @Test
  void shouldWriteThePage() throws IOException {
    assertThat(report(record, "-o", page)).as(err::toString).isEqualTo(ExitCode.OK);

    assertThat(out.toString()).endsWith("Wrote %s%n".formatted(page));
    assertThat(out.toString().lines().count()).isGreaterThan(1);
    assertThat(Files.readString(page)).startsWith("<!doctype html>").contains("<h1>train</h1>");
  }

  @Test
  void shouldShowTwoRunsSideBySide() throws IOException {
    Path earlier = recordWith("\"batch_size\":2", "\"batch_size\":4");

    assertThat(report(earlier, record, "-o", page)).as(err::toString).isEqualTo(ExitCode.OK);

    assertThat(out.toString().lines())
        .contains("  batch size: 4 -> 2")
        .first(STRING)
        .startsWith("Against the run of ")
        .contains(" times as many samples a second came");
    assertThat(Files.readString(page))
        .contains("What changed", "times as many samples a second came")
        .contains(
            "<th scope=\"row\">batch size</th><td class=\"n\" data-head=\"before\">4</td><td"
                + " class=\"n\" data-head=\"after\">2</td>");
  }

  @Test
  void shouldSayThatTheRunsDidOtherWork() throws IOException {
    Path earlier = temp.resolve("earlier.json");
    Files.writeString(
        earlier,
        Files.readString(record)
            .replace(
                "\"stages\":[", "\"stages\":[" + stage("augment") + "," + stage("lift") + ","));

    assertThat(report(earlier, record, "-o", page)).as(err::toString).isEqualTo(ExitCode.OK);

    assertThat(out.toString().lines())
        .contains("  augment, a sample: 125 ms -> \u2013  x 0.00")
        .first(STRING)
        .contains(", by other work: only one of them has the stages augment, lift");
  }

  @Test
  void shouldGiveADigitOfASmallFactor() throws IOException {
    Path earlier = temp.resolve("earlier.json");
    Files.writeString(
        record, Files.readString(record).replaceAll("_occupancy\":[^,]*", "_occupancy\":0.002"));
    Files.writeString(
        earlier, Files.readString(record).replaceAll("_occupancy\":[^,]*", "_occupancy\":0.5"));

    assertThat(report(earlier, record, "-o", page)).as(err::toString).isEqualTo(ExitCode.OK);

    assertThat(out.toString().lines()).contains("  workers' time in stages: 50% -> 0.2%  x 0.004");
  }

  private static String stage(String name) {
    return "{\"name\":\"%s\",\"elapsed_seconds\":1,\"cpu_seconds\":1}".formatted(name);
  }

  @Test
  void shouldTakeNoThirdRecord() {
    assertThat(report(record, record, record, "-o", page)).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString()).contains("one record, or two", "3 were given");
    assertThat(page).doesNotExist();
  }

  @Test
  void shouldNotReplaceARecord() throws IOException {
    String before = Files.readString(record);

    assertThat(report(record, "-o", record)).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString()).contains(record + " would replace the input");
    assertThat(record).hasContent(before);
  }

  @Test
  void shouldSayThatTheOptionsAreTheSame() throws IOException {
    Path earlier = recordWith("\"created\":\"....", "\"created\":\"2001");

    assertThat(report(earlier, record, "-o", page)).as(err::toString).isEqualTo(ExitCode.OK);

    assertThat(out.toString().lines()).contains("  All options are the same.");
  }

  @Test
  void shouldSayThatTheRunsAreTheWrongWayAround() throws IOException {
    Path later = recordWith("\"created\":\"....", "\"created\":\"9999");

    assertThat(report(later, record, "-o", page)).as(err::toString).isEqualTo(ExitCode.OK);

    assertThat(out.toString()).startsWith("Against the run of 9999").contains(", which is later,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "1e999"})
  void shouldTakeNoFigureBelowNothing(String figure) throws IOException {
    Path wrong = recordWith("\"samples\":8", "\"samples\":" + figure);

    assertThat(report(wrong, "-o", page)).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains(wrong + ": run record: total: 'samples' must be ", "was ");
    assertThat(page).doesNotExist();
  }

  @Test
  void shouldSayWhichFileIsNoRecord() throws IOException {
    Files.writeString(record, "{\"a\":1}");

    assertThat(report(record, "-o", page)).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains(record + ": not the record of a run");
    assertThat(page).doesNotExist();
  }

  @Test
  void shouldSayWhichFileIsNotText() throws IOException {
    Files.write(record, new byte[] {(byte) 0xff, (byte) 0xfe, 0});

    assertThat(report(record, "-o", page)).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains(record + ": no text in UTF-8");
  }

  @Test
  void shouldSayWhatCannotBeReadOrWritten() {
    Path nowhere = temp.resolve("no/such.html");

    assertThat(report(record, "-o", nowhere)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString())
        .contains(nowhere + " cannot be written", "its directory does not exist");

    assertThat(report(nowhere, "-o", page)).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(nowhere + " cannot be read");
  }

  @Test
  void shouldAskForTheOutput() {
    assertThat(report(record)).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString()).contains("--output");
  }
}
