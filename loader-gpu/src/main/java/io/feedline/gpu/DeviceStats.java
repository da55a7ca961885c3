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

/** The figures of a {@link DeviceLoader} so far: a snapshot. Immutable. */
public final class DeviceStats {

  private final JsonMembers json;
  private final Stalls stalls;

  /**
   * The figures that a run record has of a device. A program gets its own from {@code
   * loader.stats()}.
   *
   * @param figures by their names in {@code RUN.md} of loader-core
   * @throws IllegalArgumentException if a figure is missing, or of another type
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

  /**
   * Returns the difference to earlier figures of the same device; the stalls are those of the whole
   * time.
   */
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

  /** Returns how many batches the consumer was given. */
  public long batches() {
    return json.count("batches");
  }

  /** Returns how many bytes were copied to the device; 0 where arrays are views. */
  public long bytes() {
    return json.count("bytes");
  }

  /**
   * Returns how many of these bytes came from page-locked memory, by the driver; 0 without {@link
   * Transfer#STREAM}.
   */
  public long pinnedBytes() {
    return json.count("pinned_bytes");
  }

  /**
   * Returns how long the copies took: on the GPU's clock with {@link Transfer#STREAM}, otherwise on
   * the consumer's.
   */
  public Duration copying() {
    return json.time("copying_seconds");
  }

  /**
   * Returns how long the copying stream had nothing to do during the epochs, because the loader had
   * no batch or the device no room; zero where there is no such stream.
   */
  public Duration copyIdle() {
    return json.time("copy_idle_seconds");
  }

  /**
   * Returns how long the consumer waited because the loader had no batch; the time for which a GPU
   * is behind does not count.
   */
  public Duration waited() {
    return json.time("waited_seconds");
  }

  /**
   * Returns the waits of {@code next()} of the loader's {@code stallThreshold} or longer, in which
   * the device had nothing to do, by their cause: the device copy, or the loader's cause. With
   * {@link Transfer#STREAM} a stall appears at a later wait, once the device has passed it.
   */
  public Stalls stalls() {
    return stalls;
  }

  /**
   * Returns why the batches do not go through a copying stream, although they go to a GPU; empty
   * otherwise.
   */
  public Optional<String> fallback() {
    return json.has("fallback") ? Optional.of(json.string("fallback")) : Optional.empty();
  }

  /** Returns how fast the copies were, in GB (10^9 bytes) per second; 0 if there were none. */
  public double gigabytesPerSecond() {
    return copying().isZero() ? 0 : bytes() / (double) copying().toNanos();
  }

  /**
   * Returns the kind of host memory of the copies, in a word or two: {@code pinned}, {@code
   * pageable}, {@code partly pinned}; {@code host} if that is unknown, {@code none} before the
   * first copy.
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
