package io.feedline.formats.cli.internal.doctor;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.formats.image.dataset.LabeledImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A run of the real loader, whose batches are closed as soon as they are there.
 *
 * <p>Images are counted when a worker has read them, and not by batches, of which a slow loader may
 * not finish one in the time. The first ones, while workers begin, do not count.
 *
 * @param imagesPerSecond that were loaded
 * @param least the lowest rate of a part of the run
 * @param most the highest rate of a part
 * @param images that were read, all in all
 * @param share the part of a processor that workers got when they wanted one, as far as the system
 *     tells; 1 elsewhere
 * @param contention the share of the workers that waited for a lock which another one held
 * @param othersProcessors how many processors other processes kept busy meanwhile; empty where the
 *     system does not say
 */
record Trial(
    double imagesPerSecond,
    double least,
    double most,
    int images,
    double share,
    double contention,
    OptionalDouble othersProcessors) {

  private static final Duration WAIT = Duration.ofMillis(100);

  /**
   * Runs a loader.
   *
   * @param seed of the order, so that another run begins with other images
   * @param epochs how many, at most
   * @param most how long, about; longer until each thread has loaded an image, and a loader without
   *     workers ends the batch that it is at
   * @throws LoaderException if an image cannot be loaded
   */
  static Trial run(Loading loading, long seed, long epochs, Duration most) {
    Ticks ticks = new Ticks();
    Dataset<LabeledImage> samples =
        loading
            .pipeline()
            .of(loading.images())
            .map(
                (LabeledImage sample) -> {
                  ticks.add();
                  return sample;
                });
    OtherLoad others = new OtherLoad();
    long start = System.nanoTime();
    double contention;
    try (DataLoader<LabeledImage> loader =
        loading.options(DataLoader.builder(samples), seed, WAIT).build()) {
      long end = start + most.toNanos();
      BooleanSupplier goesOn =
          () -> System.nanoTime() - end < 0 || ticks.count() <= loading.threads();
      for (long epoch = 0; epoch < epochs && goesOn.getAsBoolean(); epoch++) {
        BatchIterator batches = loader.iterator();
        while (goesOn.getAsBoolean() && batches.hasNext()) {
          closeNext(batches);
        }
      }
      contention = loader.stats().total().workers().contention();
    }
    double rate = ticks.perSecond(start, loading.threads());
    return new Trial(
        rate, rate, rate, ticks.count(), ticks.share(), contention, others.processors());
  }

  /** The same for one of several runs of a loader, with the images of all, and others' load. */
  Trial of(List<Trial> runs) {
    return new Trial(
        imagesPerSecond,
        runs.stream().mapToDouble(Trial::least).min().orElse(least),
        runs.stream().mapToDouble(Trial::most).max().orElse(most),
        runs.stream().mapToInt(Trial::images).sum(),
        share,
        runs.stream().mapToDouble(Trial::contention).average().orElse(contention),
        runs.stream().flatMapToDouble(run -> run.othersProcessors().stream()).average());
  }

  /** Closes the next batch, unless it takes long: then it is time to look at the time. */
  private static void closeNext(BatchIterator batches) {
    try {
      batches.next().close();
    } catch (LoaderException failure) {
      boolean stillToCome =
          failure.stage() == LoaderException.Stage.WAIT && failure.getCause() == null;
      if (!stillToCome) {
        throw failure;
      }
    }
  }

  /** When images were read. Workers add; it is looked at when they have ended. */
  private static final class Ticks {
    private static final int MOST = 1 << 20;
    private static final double WARM_UP = 0.1;

    /**
     * The time between two readings of a worker's times, each of which costs a few system calls.
     */
    private static final long SPAN_NANOS = 20_000_000;

    /** The times of a worker at two moments. */
    private record Span(ThreadTimes from, ThreadTimes to) {}

    private final AtomicInteger next = new AtomicInteger();
    private final long[] nanos = new long[MOST];
    private final Map<Thread, Span> spans = new ConcurrentHashMap<>();

    void add() {
      spans.compute(Thread.currentThread(), (worker, span) -> longer(span));
      int at = next.getAndIncrement();
      if (at >= 0 && at < MOST) {
        nanos[at] = System.nanoTime();
      }
    }

    private static Span longer(Span span) {
      try {
        if (span == null) {
          ThreadTimes begun = ThreadTimes.now();
          return new Span(begun, begun);
        }
        return System.nanoTime() - span.to().wallNanos() < SPAN_NANOS
            ? span
            : new Span(span.from(), ThreadTimes.now());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the system's figures of a thread", e);
      }
    }

    double share() {
      return spans.values().stream()
          .map(span -> span.to().since(span.from()))
          .reduce(new ThreadTimes(0, 0, 0), ThreadTimes::plus)
          .share();
    }

    int count() {
      int count = next.get();
      return count < 0 || count > MOST ? MOST : count;
    }

    /** The rate from the end of the warm-up to the last image. */
    double perSecond(long start, int workers) {
      int count = count();
      // Two workers may have taken their time and their place in different orders.
      long[] times = Arrays.copyOf(nanos, count);
      for (int i = 0; i < count; i++) {
        times[i] -= start;
      }
      Arrays.sort(times);
      if (count == 0) {
        return 0;
      }
      long last = times[count - 1];
      int from = 0;
      while (from < count - 1 && (from < workers || times[from] < WARM_UP * last)) {
        from++;
      }
      return from < count - 1
          ? (count - 1 - from) * 1e9 / (last - times[from])
          : count * 1e9 / last;
    }
  }
}
