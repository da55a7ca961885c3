package io.feedline.formats.cli.internal.runs;

import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.FailureWords;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.report.RunReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that makes a page from the record of a run. */
@Command(
    name = "report",
    description = {
      "Makes a page of the record of a run: what to change, and where its time went, in charts,"
          + " tables and words. The page is one file and needs no network. With two records it"
          + " shows what changed from the first run to the second.",
      "A program writes the record with loader.runRecord().toJson()."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "RUN",
      arity = "1..2",
      description = "The record, JSON; or that of an earlier run, and the record.")
  private List<Path> records;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The page, HTML; a file that is there is replaced.")
  private Path output;

  @Override
  public Integer call() throws IOException {
    if (records.size() > 2) {
      throw new ParameterException(
          spec.commandLine(),
          "report takes one record, or two, of an earlier run and a later one; %d were given: %s"
              .formatted(records.size(), records));
    }
    for (Path record : records) {
      if (Files.exists(output) && Files.exists(record) && Files.isSameFile(output, record)) {
        throw new ParameterException(
            spec.commandLine(),
            "-o %s would replace the input; choose another file".formatted(output));
      }
    }
    Output.requirePlaceOf(output);
    RunReport report = read(records.get(records.size() - 1), RunReport::ofJson);
    if (records.size() > 1) {
      report = read(records.get(0), report::comparedWith);
    }
    report.writeTo(output);
    PrintWriter out = spec.commandLine().getOut();
    report.changes().forEach(out::println);
    report.advice().forEach(out::println);
    out.println("Wrote " + output);
    return ExitCode.OK;
  }

  private static RunReport read(Path file, Function<String, RunReport> reader) throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": no text in UTF-8", e);
    } catch (IOException e) {
      throw new IOException("%s cannot be read: %s".formatted(file, FailureWords.of(e)), e);
    }
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}
