/**
 * What the packed formats share: files that many threads read at once, output that appears whole or
 * not at all, the element types of NumPy, and the kinds of encoded images.
 *
 * <p>Public because each format has a package of its own; it is no library for users, and may
 * change in any release. It knows no format and, apart from loader-core, nothing.
 *
 * <ul>
 *   <li>{@link io.feedline.formats.support.OpenFiles}: positional reads from any number of files,
 *       of which a bounded number is open; {@link io.feedline.formats.support.OpenFile} is one of
 *       them. Nothing is mapped: a mapped file that is cut short under its reader takes the JVM's
 *       memory access down with it.
 *   <li>{@link io.feedline.formats.support.WholeFile}: writing a file that appears whole or not at
 *       all.
 *   <li>{@link io.feedline.formats.support.GrowingFile}: what a sink appends records to, and finds
 *       its end in again.
 *   <li>{@link io.feedline.formats.support.ClassList}: the names of classes, beside a format that
 *       has no place for them.
 *   <li>{@link io.feedline.formats.support.NumpyArray}: bytes of a NumPy array, as a tensor.
 *   <li>{@link io.feedline.formats.support.ImageKind}: which encoding an image has, by its first
 *       bytes.
 * </ul>
 */
package io.feedline.formats.support;
