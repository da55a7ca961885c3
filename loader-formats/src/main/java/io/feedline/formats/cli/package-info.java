/**
 * The command {@code feedline}: packs images from one format into another, says what a file or
 * directory is, reads all of it to find what is broken, and makes indexes.
 *
 * <pre>
 *   feedline convert SRC DST --to FORMAT     feedline verify PATH
 *   feedline inspect PATH                    feedline index PATH
 * </pre>
 *
 * <p>{@link io.feedline.formats.cli.Feedline} is the entry; each command is a class. What they know
 * of the formats is one enum, {@link io.feedline.formats.cli.StoreFormat}: how to recognize, open
 * and write each of them. To add a format, add a constant there. All commands read through a {@link
 * io.feedline.DataLoader}, so workers, order and failures are its affair.
 *
 * <p>Results go to standard output, as text or, with {@code --json}, as one JSON object; progress
 * and errors go to standard error. Exit codes are those of {@link
 * io.feedline.formats.cli.ExitCode}.
 *
 * <p>This is the one package that knows all formats. Nothing here is for use as a library.
 */
package io.feedline.formats.cli;
