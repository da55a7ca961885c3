/**
 * Small images as pixels in a few files: IDX, the format of MNIST, and the binary version of
 * CIFAR-10 and CIFAR-100. A sample is a record of constant length, {@code PixelStore}, which is
 * given to all others as an encoded image without compression: PGM for gray, PPM for colors.
 */
@NullMarked
package io.feedline.formats.pixels;

import org.jspecify.annotations.NullMarked;
