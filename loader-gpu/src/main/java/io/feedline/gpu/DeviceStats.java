package io.feedline.gpu;

import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import io.feedline.internal.JsonMembers;
import io.feedline.stats.Stalls;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures (counts and times) of a {@link DeviceLoader} so far: a snapshot. Immutable. */
public final class DeviceStats {

  private final JsonMembers json;
  private final Stalls stalls;

  /**
   * Creates the figures of a device from those in a run record. A program gets the figures of its
   * own run from {@code loader.stats()}.
   *
   * @param figures the figures by their names in {@code RUN.md} of loader-core
   * @throws IllegalArgumentException if a figure is missing or has another type
   */
  public DeviceStats(Map<String, Object> figures, Stalls stalls) {
    Map<String, Object> all = new LinkedHashMap<>(figures);
    all.put("stalls", stalls.figures());
    this.json = new JsonMembers("device", Collections.unmodifiableMap(all));
    this.stalls = stalls;
    transfer();
    batches();
    bytes();
    pinnedBytes();
    copying();
    copyIdle();
    waited();
    fallback();
  }

  static DeviceStats of(
      Transfer transfer,
      long[] batchesBytesPinned,
      long[] copyingIdleWaited,
      Stalls stalls,
      Optional<String> fallback) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("transfer", transfer.name().toLowerCase(Locale.ROOT));
    figures.put("batches", batchesBytesPinned[0]);
    figures.put("bytes", batchesBytesPinned[1]);
    figures.put("pinned_bytes", batchesBytesPinned[2]);
    figures.put("copying_seconds", copyingIdleWaited[0] / 1e9);
    figures.put("copy_idle_seconds", copyingIdleWaited[1] / 1e9);
    figures.put("waited_seconds", copyingIdleWaited[2] / 1e9);
    fallback.ifPresent(why -> figures.put("fallback", why));
    return new DeviceStats(figures, stalls);
  }

  /** Returns these figures minus earlier figures of the device; stalls are not subtracted. */
  public DeviceStats since(DeviceStats earlier) {
    return of(
        transfer(),
        new long[] {
          batches() - earlier.batches(),
          bytes() - earlier.bytes(),
          pinnedBytes() - earlier.pinnedBytes()
        },
        new long[] {
          copying().minus(earlier.copying()).toNanos(),
          copyIdle().minus(earlier.copyIdle()).toNanos(),
          waited().minus(earlier.waited()).toNanos()
        },
        stalls,
        fallback());
  }

  /** Returns the figures by their names in {@code RUN.md} of loader-core. */
  public Map<String, Object> figures() {
    return json.members();
  }

  /** Returns how the batches got to the device. */
  public Transfer transfer() {
    return Transfer.valueOf(json.string("transfer").toUpperCase(Locale.ROOT));
  }

  /** Returns the number of batches delivered to the consumer. */
  public long batches() {
    return json.count("batches");
  }

  /** Returns the number of bytes copied to the device; 0 if the arrays are views. */
  public long bytes() {
    return json.count("bytes");
  }

  /**
   * Returns the number of copied bytes whose source, according to the driver, was page-locked
   * memory; 0 without {@link Transfer#STREAM}.
   */
  public long pinnedBytes() {
    return json.count("pinned_bytes");
  }

  /**
   * Returns the time that the copies took, measured by the GPU's clock with {@link
   * Transfer#STREAM}, and otherwise in the consumer's thread.
   */
  public Duration copying() {
    return json.time("copying_seconds");
  }

  /**
   * Returns the time during the epochs in which the copying stream was idle, because the loader had
   * no batch or the device no room; zero without a copying stream.
   */
  public Duration copyIdle() {
    return json.time("copy_idle_seconds");
  }

  /**
   * Returns the time that the consumer waited because the loader had no batch; waits for a GPU that
   * is behind do not count.
   */
  public Duration waited() {
    return json.time("waited_seconds");
  }

  /**
   * Returns the stalls by their cause, the copy to the device or the loader's cause. A stall is a
   * wait of {@code next()} of the loader's {@code stallThreshold} or longer, in which the device
   * was idle. With {@link Transfer#STREAM} a stall is counted at a later {@code next()}, when the
   * GPU has reached the stalled batch.
   */
  public Stalls stalls() {
    return stalls;
  }

  /** Returns the reason why a GPU's batches have no copying stream; empty otherwise. */
  public Optional<String> fallback() {
    return json.has("fallback") ? Optional.of(json.string("fallback")) : Optional.empty();
  }

  /** Returns the speed of the copies, in GB (10^9 bytes) per second; 0 before the first copy. */
  public double gigabytesPerSecond() {
    return copying().isZero() ? 0 : bytes() / (double) copying().toNanos();
  }

  /**
   * Returns the kind of host memory that was copied: {@code pinned}, {@code pageable} or {@code
   * partly pinned}; {@code host} if the kind is unknown, {@code none} before the first copy.
   */
  public String memory() {
    if (bytes() == 0) {
      return "none";
    }
    if (transfer() != Transfer.STREAM) {
      return "host";
    }
    if (pinnedBytes() == bytes()) {
      return "pinned";
    }
    return pinnedBytes() == 0 ? "pageable" : "partly pinned";
  }

  /**
   * Returns all figures in one line, for example {@code 1250 batches, 24.08 GB from pinned memory
   * at 25.1 GB/s, waited 310 ms for data, copying stream idle 11.2 s}.
   */
  @Override
  public String toString() {
    String given = Counts.of(batches(), "batch");
    String wait = "waited %s for data".formatted(Durations.words(waited()));
    if (transfer() == Transfer.VIEW) {
      return given + " without a copy, " + wait;
    }
    if (bytes() == 0) {
      return given + ", nothing copied, " + wait;
    }
    String copied =
        String.format(
            Locale.ROOT,
            "%s, %.2f GB from %s memory at %.1f GB/s, %s",
            given,
            bytes() / 1e9,
            memory(),
            gigabytesPerSecond(),
            wait);
    return transfer() == Transfer.COPY
        ? copied
        : copied + ", copying stream idle " + Durations.words(copyIdle());
  }
}
