/**
 * The parts that packages of this module share and no user needs: the choice of kernels, and random
 * numbers. Left out of the Javadoc; may change in any release.
 */
@NullMarked
package io.feedline.formats.internal;

import org.jspecify.annotations.NullMarked;
