/**
 * Pixels in memory: packed into ints or as bytes, converted from one mode to another, and rows and
 * sources made of such pixels. Left out of the Javadoc; may change in any release.
 */
@NullMarked
package io.feedline.formats.image.pixel.internal;

import org.jspecify.annotations.NullMarked;
