/**
 * A narrow binding of the CUDA driver: what a loader needs to copy batches to a GPU while that
 * computes. Nothing in it knows DJL, PyTorch or a loader.
 *
 * <h2>The nouns</h2>
 *
 * <p>{@link io.feedline.gpu.internal.Cuda} is the driver itself, loaded when somebody asks for it and
 * not before. A {@link io.feedline.gpu.internal.CudaContext} is a GPU's primary context, the one that
 * PyTorch computes in too; in it are made {@link io.feedline.gpu.internal.CudaStream}s, queues of work,
 * {@link io.feedline.gpu.internal.CudaEvent}s, marks that order one queue after another, and {@link
 * io.feedline.gpu.internal.PinnedMemory}, host memory that the GPU copies from by itself.
 *
 * <p>It is the driver ({@code libcuda.so.1}) that is bound and not the CUDA runtime: the driver is
 * there wherever a GPU works, and one binding fits all versions of CUDA.
 *
 * <p>{@link io.feedline.gpu.nvml.GpuMonitor} is beside all this, and tells how busy a GPU is: by
 * NVML, a library of its own that comes with the driver, bound by {@code Nvml} and {@code
 * NativeNvml} in the same way.
 *
 * <h2>Memory and lifetime</h2>
 *
 * <p>Every handle has an owner, who made it and closes it, once the GPU no longer uses it; a
 * context goes last. {@code close()} may be called twice. At the end of the process the driver may
 * go before its users; that is not an error of theirs.
 *
 * <h2>Errors</h2>
 *
 * <p>Every function's result is looked at. A {@link io.feedline.gpu.cuda.CudaException} names the
 * call, the driver's code and name for what happened, and what usually helps. Work fails in the GPU
 * while the caller is elsewhere, so an error may show in a later call than the one that caused it;
 * {@link io.feedline.gpu.cuda.CudaException#sticky} tells those after which only a new process can
 * go on.
 *
 * <h2>Threads</h2>
 *
 * <p>The driver is thread-safe. It keeps a stack of current contexts for each thread, so whoever
 * calls anything brackets it with {@link io.feedline.gpu.internal.CudaContext#enter} and {@link
 * io.feedline.gpu.internal.CudaContext#leave}; page-locked memory does so by itself.
 *
 * <h2>To bind another function</h2>
 *
 * <p>Add it to the package-private {@code Driver}, in the C signature's order, and to {@code
 * NativeDriver}, with its suffix if the header gives it one. The tests' two fakes, one in Java and
 * one in C, need it too: the build says so of the one, the loader of the other.
 */
package io.feedline.gpu.cuda;
