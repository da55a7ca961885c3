/**
 * Images as files: in a directory for each class, as torchvision's {@code ImageFolder} has them; in
 * any directory, in a list, or named by a CSV file; and pairs of images in two directories.
 *
 * <p>{@link io.feedline.formats.folder.ImageFolder} lists {@code root/CLASS/.../FILE} once, in
 * torchvision's order, and gives an {@code ImageDataset}; it is the format {@code imagefolder} too,
 * so such folders can be written. {@link io.feedline.formats.folder.ImageFiles} takes files as they
 * lie, with the labels of a CSV file or without, as the format {@code imagefiles}. {@link
 * io.feedline.formats.folder.PairFolder} matches the files of two directories by name, for
 * super-resolution.
 *
 * <p><b>Memory and files.</b> A file takes four bytes and its name. A file is opened when its image
 * is read, and closed at once, so datasets hold no files open. Listed files are not looked for
 * again: a file that has gone is an error of its sample.
 *
 * <p><b>Threads.</b> Datasets are read by all workers at once. A writer belongs to one thread.
 *
 * <p><b>Links</b> are followed; a circle of links is an error.
 */
@NullMarked
package io.feedline.formats.folder;

import org.jspecify.annotations.NullMarked;
