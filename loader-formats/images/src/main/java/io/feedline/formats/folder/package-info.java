/**
 * Datasets of image files: in a directory for each class, as for torchvision's {@code ImageFolder};
 * in any directory; in a list; named by a CSV file; or as pairs in two directories.
 *
 * <p>{@link io.feedline.formats.folder.ImageFolder} lists {@code root/CLASS/.../FILE} once, in
 * torchvision's order, and returns an {@code ImageDataset}. The format {@code imagefolder} reads
 * and writes such folders. {@link io.feedline.formats.folder.ImageFiles} reads other image files,
 * with the labels of a CSV file or without labels; its format is {@code imagefiles}. {@link
 * io.feedline.formats.folder.PairFolder} matches the files of two directories by name, for
 * super-resolution.
 *
 * <p><b>Memory and files.</b> A file takes four bytes of memory and its name. A file is opened when
 * its image is read, and closed at once, so datasets keep no files open. Files are listed once:
 * reading a sample fails if its file was deleted later.
 *
 * <p><b>Threads.</b> Datasets are read by all workers at once. A writer belongs to one thread.
 *
 * <p><b>Links</b> are followed; a circle of links is an error.
 */
@NullMarked
package io.feedline.formats.folder;

import org.jspecify.annotations.NullMarked;
