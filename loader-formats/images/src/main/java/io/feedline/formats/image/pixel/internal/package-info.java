/**
 * Pixels in memory: packed into ints or as bytes, converted from one mode to another, and the rows
 * and sources that are made of that. Left out of the Javadoc; may change in any release.
 */
@NullMarked
package io.feedline.formats.image.pixel.internal;

import org.jspecify.annotations.NullMarked;
