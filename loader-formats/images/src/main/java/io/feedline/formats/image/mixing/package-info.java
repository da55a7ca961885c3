/**
 * The mixing of a batch's images and labels after all of its rows are written: {@link
 * io.feedline.formats.image.mixing.MixUp} and {@link io.feedline.formats.image.mixing.CutMix}. A
 * change of one image is a transform. The {@code of} and {@code withX} methods throw {@link
 * IllegalArgumentException} for a number out of the range that their Javadoc gives.
 */
@NullMarked
package io.feedline.formats.image.mixing;

import org.jspecify.annotations.NullMarked;
