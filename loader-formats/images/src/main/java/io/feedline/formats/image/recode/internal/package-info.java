/**
 * The conversion of images to other encodings, which {@link
 * io.feedline.formats.image.recode.internal.Recoding} does before they are stored. Images are
 * scaled down, encoded as JPEG again, or stored as records that decode faster.
 */
@NullMarked
package io.feedline.formats.image.recode.internal;

import org.jspecify.annotations.NullMarked;
