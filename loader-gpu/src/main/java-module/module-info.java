/** Batches in page-locked memory, their asynchronous copies to GPUs, and adapters for DJL. */
module io.feedline.gpu {
  requires transitive ai.djl.api;
  requires transitive io.feedline.core;
  requires com.sun.jna;
  requires jdk.jfr;
  requires org.slf4j;
  // Needed only if DJL uses its PyTorch engine.
  requires static ai.djl.pytorch_engine;

  exports io.feedline.gpu;
  exports io.feedline.gpu.cuda;
  exports io.feedline.gpu.internal to
      io.feedline.bench;
// loader-bench measures copies on the driver itself.
}
