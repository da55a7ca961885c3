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
 * The samples of a loader that failed and were tolerated, and the limit that the error policy sets
 * to their number.
 *
 * <p>Thread-safe: it has a lock of its own, under which no other lock is taken.
 */
final class FailureBudget {

  private static final Logger LOG = LoggerFactory.getLogger(FailureBudget.class);

  private final ErrorPolicy policy;
  private final Map<Long, LoaderException> quarantine = new TreeMap<>();

  /** The epoch of the last charged batch; {@code seenBefore} counts the samples before it. */
  private @Nullable EpochSource<?> epoch;

  private long seenBefore;
  private long samplesSeen;
  private long failuresTolerated;

  /** The number of tolerated samples whose batch failed for another reason. */
  private long inFailedBatches;

  FailureBudget(ErrorPolicy policy) {
    this.policy = policy;
  }

  /** Counts the failures of a taken batch; fails the batch if the budget is exceeded. */
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
    // A rate depends on the number of samples in the epoch, which a short stream shows only at its
    // end. A limit of the number of failures does not wait for the end.
    boolean end =
        task.claimed() < task.capacity()
            && seen < ErrorPolicy.FEW_SAMPLES
            && failuresTolerated <= policy.maxFailures().orElse(Long.MAX_VALUE);
    return (tolerated > 0 || (end && failuresTolerated > 0))
        && policy.exceededBy(failuresTolerated + tolerated, end ? seen : orFew(task, seen));
  }

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

  synchronized Quarantine quarantine() {
    return Quarantine.of(quarantine.values());
  }

  synchronized long samplesSeen() {
    return samplesSeen;
  }

  synchronized long tolerated() {
    return failuresTolerated - inFailedBatches;
  }

  synchronized long failuresTolerated() {
    return failuresTolerated;
  }

  synchronized void restore(long seen, long tolerated) {
    samplesSeen = seen;
    failuresTolerated = tolerated;
  }
}
