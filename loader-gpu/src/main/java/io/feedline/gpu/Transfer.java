package io.feedline.gpu;

/** The way of batches from host memory to their device. */
public enum Transfer {
  /**
   * Not at all: a batch's arrays are views of its slot, which the batch keeps until it is closed.
   * The way to the CPU.
   */
  VIEW,

  /**
   * By DJL's own copy, in the consumer's thread, which waits for it. The slot returns to the loader
   * as soon as the copy is made.
   */
  COPY,

  /**
   * By a CUDA stream that only copies, ahead of the consumer, while the GPU computes; only the GPU
   * waits for a copy. The slot returns to the loader when its copy is done. The way to a GPU of
   * DJL's PyTorch engine.
   */
  STREAM
}
