/**
 * The making of other encodings: what {@link io.feedline.formats.image.recode.internal.Recoding}
 * does to images on their way into a store. They are scaled down, encoded as JPEG anew, or stored
 * as records that decode faster.
 */
@NullMarked
package io.feedline.formats.image.recode.internal;

import org.jspecify.annotations.NullMarked;
