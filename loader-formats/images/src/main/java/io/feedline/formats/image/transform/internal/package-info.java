/**
 * The parts of transforms: operations on the pixels of an image, and the checks of options. Left
 * out of the Javadoc; may change in any release.
 */
@NullMarked
package io.feedline.formats.image.transform.internal;

import org.jspecify.annotations.NullMarked;
