/**
 * The mixing of a batch's images and labels, when all of its rows are written: {@link
 * io.feedline.formats.image.mixing.MixUp} and {@link io.feedline.formats.image.mixing.CutMix}. What
 * changes one image is a transform.
 */
@NullMarked
package io.feedline.formats.image.mixing;

import org.jspecify.annotations.NullMarked;
