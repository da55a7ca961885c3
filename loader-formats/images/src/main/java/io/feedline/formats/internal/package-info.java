/**
 * The parts that the packages of this module share: the choice of kernels, and random numbers. No
 * user needs them. Left out of the Javadoc; may change in any release.
 */
@NullMarked
package io.feedline.formats.internal;

import org.jspecify.annotations.NullMarked;
