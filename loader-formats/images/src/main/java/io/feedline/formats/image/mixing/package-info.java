/**
 * Transforms that mix the images and labels of a batch after all its rows are written: {@link
 * io.feedline.formats.image.mixing.MixUp} and {@link io.feedline.formats.image.mixing.CutMix}. The
 * {@code of} and {@code withX} methods throw {@link IllegalArgumentException} for a number out of
 * the documented range.
 */
@NullMarked
package io.feedline.formats.image.mixing;

import org.jspecify.annotations.NullMarked;
