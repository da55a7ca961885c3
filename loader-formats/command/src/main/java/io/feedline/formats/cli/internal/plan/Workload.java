package io.feedline.formats.cli.internal.plan;

import org.jspecify.annotations.Nullable;

/**
 * A training from the view of its loaders: one loader for each GPU, and one read for each example.
 *
 * @param batchSize n, the examples of a batch of one GPU
 * @param stepSeconds t, the time in which a GPU computes with a batch
 * @param gpus of one experiment
 * @param experiments that run at the same time, over the same storage
 * @param exampleBytes the size of an example as it is stored, on average
 * @param tensorBytes the size of an example in a batch; null: as it is stored
 * @param examples of the data set; null if it is unknown
 * @param cpuSeconds the time that a processor decodes and transforms one example; null if it is
 *     unknown
 * @param workers of each loader; null for the needed number
 */
record Workload(
    int batchSize,
    double stepSeconds,
    int gpus,
    int experiments,
    long exampleBytes,
    @Nullable Long tensorBytes,
    @Nullable Long examples,
    @Nullable Double cpuSeconds,
    @Nullable Integer workers) {

  /** Returns the GPUs of all experiments, each with a loader. */
  long loaders() {
    return (long) gpus * experiments;
  }

  /** Returns the examples that one GPU takes in a second: n / t. */
  double examplesPerSecondOfGpu() {
    return batchSize / stepSeconds;
  }

  /** Returns the most workers that a loader has. */
  int mostWorkers() {
    return workers == null ? Plan.MOST_WORKERS : workers;
  }
}
