/**
 * The command {@code feedline}. It packs images from one format into another, describes stores,
 * finds broken samples, makes indexes, plans the rates that loading needs, finds the bottleneck of
 * loading, and shows where the time of a run went.
 *
 * <pre>
 *   feedline convert SRC DST --to FORMAT     feedline verify PATH
 *   feedline inspect PATH                    feedline index PATH
 *   feedline plan --batch-size N --step-time TIME --example-size BYTES
 *   feedline doctor PATH --batch-size N --step-time TIME
 *   feedline report RUN -o FILE
 * </pre>
 *
 * <p>{@code Feedline} is the main class. The commands are in {@code internal.stores}, {@code
 * internal.plan}, {@code internal.doctor} and {@code internal.runs}; their common parts are in
 * {@code internal.command}. {@link io.feedline.formats.store.StoreFormat#all} finds the formats, so
 * a new format needs no change in this package. Commands read through a {@link
 * io.feedline.DataLoader}, which manages workers, order and failures.
 *
 * <p>Results go to standard output, as text or, with {@code --json}, as one JSON object; progress
 * and errors go to standard error. Exit codes are those of {@code ExitCode}.
 *
 * <p>This package is not a library. Each command closes the stores that it opens.
 */
@NullMarked
package io.feedline.formats.cli;

import org.jspecify.annotations.NullMarked;
