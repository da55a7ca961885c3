/**
 * What the packages of pictures and formats below share: {@link io.feedline.formats.VectorApi},
 * which chooses between the vector and the plain kernels.
 */
package io.feedline.formats;
