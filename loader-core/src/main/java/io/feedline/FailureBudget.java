package io.feedline;

import io.feedline.data.LoaderException;
import io.feedline.data.Quarantine;
import io.feedline.internal.Counts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The samples of a loader that failed and were tolerated, and how many more of them the error
 * policy allows.
 *
 * <p>Thread-safe, with a lock of its own, in which no other is taken.
 */
final class FailureBudget {

  private static final Logger LOG = LoggerFactory.getLogger(FailureBudget.class);

  private final ErrorPolicy policy;
  private final Map<Long, LoaderException> quarantine = new TreeMap<>();

  /** The epoch whose batches are charged, and the samples seen before it. */
  private @Nullable EpochSource<?> epoch;

  private long seenBefore;
  private long samplesSeen;
  private long failuresTolerated;

  /** The tolerated samples whose batch failed all the same. */
  private long inFailedBatches;

  FailureBudget(ErrorPolicy policy) {
    this.policy = policy;
  }

  /**
   * Charges the failures of a batch that the consumer takes: where they exceed the budget, the
   * batch fails.
   */
  synchronized void charge(BatchTask<?> task) {
    List<LoaderException> failures = task.assembly().tolerated();
    boolean exceeded = exceededWith(task);
    samplesSeen += task.claimed();
    failuresTolerated += failures.size();
    for (LoaderException exception : failures) {
      LOG.warn("{}: {}", policy.action(), exception.getMessage());
      quarantine.putIfAbsent(exception.index().orElse(-1), exception);
    }
    if (exceeded) {
      task.assembly().fail(budgetExceeded(task));
    }
    inFailedBatches += task.assembly().failure() == null ? 0 : failures.size();
  }

  /** Returns whether a batch that has not been charged would exceed the budget. */
  synchronized boolean exceededBy(BatchTask<?> task) {
    return exceededWith(task);
  }

  private boolean exceededWith(BatchTask<?> task) {
    if (task.source() != epoch) {
      epoch = task.source();
      seenBefore = samplesSeen;
    }
    int tolerated = task.assembly().tolerated().size();
    long seen = samplesSeen + task.claimed();
    // How many samples a short epoch of a stream has shows only here; a number does not wait for
    // it.
    boolean end =
        task.claimed() < task.capacity()
            && seen < ErrorPolicy.FEW_SAMPLES
            && failuresTolerated <= policy.maxFailures().orElse(Long.MAX_VALUE);
    return (tolerated > 0 || (end && failuresTolerated > 0))
        && policy.exceededBy(failuresTolerated + tolerated, end ? seen : orFew(task, seen));
  }

  /** Returns the number of samples seen; if it is small, the number of samples of the epoch. */
  private long orFew(BatchTask<?> task, long seen) {
    int few = ErrorPolicy.FEW_SAMPLES;
    return seen >= few ? seen : Math.min(few, seenBefore + task.source().samples(few));
  }

  private LoaderException budgetExceeded(BatchTask<?> task) {
    return LoaderException.of(
        LoaderException.Stage.READ,
        task.source().datasetName(),
        "%d of %s failed; the error policy (%s) stops at batch %d of epoch %d"
            .formatted(
                failuresTolerated,
                Counts.of(samplesSeen, "sample"),
                policy,
                task.number(),
                task.epoch()),
        task.assembly().tolerated().stream().findFirst().orElse(null));
  }

  /** Returns the samples that failed and were tolerated, each once. */
  synchronized Quarantine quarantine() {
    return Quarantine.of(quarantine.values());
  }

  /** Returns how many samples were delivered or failed, in the loader's life. */
  synchronized long samplesSeen() {
    return samplesSeen;
  }

  /** Returns how many samples were skipped or substituted in batches that did not fail. */
  synchronized long tolerated() {
    return failuresTolerated - inFailedBatches;
  }

  /** Returns how many samples failed and were charged, in the loader's life. */
  synchronized long failuresTolerated() {
    return failuresTolerated;
  }

  /** Takes over the counts of an earlier loader. */
  synchronized void restore(long seen, long tolerated) {
    samplesSeen = seen;
    failuresTolerated = tolerated;
  }
}
