/** The failures of the CUDA driver, as exceptions: {@link io.feedline.gpu.cuda.CudaException}. */
@NullMarked
package io.feedline.gpu.cuda;

import org.jspecify.annotations.NullMarked;
