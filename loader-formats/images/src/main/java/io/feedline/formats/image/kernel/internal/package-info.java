/**
 * The loops over pixels: resizing, resampling, and the making of tensor values. Left out of the
 * Javadoc; may change in any release.
 *
 * <p>An image's operations choose the computation, and these classes run it. {@link
 * io.feedline.formats.image.kernel.internal.Taps} computes the weights of source pixels. {@link
 * io.feedline.formats.image.kernel.internal.Kernels} adds up weighted pixels, for each mode, in
 * plain Java or by vectors with the same result. {@link
 * io.feedline.formats.image.kernel.internal.RowWriter} converts the sums to values by a {@link
 * io.feedline.formats.image.kernel.internal.PixelTable} and stores the values. {@link
 * io.feedline.formats.image.kernel.internal.Resampler} reads single positions, for warps. A thread
 * keeps its buffers in its {@link io.feedline.formats.image.kernel.internal.Workspace}.
 */
@NullMarked
package io.feedline.formats.image.kernel.internal;

import org.jspecify.annotations.NullMarked;
