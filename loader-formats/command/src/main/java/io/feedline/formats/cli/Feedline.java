package io.feedline.formats.cli;

import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.FailureWords;
import io.feedline.formats.cli.internal.command.PathOrUri;
import io.feedline.formats.cli.internal.doctor.DoctorCommand;
import io.feedline.formats.cli.internal.plan.PlanCommand;
import io.feedline.formats.cli.internal.runs.ReportCommand;
import io.feedline.formats.cli.internal.stores.ConvertCommand;
import io.feedline.formats.cli.internal.stores.IndexCommand;
import io.feedline.formats.cli.internal.stores.InspectCommand;
import io.feedline.formats.cli.internal.stores.ShowCommand;
import io.feedline.formats.cli.internal.stores.VerifyCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code feedline}. */
@Command(
    name = "feedline",
    description = {
      "Packs, inspects, shows, verifies and indexes training images, plans what loading them takes,"
          + " finds out what holds it up, and shows where the time of a run went."
    },
    subcommands = {
      ConvertCommand.class,
      InspectCommand.class,
      ShowCommand.class,
      VerifyCommand.class,
      IndexCommand.class,
      PlanCommand.class,
      DoctorCommand.class,
      ReportCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = Feedline.Version.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all went well",
      "1:something is broken: bad samples were found, or the work stopped at an error",
      "2:the command line is wrong",
      "3:the store is there, without the broken images that --on-error skip left out",
      "130:interrupted; the same command continues"
    })
public final class Feedline implements Callable<Integer> {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private Feedline() {}

  /** Runs the command and ends the process with its {@linkplain ExitCode exit code}. */
  public static void main(String[] args) {
    // The digits and separators of numbers must not depend on the user's language.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    System.exit(run(writer(System.out), writer(System.err), args));
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, Charset.defaultCharset());
  }

  /** Runs the command, and returns its exit code. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    int code =
        new CommandLine(new Feedline())
            .setOut(out)
            .setErr(err)
            .registerConverter(Path.class, new PathOrUri())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(Feedline::explain)
            .setParameterExceptionHandler(Feedline::refuse)
            .execute(args);
    if (out.checkError()) {
      err.println("feedline: the result could not be written to the standard output");
      return code == ExitCode.OK || code == ExitCode.LEFT_OUT ? ExitCode.FAILED : code;
    }
    return code;
  }

  private static int refuse(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    ParameterException shown = unknownOption(wrong, args);
    PrintWriter err = command.getErr();
    err.println(command.getColorScheme().errorText(shown.getMessage()));
    UnmatchedArgumentException.printSuggestions(shown, err);
    err.printf("See %s --help%n", command.getCommandSpec().qualifiedName());
    return ExitCode.USAGE;
  }

  /**
   * Returns the error of an unknown option, if the command line has one, instead of the error of a
   * missing parameter: an unknown option is the likelier mistake.
   */
  private static ParameterException unknownOption(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    return wrong instanceof CommandLine.MissingParameterException
        ? Arrays.stream(args)
            .takeWhile(each -> !each.equals("--"))
            .filter(each -> each.startsWith("--"))
            .filter(
                each -> command.getCommandSpec().findOption(each.replaceFirst("=.*", "")) == null)
            .<ParameterException>map(each -> new UnmatchedArgumentException(command, List.of(each)))
            .findFirst()
            .orElse(wrong)
        : wrong;
  }

  private static int explain(
      Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
    String words = FailureWords.of(failure);
    command.getErr().println(command.getColorScheme().errorText("feedline: " + words));
    if (Boolean.getBoolean("feedline.stacktrace")) {
      failure.printStackTrace(command.getErr());
    }
    if (failure instanceof InterruptedException) {
      return ExitCode.INTERRUPTED;
    }
    // The code that uses an option checks the value, and throws IllegalArgumentException.
    return failure instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.FAILED;
  }

  /** Prints the usage, with the subcommands, if the command line names no subcommand. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }

  /** The version of the jar, or a placeholder for a build without a version. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Feedline.class.getPackage().getImplementationVersion();
      return new String[] {"feedline " + (version == null ? "(development)" : version)};
    }
  }
}
