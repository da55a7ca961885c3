/**
 * The loops over pixels: resizing, resampling, and the making of tensor values. Left out of the
 * Javadoc; may change in any release.
 *
 * <p>A recipe chooses the computation, and these classes run it. {@link
 * io.feedline.formats.image.kernel.internal.Taps} has the weights of the source pixels in each new
 * pixel, {@link io.feedline.formats.image.kernel.internal.Kernels} adds them up for each mode,
 * plainly or by vectors with the same result, {@link
 * io.feedline.formats.image.kernel.internal.RowWriter} turns the sums into values by a {@link
 * io.feedline.formats.image.kernel.internal.PixelTable} and stores them. {@link
 * io.feedline.formats.image.kernel.internal.Resampler} reads single positions, for warps. A
 * thread's buffers are in its {@link io.feedline.formats.image.kernel.internal.Workspace}.
 */
@NullMarked
package io.feedline.formats.image.kernel.internal;

import org.jspecify.annotations.NullMarked;
