/**
 * Small images as pixels in a few files: IDX, the format of MNIST, and the binary version of
 * CIFAR-10 and CIFAR-100. {@code PixelStore} reads samples, which are records of constant length,
 * and returns them as encoded images without compression: PGM for gray, PPM for colors.
 */
@NullMarked
package io.feedline.formats.pixels;

import org.jspecify.annotations.NullMarked;
