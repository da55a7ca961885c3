package io.feedline;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The log while this is open: slf4j-simple writes to {@link System#err}, which is replaced
 * meanwhile. For tests that run one after the other.
 */
public final class CapturedLog implements AutoCloseable {

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

  /** Begins to capture. */
  public CapturedLog() {
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
  }

  /** Everything so far, stack traces included. */
  public String text() {
    return captured.toString(StandardCharsets.UTF_8);
  }

  /** The lines so far that contain some words. */
  public List<String> lines(String words) {
    return text().lines().filter(line -> line.contains(words)).toList();
  }

  @Override
  public void close() {
    System.setErr(before);
  }
}
