/**
 * What the packages of images and formats below share: {@link io.feedline.formats.VectorApi},
 * which chooses between the vector and the plain kernels.
 */
package io.feedline.formats;
