package io.feedline.formats.cli.internal.runs;

import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.report.RunReport;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a page of the record of a run. */
@Command(
    name = "report",
    description = {
      "Makes a page of the record of a run: where its time went, in charts, tables and words. The"
          + " page is one file and needs no network.",
      "A program writes the record with loader.runRecord().toJson()."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "The record, JSON.")
  private Path record;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The page, HTML; a file that is there is replaced.")
  private Path output;

  @Option(
      names = "--doctor",
      paramLabel = "FILE",
      description = "What feedline doctor --json printed, to be shown as well.")
  private Path doctor;

  @Override
  public Integer call() throws IOException {
    RunReport report = read(record, RunReport::ofJson);
    if (doctor != null) {
      report = read(doctor, report::withDoctor);
    }
    try {
      report.writeTo(output);
    } catch (IOException e) {
      throw new IOException(
          "%s cannot be written: %s; choose another file with -o".formatted(output, e), e);
    }
    spec.commandLine().getOut().println("Wrote " + output);
    return ExitCode.OK;
  }

  private static RunReport read(Path file, Function<String, RunReport> reader) throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": no text in UTF-8", e);
    } catch (IOException e) {
      throw new IOException("%s cannot be read: %s".formatted(file, e), e);
    }
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }
}
