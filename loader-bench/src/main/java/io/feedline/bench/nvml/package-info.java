/**
 * The load of a GPU, as NVIDIA's management library (NVML) measures it.
 *
 * <p>A {@link io.feedline.bench.nvml.GpuMonitor} watches one GPU, given by DJL's number or by its
 * place on the bus. A value that cannot be read is a {@link
 * io.feedline.bench.nvml.GpuMonitor.NvmlException}. Watching needs no CUDA context, and a training
 * does not notice it.
 *
 * <p><b>Lifetime and threads.</b> The library is loaded when the first monitor is opened. The
 * opener closes a monitor; it is thread-safe and starts no thread of its own.
 *
 * <p><b>To bind another function</b> add it to the package-private {@code Nvml} and to {@code
 * NativeNvml}, and to the tests' two fakes, one in Java and one in C.
 */
@NullMarked
package io.feedline.bench.nvml;

import org.jspecify.annotations.NullMarked;
