/**
 * Images in a ZIP archive, stored and not compressed: a folder of images in one file.
 *
 * <p>{@link io.feedline.formats.zip.ZipImages} is the format {@code zip}, and says which archives
 * are read and written. {@code ZipStore} lists the archive's entries once; an image is then one
 * read by position, whose checksum is verified. {@code ZipImageWriter} appends entries, and begins
 * anew after an interruption.
 *
 * <p>This is the smallest format, and a model for a new format.
 */
@NullMarked
package io.feedline.formats.zip;

import org.jspecify.annotations.NullMarked;
