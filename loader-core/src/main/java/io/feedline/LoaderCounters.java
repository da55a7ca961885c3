package io.feedline;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counts of what a loader has delivered, how long its consumer waited, and which samples
 * failed: the figures of {@link LoaderStats}, the quarantine list, and the error policy's budget.
 *
 * <p>Thread-safe, with a lock of its own, in which no other is taken.
 */
final class LoaderCounters {

  private static final Logger LOG = LoggerFactory.getLogger(LoaderCounters.class);

  private final ErrorPolicy policy;
  private final LatencyHistogram waits = new LatencyHistogram();
  private final Map<Long, LoaderException> quarantine = new TreeMap<>();
  private long waitedNanos;
  private long batches;
  private long samples;
  private long failures;
  private long samplesSeen;
  private long failuresTolerated;

  LoaderCounters(ErrorPolicy policy) {
    this.policy = policy;
  }

  /**
   * Enters a batch that the consumer takes, and charges its samples' failures to the budget: where
   * they exceed it, the batch fails.
   */
  synchronized void enter(BatchTask<?> task, long waited) {
    BatchAssembly<?> assembly = task.assembly();
    boolean exceeded = exceededBy(task);
    waits.record(waited);
    waitedNanos += waited;
    samplesSeen += task.claimed();
    failuresTolerated += assembly.tolerated().size();
    for (LoaderException exception : assembly.tolerated()) {
      LOG.warn("{}: {}", policy.action(), exception.getMessage());
      quarantine.putIfAbsent(exception.index().orElse(-1), exception);
    }
    if (exceeded) {
      assembly.fail(budgetExceeded(task));
    }
    if (assembly.failure() != null) {
      failures++;
    } else if (!assembly.empty()) {
      batches++;
      samples += assembly.valid();
    }
  }

  /** Returns whether a batch that has not been entered would exceed the budget. */
  synchronized boolean exceededBy(BatchTask<?> task) {
    int tolerated = task.assembly().tolerated().size();
    return tolerated > 0
        && policy.exceededBy(failuresTolerated + tolerated, samplesSeen + task.claimed());
  }

  private LoaderException budgetExceeded(BatchTask<?> task) {
    return LoaderException.of(
        LoaderException.Stage.READ,
        task.source().datasetName(),
        "%d of %d samples have failed; the error policy (%s) does not go on with batch %d of epoch %d"
            .formatted(
                failuresTolerated, samplesSeen, policy, task.number(), task.source().epoch()),
        task.assembly().tolerated().get(0));
  }

  /** Returns the samples that failed and were tolerated, each once. */
  synchronized Quarantine quarantine() {
    return Quarantine.of(quarantine.values());
  }

  /** Returns how many samples were delivered or failed, in the loader's life. */
  synchronized long samplesSeen() {
    return samplesSeen;
  }

  /** Returns how many samples failed and were tolerated, in the loader's life. */
  synchronized long failuresTolerated() {
    return failuresTolerated;
  }

  /** Takes over what an earlier loader has counted. */
  synchronized void restore(long seen, long tolerated) {
    samplesSeen = seen;
    failuresTolerated = tolerated;
  }

  /**
   * Returns the figures.
   *
   * @param ready batches that are finished and not yet taken
   * @param open batches that are taken and not yet closed
   * @param hostBytes memory that the slots have
   */
  synchronized LoaderStats stats(int ready, int open, long hostBytes) {
    return new LoaderStats(
        batches,
        samples,
        failures,
        failuresTolerated,
        Duration.ofNanos(waitedNanos),
        waits.quantile(0.5),
        waits.quantile(0.99),
        waits.max(),
        ready,
        open,
        hostBytes);
  }
}
