/**
 * A narrow binding of the CUDA driver: what a loader needs to copy batches to a GPU while that
 * computes. Left out of the Javadoc; may change in any release. Nothing in it knows DJL, PyTorch or
 * a loader.
 *
 * <h2>The nouns</h2>
 *
 * <p>{@link io.feedline.gpu.internal.Cuda} is the driver itself, loaded when it is asked for and
 * not before. A {@link io.feedline.gpu.internal.CudaContext} is a GPU's primary context, the one
 * that PyTorch computes in too; in it are made {@link io.feedline.gpu.internal.CudaStream}s, queues
 * of work, {@link io.feedline.gpu.internal.CudaEvent}s, marks that order one queue after another,
 * and {@link io.feedline.gpu.internal.PinnedMemory}, host memory that the GPU copies from by
 * itself.
 *
 * <p>It is the driver ({@code libcuda.so.1}) that is bound and not the CUDA runtime: the driver is
 * there wherever a GPU works, and one binding fits all versions of CUDA.
 *
 * <h2>Memory and lifetime</h2>
 *
 * <p>Every handle has an owner, its maker, who closes it once the GPU no longer uses it; a context
 * goes last. {@code close()} may be called twice. At the end of the process the driver may go
 * before its users; that is not an error of theirs.
 *
 * <h2>Errors</h2>
 *
 * <p>Every function's result is looked at by {@code CudaCalls}, which makes a failure a {@link
 * io.feedline.gpu.cuda.CudaException}.
 *
 * <h2>Threads</h2>
 *
 * <p>The driver is thread-safe. It keeps a stack of current contexts for each thread, so each call
 * is bracketed with {@link io.feedline.gpu.internal.CudaContext#enter} and {@link
 * io.feedline.gpu.internal.CudaContext#leave}; page-locked memory does so by itself.
 *
 * <h2>To bind another function</h2>
 *
 * <p>Add it to the package-private {@code Driver}, in the C signature's order, and to {@code
 * NativeDriver}, with its suffix if the header gives it one. The tests' two fakes, one in Java and
 * one in C, need it too: the build says so of the one, the loader of the other.
 */
@NullMarked
package io.feedline.gpu.internal;

import org.jspecify.annotations.NullMarked;
