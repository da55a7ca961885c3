package io.feedline.stats;

import io.feedline.DataLoader;

/**
 * The record of a run: the figures of a loader so far, step by step, and the circumstances, as JSON
 * for other programs. {@code feedline report} makes a page of it.
 *
 * <pre>{@code
 * RunRecord record =
 *     loader.runRecord(ServiceLevel.of(128, Duration.ofMillis(87)))
 *         .with("model", "resnet50");
 * Files.writeString(Path.of("run.json"), record.toJson());
 * }</pre>
 *
 * <p>Each step's wait and work are in it, and what the consumer found when it came for the batch:
 * up to 1024 steps one by one, of more of them neighbors together, with their sums and extremes. So
 * the text has some 200 kilobytes at most. {@code RUN.md} of loader-core has the names.
 *
 * <p>A snapshot, immutable. {@link DataLoader#runRecord()} makes it.
 */
public interface RunRecord {

  /**
   * Returns the same record with a setting of the training, such as its model: it is shown as it
   * is. A name that is there already gets the new value.
   */
  RunRecord with(String name, String value);

  /** Returns the record as one line of ASCII. */
  String toJson();
}
