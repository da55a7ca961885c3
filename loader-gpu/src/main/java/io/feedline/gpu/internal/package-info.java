/**
 * A small binding of the CUDA driver ({@code libcuda.so.1}). It does not bind the CUDA runtime,
 * because each machine with a working GPU has the driver, and one binding fits all versions of
 * CUDA.
 *
 * <p>The code that made a handle closes it when the GPU no longer uses it, and closes a context
 * last. The driver keeps a stack of current contexts for each thread, so each call is made between
 * {@link io.feedline.gpu.internal.CudaContext#enter} and {@link
 * io.feedline.gpu.internal.CudaContext#leave}. Page-locked memory makes these two calls itself.
 *
 * <p>To bind another function, add it to {@code Driver} with the parameters of the C function in
 * their order, to {@code NativeDriver}, to the set of second versions if the header maps it to
 * {@code _v2}, and to the tests' two fakes.
 */
@NullMarked
package io.feedline.gpu.internal;

import org.jspecify.annotations.NullMarked;
