/**
 * What the packed formats share: files that many threads read at once, output that appears whole or
 * not at all, the element types of NumPy, and the kinds of encoded pictures.
 *
 * <p>Public because each format has a package of its own; it is no library for users, and may
 * change in any release. It knows no format and, apart from loader-core, nothing.
 *
 * <ul>
 *   <li>{@link io.feedline.formats.support.OpenFiles}: positional reads from any number of files,
 *       of which a bounded number is open.
 *   <li>{@link io.feedline.formats.support.WholeFile}: writing a file that appears whole or not at
 *       all.
 *   <li>{@link io.feedline.formats.support.NumpyArray}: bytes of a NumPy array, as a tensor.
 *   <li>{@link io.feedline.formats.support.PictureKind}: which encoding a picture has, by its first
 *       bytes.
 * </ul>
 */
package io.feedline.formats.support;
