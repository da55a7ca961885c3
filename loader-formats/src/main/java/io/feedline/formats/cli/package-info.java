/**
 * The command {@code feedline}: packs images from one format into another, says what a file or
 * directory is, reads all of it to find what is broken, and makes indexes.
 *
 * <pre>
 *   feedline convert SRC DST --to FORMAT     feedline verify PATH
 *   feedline inspect PATH                    feedline index PATH
 * </pre>
 *
 * <p>{@code Feedline} is the entry; each command is a class. Formats are found by {@link
 * io.feedline.formats.store.StoreFormat#all}: a new one needs no change here. {@code Reading} has
 * the options of what is read ({@code --from}, {@code --image-field}, {@code --label-field}, {@code
 * --option}), {@code Common} those of all commands. All commands read through a {@link
 * io.feedline.DataLoader}, which has the workers, the order and the failures.
 *
 * <p>Results go to standard output, as text or, with {@code --json}, as one JSON object; progress
 * and errors go to standard error. Exit codes are those of {@code ExitCode}.
 *
 * <p>Nothing here is public, and nothing is for use as a library. A command closes what it opens.
 */
package io.feedline.formats.cli;
