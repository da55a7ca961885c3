package io.feedline.stats.internal;

import io.feedline.stats.Stalls.Stall;
import java.util.Arrays;

/**
 * The observers of a loader, which are called in turn. They are added before the first epoch.
 *
 * <p>Thread-safe.
 */
public final class Observers implements LoaderObserver {

  private volatile LoaderObserver[] all = {};

  public synchronized void add(LoaderObserver observer) {
    LoaderObserver[] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = observer;
    all = more;
  }

  @Override
  public Samples samples() {
    Samples[] wanted =
        Arrays.stream(all)
            .map(LoaderObserver::samples)
            .filter(samples -> samples != NO_SAMPLES)
            .toArray(Samples[]::new);
    return wanted.length == 0 ? NO_SAMPLES : wanted[0];
  }

  @Override
  public boolean everyBatch() {
    boolean every = false;
    for (LoaderObserver observer : all) {
      every |= observer.everyBatch();
    }
    return every;
  }

  @Override
  public void assembled(BatchTimes times) {
    for (LoaderObserver observer : all) {
      observer.assembled(times);
    }
  }

  @Override
  public void idle(EpochFigures.Idle reason, long nanos) {
    for (LoaderObserver observer : all) {
      observer.idle(reason, nanos);
    }
  }

  @Override
  public void epochBegins(long epoch, long at) {
    for (LoaderObserver observer : all) {
      observer.epochBegins(epoch, at);
    }
  }

  @Override
  public void comes() {
    for (LoaderObserver observer : all) {
      observer.comes();
    }
  }

  @Override
  public void came() {
    for (LoaderObserver observer : all) {
      observer.came();
    }
  }

  @Override
  public void taken(FinishedBatch batch, BatchTaken taken) {
    for (LoaderObserver observer : all) {
      observer.taken(batch, taken);
    }
  }

  @Override
  public void stalled(Stall stall) {
    for (LoaderObserver observer : all) {
      observer.stalled(stall);
    }
  }

  @Override
  public void epochEnds() {
    for (LoaderObserver observer : all) {
      observer.epochEnds();
    }
  }
}
