/**
 * A narrow binding of the CUDA driver ({@code libcuda.so.1}), not of the CUDA runtime: the driver
 * is there wherever a GPU works, and one binding fits all versions of CUDA.
 *
 * <p>The maker of a handle closes it once the GPU no longer uses it; a context goes last. The
 * driver keeps a stack of current contexts for each thread, so each call is bracketed with {@link
 * io.feedline.gpu.internal.CudaContext#enter} and {@link
 * io.feedline.gpu.internal.CudaContext#leave}; page-locked memory does so by itself.
 *
 * <p>To bind another function add it to {@code Driver}, in the C signature's order, to {@code
 * NativeDriver}, with its suffix if the header gives it one, and to the tests' two fakes.
 */
@NullMarked
package io.feedline.gpu.internal;

import org.jspecify.annotations.NullMarked;
