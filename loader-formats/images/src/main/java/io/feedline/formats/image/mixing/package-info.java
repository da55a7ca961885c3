/**
 * The mixing of a batch's images and labels after all of its rows are written: {@link
 * io.feedline.formats.image.mixing.MixUp} and {@link io.feedline.formats.image.mixing.CutMix}. A
 * change of one image is a transform.
 */
@NullMarked
package io.feedline.formats.image.mixing;

import org.jspecify.annotations.NullMarked;
