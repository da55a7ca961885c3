package io.feedline.formats.cli.internal.command;

/** The exit codes by which a script learns the result. */
public final class ExitCode {

  public static final int OK = 0;

  /** Something is broken: samples that {@code verify} found, or an input that stopped the work. */
  public static final int FAILED = 1;

  /** The command line is wrong: picocli's own code for it. */
  public static final int USAGE = 2;

  /** The work is done without broken samples, which {@code convert --on-error skip} left out. */
  public static final int LEFT_OUT = 3;

  /** Ctrl-C: 128 + SIGINT. The interrupted command can be continued. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
