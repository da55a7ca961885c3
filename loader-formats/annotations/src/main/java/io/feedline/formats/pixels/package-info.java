/**
 * Small images as pixels in a few files: IDX, the format of MNIST and of datasets modeled on it,
 * and the binary version of CIFAR-10 and CIFAR-100.
 *
 * <p>{@link io.feedline.formats.pixels.IdxImages} is the format {@code idx}, {@link
 * io.feedline.formats.pixels.CifarImages} is {@code cifar}; each says which files it reads. A
 * sample is a record of constant length, {@code PixelStore}, which is given to all others as an
 * encoded image without compression: PGM for gray, PPM for colors. So such data sets are split,
 * transformed, converted and looked at like any other.
 *
 * <p><b>Memory and files.</b> Records are read by position. A file compressed by gzip is
 * decompressed into the heap when it is opened. The opener closes a store.
 *
 * <p><b>Threads.</b> A store is read by all workers at once.
 */
@NullMarked
package io.feedline.formats.pixels;

import org.jspecify.annotations.NullMarked;
