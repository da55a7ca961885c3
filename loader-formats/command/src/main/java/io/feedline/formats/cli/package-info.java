/**
 * The command {@code feedline}: packs images from one format into another, says what a file or
 * directory is, reads all of it to find what is broken, makes indexes, plans what loading takes,
 * finds out what holds it up, and shows where the time of a run went.
 *
 * <pre>
 *   feedline convert SRC DST --to FORMAT     feedline verify PATH
 *   feedline inspect PATH                    feedline index PATH
 *   feedline plan --batch-size N --step-time TIME --example-size BYTES
 *   feedline doctor PATH --batch-size N --step-time TIME
 *   feedline report RUN -o FILE
 * </pre>
 *
 * <p>{@code Feedline} is the entry. The commands lie in {@code internal.stores}, {@code
 * internal.plan}, {@code internal.doctor} and {@code internal.runs}; {@code internal.command} has
 * what they share. Formats are found by {@link io.feedline.formats.store.StoreFormat#all}: a new
 * one needs no change here. Commands read through a {@link io.feedline.DataLoader}, which has the
 * workers, the order and the failures.
 *
 * <p>Results go to standard output, as text or, with {@code --json}, as one JSON object; progress
 * and errors go to standard error. Exit codes are those of {@code ExitCode}.
 *
 * <p>Nothing here is a library. A command closes what it opens.
 */
@NullMarked
package io.feedline.formats.cli;

import org.jspecify.annotations.NullMarked;
