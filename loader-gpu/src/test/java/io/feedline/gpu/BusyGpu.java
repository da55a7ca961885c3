package io.feedline.gpu;

import ai.djl.ndarray.NDManager;
import io.feedline.gpu.internal.CudaStream;

/** Work for GPU 0 that lasts many times as long as the copy of a batch, when it is warm. */
final class BusyGpu {

  private final Permutation permutation;

  BusyGpu(NDManager manager, CudaStream computing) {
    permutation = new Permutation(manager, 4096);
    permutation.occupy(1);
    computing.synchronize();
  }

  /** Queues the work: a product takes a millisecond or more. */
  void occupy() {
    permutation.occupy(60);
  }
}
