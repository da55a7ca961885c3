package io.feedline.gpu;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.internal.Durations;
import io.feedline.internal.Stages;
import io.feedline.stats.Stalls;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The stalls of a device loader's consumer. The cause of a stall is {@code OTHER} if copies and
 * loader together took less than half of the wait. Otherwise the cause is {@code DEVICE_COPY} if
 * the copies took at least as long as the loader. In all other cases the cause is that of the
 * loader's own stall. Thread-safe.
 */
final class DeviceStalls {

  private static final int KEPT = 32;

  /**
   * A wait of the consumer.
   *
   * @param loadingNanos how long the loader held up the batch within the wait
   * @param copyingNanos how long the copies held up the batch, without the device's earlier work
   */
  record Wait(Batch host, long waitedNanos, long loadingNanos, long copyingNanos) {}

  private final DataLoader<?> loader;
  private final long threshold;
  private final Map<Stalls.Cause, Stalls.Sum> byCause = new EnumMap<>(Stalls.Cause.class);
  private final Deque<Stall> recent = new ArrayDeque<>();

  DeviceStalls(DataLoader<?> loader) {
    this.loader = loader;
    this.threshold = loader.options().stallThreshold().toNanos();
  }

  boolean isLong(long nanos) {
    return nanos >= threshold;
  }

  void add(Wait wait) {
    if (isLong(wait.waitedNanos())) {
      Stall stall = stall(wait);
      synchronized (this) {
        if (recent.size() == KEPT) {
          recent.remove();
        }
        recent.add(stall);
        Stalls.Sum before = byCause.getOrDefault(stall.cause(), new Stalls.Sum(0, Duration.ZERO));
        byCause.put(
            stall.cause(),
            new Stalls.Sum(before.count() + 1, before.waited().plus(stall.waited())));
      }
    }
  }

  private Stall stall(Wait wait) {
    String times =
        "of it, copies took %s and the loader %s"
            .formatted(words(wait.copyingNanos()), words(wait.loadingNanos()));
    long known = wait.copyingNanos() + wait.loadingNanos();
    if (!Stages.explains(known, wait.waitedNanos())) {
      return stall(Stalls.Cause.OTHER, wait, times);
    }
    if (Stages.explains(wait.copyingNanos(), known)) {
      return stall(Stalls.Cause.DEVICE_COPY, wait, times);
    }
    return ofLoader(wait.host())
        .map(
            found ->
                new Stall(
                    found.cause(),
                    found.stage(),
                    found.epoch(),
                    found.batch(),
                    Duration.ofNanos(wait.waitedNanos()),
                    found.index(),
                    found.detail()))
        .orElseGet(() -> stall(Stalls.Cause.OTHER, wait, times));
  }

  /** Returns the loader's stall at a batch; empty if the loader had no stall there. */
  private Optional<Stall> ofLoader(Batch host) {
    return loader.stats().stalls().recent().stream()
        .filter(known -> known.epoch() == host.epoch() && known.batch() == host.number())
        .reduce((earlier, last) -> last);
  }

  private static Stall stall(Stalls.Cause cause, Wait wait, String detail) {
    return new Stall(
        cause,
        "",
        wait.host().epoch(),
        wait.host().number(),
        Duration.ofNanos(wait.waitedNanos()),
        OptionalLong.empty(),
        detail);
  }

  private static String words(long nanos) {
    return Durations.words(Duration.ofNanos(nanos));
  }

  synchronized Stalls snapshot() {
    return new Stalls(Collections.unmodifiableMap(new EnumMap<>(byCause)), List.copyOf(recent));
  }
}
