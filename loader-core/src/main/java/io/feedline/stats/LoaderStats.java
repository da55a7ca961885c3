package io.feedline.stats;

import io.feedline.batch.HostAllocator;
import io.feedline.data.Dataset;
import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import io.feedline.internal.JsonMembers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The figures (counts and times) of a loader so far: a snapshot.
 *
 * <pre>{@code
 * LoaderStats stats = loader.stats();
 * System.out.println(stats.total());
 * stats.epoch(3).ifPresent(System.out::println);
 * }</pre>
 */
public final class LoaderStats {

  private final Epoch total;
  private final List<Epoch> epochs;
  private final int batchesReady;
  private final int batchesOpen;
  private final long hostBytes;
  private final Tuning tuning;

  /**
   * Creates the figures of a loader. A program gets the figures of its own loader from {@code
   * loader.stats()}.
   *
   * @param figures {@code batches_ready}, {@code batches_open} and {@code host_bytes}
   */
  public LoaderStats(Epoch total, List<Epoch> epochs, Tuning tuning, Map<String, Object> figures) {
    JsonMembers json = new JsonMembers("loader", figures);
    this.total = total;
    this.epochs = List.copyOf(epochs);
    this.tuning = tuning;
    this.batchesReady = (int) json.count("batches_ready");
    this.batchesOpen = (int) json.count("batches_open");
    this.hostBytes = json.count("host_bytes");
  }

  /** Returns the figures of all epochs together. */
  public Epoch total() {
    return total;
  }

  /**
   * Returns the figures of each of the last 16 epochs, and of the epoch under way, in the order in
   * which they were begun; for an epoch that was begun several times, the figures of the last time.
   */
  public List<Epoch> epochs() {
    return epochs;
  }

  /** Returns the number of batches that are finished and not yet taken. */
  public int batchesReady() {
    return batchesReady;
  }

  /** Returns the number of batches that are taken and not yet closed. */
  public int batchesOpen() {
    return batchesOpen;
  }

  /** Returns the bytes that the loader has taken from its {@link HostAllocator} for batches. */
  public long hostBytes() {
    return hostBytes;
  }

  /** Returns the present numbers of workers and of batches ahead, and the changes of both. */
  public Tuning tuning() {
    return tuning;
  }

  /** Returns the figures of an epoch; empty if it was not begun, or is no longer kept. */
  public Optional<Epoch> epoch(long number) {
    return epochs.stream().filter(stats -> stats.epoch().orElse(-1) == number).findFirst();
  }

  /** Returns the waits of {@link io.feedline.DataLoaderBuilder#stallThreshold} or longer. */
  public Stalls stalls() {
    return total.stalls();
  }

  /** Returns the number of batches that were delivered. */
  public long batches() {
    return total.batches();
  }

  /** Returns the number of samples in the delivered batches. */
  public long samples() {
    return total.samples();
  }

  /** Returns the number of batches that ended in an exception. */
  public long failures() {
    return total.failures();
  }

  /** Returns the number of samples that failed and were skipped or substituted. */
  public long tolerated() {
    return total.tolerated();
  }

  /**
   * Returns how long the consumer has waited in {@code next()} and {@code hasNext()}, in all: each
   * wait from the call until the consumer's thread sees that the batch is complete. A consumer that
   * measures its calls itself measures more: some microseconds for the hand-over, and the time
   * until it gets a processor again if there are more threads than processors.
   */
  public Duration waited() {
    return total.waits().total();
  }

  /**
   * Returns the figures in a sentence, for example {@code 128 batches, 4096 samples, waited 1.3 s
   * (half up to 2 ms, 99% up to 35 ms, at most 40 ms), 2 batches ready, 1 open, 154.1 MB}.
   */
  @Override
  public String toString() {
    String failed =
        failures() == 0 && tolerated() == 0
            ? ""
            : Counts.of(failures(), "failed batch")
                + ", "
                + Counts.of(tolerated(), "tolerated sample")
                + ", ";
    return String.format(
        Locale.ROOT,
        "%s, %s, %swaited %s (half up to %s, 99%% up to %s, at most %s), %s ready, %d open, %.1f MB",
        Counts.of(batches(), "batch"),
        Counts.of(samples(), "sample"),
        failed,
        Durations.words(waited()),
        Durations.words(total.waits().p50()),
        Durations.words(total.waits().p99()),
        Durations.words(total.waits().max()),
        Counts.of(batchesReady, "batch"),
        batchesOpen,
        hostBytes / 1e6);
  }

  /**
   * The workers and the batches ahead, and the changes that {@link
   * io.feedline.DataLoaderBuilder#autoWorkers} has made to them. A snapshot.
   *
   * @param workers the present worker threads; 0 if the consumer's own thread makes the batches
   * @param prefetch the batches prepared ahead of the consumer
   * @param changed the number of changes
   * @param changes the last 32 changes at most, in their order
   */
  public record Tuning(int workers, int prefetch, long changed, List<Change> changes) {

    /**
     * A change, made when the consumer took a batch.
     *
     * @param epoch the batch's epoch
     * @param batch the batch's number in the epoch, from 0 on
     * @param workers the workers from this batch on
     * @param prefetch the batches ahead from this batch on
     * @param reason the reason in words
     */
    public record Change(long epoch, long batch, int workers, int prefetch, String reason) {

      /**
       * Returns the change in a sentence, for example {@code batch 12 of epoch 0: 8 workers,
       * prefetch 2: the consumer waits for 96% of its time}.
       */
      @Override
      public String toString() {
        return "batch %d of epoch %d: %s, prefetch %d: %s"
            .formatted(batch, epoch, Counts.of(workers, "worker"), prefetch, reason);
      }
    }

    /** Returns the numbers of workers and batches, and a line for each of the last changes. */
    @Override
    public String toString() {
      String now = "%s, prefetch %d".formatted(Counts.of(workers, "worker"), prefetch);
      return changes.isEmpty()
          ? now
          : changes.stream()
              .map(change -> "\n  " + change)
              .collect(
                  Collectors.joining(
                      "", now + "; " + Counts.of(changed, "change") + ", the last:", ""));
    }
  }

  /**
   * The figures of one pass over an epoch, or of a loader's whole life. A snapshot, immutable.
   *
   * <p>Stages count when their batch is delivered: a batch counts in the epoch that delivers it,
   * even if it was prepared before; a dropped batch does not count. The times of stages are
   * measured on each batch if samples take 200 microseconds or more, otherwise on some batches,
   * each of which counts for several.
   */
  public static final class Epoch {

    private static final List<String> COUNTS =
        List.of("batches", "samples", "failures", "tolerated", "bytes_read");

    private final JsonMembers json;
    private final Waits waits;
    private final List<Stage> stages;
    private final Workers workers;
    private final Stalls stalls;

    /**
     * Creates the figures of an epoch in a run record. A program gets the figures of its own loader
     * from {@code loader.stats()}.
     *
     * @param figures the figures by their names in {@code RUN.md} of loader-core
     * @throws IllegalArgumentException if a figure is missing, or of another type
     */
    public Epoch(Map<String, Object> figures, Stalls stalls) {
      this(new JsonMembers("epoch", figures), stalls);
    }

    Epoch(JsonMembers figures, Stalls stalls) {
      this.json = figures;
      this.waits = new Waits(figures.object("waits"));
      this.stages = figures.objects("stages", Stage::new);
      this.workers = new Workers(figures);
      this.stalls = stalls;
      COUNTS.forEach(figures::count);
      epoch();
      elapsed();
      slotsInUse();
      readiness();
    }

    /** Returns the figures by their names in {@code RUN.md} of loader-core. */
    public Map<String, Object> figures() {
      return json.members();
    }

    /** Returns the number of the epoch; empty for the figures of all epochs together. */
    public OptionalLong epoch() {
      return json.isNull("epoch") ? OptionalLong.empty() : OptionalLong.of(json.count("epoch"));
    }

    /** Returns the number of batches that were delivered. */
    public long batches() {
      return json.count("batches");
    }

    /** Returns the number of samples in the delivered batches. */
    public long samples() {
      return json.count("samples");
    }

    /** Returns the number of batches that ended in an exception. */
    public long failures() {
      return json.count("failures");
    }

    /** Returns the number of samples that failed and were skipped or substituted. */
    public long tolerated() {
      return json.count("tolerated");
    }

    /** Returns the bytes of the samples as stored; 0 if the dataset does not report them. */
    public long bytesRead() {
      return json.count("bytes_read");
    }

    /**
     * Returns the time from an epoch's beginning to its last batch so far; for all epochs, the sum.
     */
    public Duration elapsed() {
      return json.time("elapsed_seconds");
    }

    /** Returns how long the consumer waited in {@code next()}, batch by batch. */
    public Waits waits() {
      return waits;
    }

    /**
     * Returns the stages of the work in their order, the user's stages last; stages that took no
     * time are left out.
     */
    public List<Stage> stages() {
      return stages;
    }

    /** Returns how busy the workers were. */
    public Workers workers() {
      return workers;
    }

    /** Returns the mean share, 0 to 1, of slots (batch buffers) used when a batch was asked for. */
    public double slotsInUse() {
      return json.number("slots_in_use");
    }

    /**
     * Returns the mean share of the batches ahead, 0 to 1, that were finished when the consumer
     * asked for a batch. Near 1 the loader waits for its consumer; near 0 the consumer waits for
     * the loader.
     */
    public double readiness() {
      return json.number("readiness");
    }

    /** Returns the waits that took long, by their cause. */
    public Stalls stalls() {
      return stalls;
    }

    /** Returns the samples that were delivered each second; 0 if no time has passed. */
    public double samplesPerSecond() {
      return elapsed().isZero() ? 0 : samples() * 1e9 / elapsed().toNanos();
    }

    /** Returns the share of the time that the consumer waited, 0 to 1. */
    public double waitingShare() {
      return elapsed().isZero() ? 0 : (double) waits.total().toNanos() / elapsed().toNanos();
    }

    /** Returns the figures of a stage by its name; empty if the stage took no time. */
    public Optional<Stage> stage(String name) {
      return stages.stream().filter(stage -> stage.name().equals(name)).findFirst();
    }

    /**
     * Returns the figures in a sentence, for example {@code epoch 3: 128 batches, 4096 samples,
     * 450.6 MB read in 9.8 s; reading 1.2 s (10% CPU), decoding 17 s (98% CPU); workers 93% busy; 3
     * stalls, 60 ms: 3 reading (60 ms)}.
     */
    @Override
    public String toString() {
      String where = epoch().isPresent() ? "epoch " + epoch().getAsLong() : "all epochs";
      String work =
          stages.stream()
              .map(
                  stage ->
                      "%s %s (%d%% CPU)"
                          .formatted(
                              stage.name(),
                              Durations.words(stage.elapsed()),
                              Math.round(
                                  100.0
                                      * stage.cpu().toNanos()
                                      / Math.max(1, stage.elapsed().toNanos()))))
              .collect(Collectors.joining(", "));
      return String.format(
          Locale.ROOT,
          "%s: %s, %s, %.1f MB read in %s; %s; workers %.0f%% busy; %s",
          where,
          Counts.of(batches(), "batch"),
          Counts.of(samples(), "sample"),
          bytesRead() / 1e6,
          Durations.words(elapsed()),
          work.isEmpty() ? "nothing measured" : work,
          100 * workers.occupancy(),
          stalls);
    }
  }

  /** The distribution of the waits in {@code next()}. */
  public static final class Waits {
    private static final List<String> TIMES = List.of("total", "p50", "p90", "p99", "p999", "max");

    private final JsonMembers json;

    private Waits(JsonMembers figures) {
      this.json = figures;
      TIMES.forEach(this::time);
      count();
    }

    private Duration time(String name) {
      return json.time(name + "_seconds");
    }

    /** Returns the number of waits, one for each batch, including waits of no time. */
    public long count() {
      return json.count("count");
    }

    /** Returns the sum of all waits. */
    public Duration total() {
      return time("total");
    }

    /** Returns the median (to within 2%, as all quantiles); never above max. */
    public Duration p50() {
      return time("p50");
    }

    /** Returns the 90th percentile. */
    public Duration p90() {
      return time("p90");
    }

    /** Returns the 99th percentile. */
    public Duration p99() {
      return time("p99");
    }

    /** Returns the 99.9th percentile. */
    public Duration p999() {
      return time("p999");
    }

    /** Returns the longest wait. */
    public Duration max() {
      return time("max");
    }
  }

  /**
   * A stage of the work. The stages of every loader are:
   *
   * <ul>
   *   <li>{@code reading}: the dataset reads the sample;
   *   <li>{@code transforming}: functions of {@code map} that are lambdas without a name, reading
   *       after such a function, and changes of an image's pixels while it is decoded;
   *   <li>{@code decoding}: images are decoded, cropped and resized;
   *   <li>{@code writing}: the sample is written into its row of the batch; the pixels of an image
   *       are rounded, normalized and stored;
   *   <li>{@code collating}: the rows become a batch;
   *   <li>{@code batch transform}.
   * </ul>
   *
   * A further stage has the name that was given to {@link Dataset#map(String,
   * io.feedline.transform.Transform)}, or the simple name of the user's class of transforms or of
   * operations on pixels.
   */
  public static final class Stage {
    private final JsonMembers json;

    private Stage(JsonMembers figures) {
      this.json = figures;
      name();
      waiting();
    }

    /** Returns the stage's name. */
    public String name() {
      return json.string("name");
    }

    /** Returns the time that the stage took, added over all workers. */
    public Duration elapsed() {
      return json.time("elapsed_seconds");
    }

    /** Returns the part of the elapsed time on a processor; zero if the JVM does not report it. */
    public Duration cpu() {
      return json.time("cpu_seconds");
    }

    /** Returns the part of the elapsed time in the queue for a processor; zero except on Linux. */
    public Duration queued() {
      return json.has("queued_seconds") ? json.time("queued_seconds") : Duration.ZERO;
    }

    /**
     * Returns the elapsed time without {@link #cpu} and {@link #queued}: the time of waiting for
     * storage or locks, and also for a processor if {@link #queued} is unknown.
     */
    public Duration waiting() {
      Duration rest = elapsed().minus(queued()).minus(cpu());
      return rest.isNegative() ? Duration.ZERO : rest;
    }
  }

  /** The workers' time. */
  public static final class Workers {
    private final JsonMembers json;

    private Workers(JsonMembers figures) {
      this.json = figures;
      occupancy();
      waitedForRoom();
      waitedForEpoch();
      waitedToRead();
    }

    /** Returns the worker threads at the last batch; 0 if the consumer made the batches. */
    public int count() {
      return (int) json.numberIfPresent("workers").orElse(0);
    }

    /** Returns the share of the workers' time that stages took, 0 to 1. */
    public double occupancy() {
      return json.number("workers_occupancy");
    }

    /**
     * Returns how long the workers waited, added over all workers, for the consumer to take or
     * close a batch ({@code prefetch}, {@code prefetchBytes}, {@code maxOpenBatches}).
     */
    public Duration waitedForRoom() {
      return json.time("workers_waited_for_room_seconds");
    }

    /** Returns how long the workers waited for the next epoch to begin. */
    public Duration waitedForEpoch() {
      return json.time("workers_waited_for_epoch_seconds");
    }

    /** Returns how long workers waited while another worker read from the stream. */
    public Duration waitedToRead() {
      return json.time("workers_waited_to_read_seconds");
    }

    /**
     * Returns the mean share of the workers, 0 to 1, that waited for a lock which another worker
     * held: a monitor, or a lock of java.util.concurrent that knows its owner. The workers' threads
     * are inspected ten times a second at most, while the consumer waits; the mean is over these
     * inspections. Near 1 the lock is the limit, and more workers would wait for the lock, too.
     */
    public double contention() {
      return json.numberIfPresent("workers_contention").orElse(0);
    }
  }
}
