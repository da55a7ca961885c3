package io.feedline.formats.cli.internal.command;

/** The exit codes of the command, for scripts. */
public final class ExitCode {

  public static final int OK = 0;

  /** A failure: {@code verify} found broken samples, or an error stopped the work. */
  public static final int FAILED = 1;

  /** A wrong command line; picocli uses the same code. */
  public static final int USAGE = 2;

  /** A result without the broken samples, which {@code convert --on-error skip} left out. */
  public static final int LEFT_OUT = 3;

  /** An interrupt by Ctrl-C, 128 + SIGINT. The same command continues the work. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
