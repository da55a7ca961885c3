package io.feedline.formats.cli.internal.plan;

import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A training, as its loaders see it: one loader for each GPU, and one read for each example.
 *
 * @param batchSize examples of a batch of one GPU; empty where it is not known
 * @param examplesPerSecondOfGpu how many examples a second one GPU takes
 * @param gpus of one experiment
 * @param experiments that run at the same time, over the same storage
 * @param exampleBytes the size of an example as it is stored, on average
 * @param rowBytes the size of an example in a batch; empty: as it is stored
 * @param examples of the data set; empty where it is not known
 * @param cpuSeconds the time of a processor that decoding and transforming one example takes; empty
 *     where it is not known
 * @param workers of each loader; empty: as many as are needed
 */
record Workload(
    OptionalInt batchSize,
    double examplesPerSecondOfGpu,
    int gpus,
    int experiments,
    long exampleBytes,
    OptionalLong rowBytes,
    OptionalLong examples,
    OptionalDouble cpuSeconds,
    OptionalInt workers) {

  /** Returns the GPUs of all experiments, each with a loader. */
  long loaders() {
    return (long) gpus * experiments;
  }
}
