package io.feedline.formats.report;

import io.feedline.stats.Bottleneck;
import io.feedline.stats.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A page about a run: one HTML file that shows where the time went, with charts and tables. The
 * page needs no network.
 *
 * <pre>{@code
 * RunReport.of(loader.runRecord()).writeTo(Path.of("report.html"));
 * }</pre>
 *
 * <p>The command {@code feedline report} makes the same page from a record in a file. The page
 * contains the record. Its size is about 300 kilobytes, mostly Chart.js, which draws the charts.
 *
 * <p>Immutable.
 */
public final class RunReport {

  private final RunRecord run;
  private final Optional<RunRecord> before;

  private RunReport(RunRecord run, Optional<RunRecord> before) {
    this.run = run;
    this.before = before;
  }

  /** Returns the page of a record. */
  public static RunReport of(RunRecord record) {
    return new RunReport(record, Optional.empty());
  }

  /**
   * Returns the page of a record that {@link RunRecord#toJson} wrote.
   *
   * @throws IllegalArgumentException if the text is not a record of a run, or a record of another
   *     version; the message names the problem
   */
  public static RunReport ofJson(String record) {
    return new RunReport(RunRecord.ofJson(record), Optional.empty());
  }

  /**
   * Returns the same page with a comparison to an earlier run: figures side by side, and the
   * options that differ.
   *
   * @param record the earlier run's record, as {@link RunRecord#toJson} wrote it
   * @throws IllegalArgumentException if the text is not a record of a run; the message names the
   *     problem
   */
  public RunReport comparedWith(String record) {
    return new RunReport(run, Optional.of(RunRecord.ofJson(record)));
  }

  /**
   * Returns the changes that the record alone justifies, one line or more, the most important
   * change first. A line has the option or the command to paste, and the figures behind the advice.
   */
  public List<String> advice() {
    return run.bottleneck().advice().stream().map(Bottleneck.Advice::toString).toList();
  }

  /**
   * Returns the comparison with the earlier run: a sentence, then a line for each option that
   * differs, then a line for each figure; empty without an earlier run.
   */
  public List<String> changes() {
    return before.map(earlier -> new Comparison(earlier, run).lines()).orElse(List.of());
  }

  /** Returns the page as HTML. */
  public String toHtml() {
    return new RunPage(run, before).html();
  }

  /**
   * Writes the page, replacing an existing file.
   *
   * @throws IOException if the file cannot be written
   */
  public void writeTo(Path file) throws IOException {
    Files.write(file, toHtml().getBytes(StandardCharsets.UTF_8));
  }
}
