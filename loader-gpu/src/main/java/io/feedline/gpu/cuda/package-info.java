/**
 * The failures of the CUDA driver that reach a training: {@link
 * io.feedline.gpu.cuda.CudaException}.
 *
 * <p>A device loader throws it from {@code next()} when a call or a copy fails. It names the call,
 * the driver's code and name for what happened, and what usually helps. Work fails in the GPU while
 * the caller is elsewhere, so an error may show in a later call than the one that caused it; {@link
 * io.feedline.gpu.cuda.CudaException#sticky} tells those after which only a new process helps.
 *
 * <p>The binding of the driver itself is in {@code io.feedline.gpu.internal}, which is no API.
 */
@NullMarked
package io.feedline.gpu.cuda;

import org.jspecify.annotations.NullMarked;
