package io.feedline.formats.cli.internal.runs;

import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.store.internal.files.WholeFile;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a trace of a flight recording. */
@Command(
    name = "trace",
    description = {
      "Makes a trace of the loaders' events in a flight recording: epochs, the consumer's waits,"
          + " stalls, copies to devices and, where the recording has them, each worker's samples"
          + " and their stages. Open it in ui.perfetto.dev or chrome://tracing.",
      "Record with java -XX:StartFlightRecording:filename=run.jfr,+io.feedline.Work#enabled=true;"
          + " without that setting there are no workers in it but their slow samples."
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
public final class TraceCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "RECORDING", description = "The flight recording.")
  private Path recording;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The trace, JSON; a file that is there is replaced.")
  private Path output;

  @Option(
      names = "--event",
      paramLabel = "NAME",
      description = {
        "Shows events of this name too, such as jdk.GarbageCollection or a program's own; may be"
            + " given several times."
      })
  private List<String> others = List.of();

  @Override
  public Integer call() throws IOException {
    ReportCommand.requireOther(spec, output, List.of(recording));
    RecordingTrace trace;
    try {
      trace = RecordingTrace.read(recording, others);
    } catch (IOException e) {
      throw new IOException("%s cannot be read: %s".formatted(recording, e), e);
    }
    if (trace.isEmpty()) {
      throw new IOException(recording + " has no events of Feedline's");
    }
    // A device, such as /dev/stdout, has nothing to be replaced.
    boolean isDevice = Files.exists(output) && !Files.isRegularFile(output);
    Path written = isDevice ? output : WholeFile.temporaryFor(output);
    try {
      try (Writer out = Files.newBufferedWriter(written)) {
        trace.writeTo(out);
      }
      if (!isDevice) {
        WholeFile.move(written, output);
      }
    } catch (IOException e) {
      if (!isDevice) {
        WholeFile.deleteAfter(e, written);
      }
      throw new IOException(
          "%s cannot be written: %s; choose another file with -o".formatted(output, e), e);
    }
    for (String absent : trace.absent(others)) {
      spec.commandLine().getErr().println("trace: %s has no event %s".formatted(recording, absent));
    }
    spec.commandLine().getOut().println("Wrote %s: %s".formatted(output, trace.inWords()));
    return ExitCode.OK;
  }
}
