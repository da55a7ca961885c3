package io.feedline.formats.bench;

import java.io.IOException;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * JMH's command for the benchmarks beside this class. It differs from JMH's own in that a pattern
 * which none of them matches is no error: Maven runs the benchmarks of every module that it builds,
 * and the pattern may be meant for another one's.
 */
public final class Benchmarks {
  private Benchmarks() {}

  /**
   * Runs what the options name.
   *
   * @param args JMH's
   */
  public static void main(String... args)
      throws IOException, CommandLineOptionException, RunnerException {
    CommandLineOptions options = new CommandLineOptions(args);
    boolean none =
        BenchmarkList.defaultList()
            .find(
                OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                options.getIncludes(),
                options.getExcludes())
            .isEmpty();
    if (none) {
      System.out.println("no benchmark of loader-formats matches " + options.getIncludes());
    } else {
      Main.main(args);
    }
  }
}
