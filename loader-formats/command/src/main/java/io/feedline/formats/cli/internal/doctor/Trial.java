package io.feedline.formats.cli.internal.doctor;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.stats.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/**
 * The result of a run of the loader, whose batches are closed at once.
 *
 * <p>Images are counted when a worker has loaded them, since a slow loader may not finish a batch
 * in time. Images that are loaded while the workers start do not count.
 *
 * @param imagesPerSecond the rate after the first epoch, or in the first epoch if the run reached
 *     no other
 * @param firstEpoch the images a second of the first epoch; empty if no later epoch was reached
 * @param record the record of the loader
 */
record Trial(double imagesPerSecond, OptionalDouble firstEpoch, RunRecord record) {

  /** The name of the stage that counts images, which is added to the user's pipeline. */
  static final String COUNTING = "counting";

  private static final Duration WAIT = Duration.ofMillis(100);

  /** The factor by which a run may exceed its time if it has not reached its number of batches. */
  private static final int PATIENCE = 8;

  /**
   * Runs a loader.
   *
   * @param seed the seed of the order; with another seed a run begins with other images
   * @param most the approximate time of the run. The run lasts longer if a thread has not loaded an
   *     image yet; without workers, it also finishes its current batch
   * @param leastBatches the number of batches for which the run is extended, up to {@value
   *     #PATIENCE} times its time; with 1 or more, the run always waits for the first batch
   * @throws LoaderException if an image cannot be loaded
   */
  static Trial run(Loading loading, long seed, Duration most, int leastBatches) {
    Ticks ticks = new Ticks();
    Dataset<LabeledImage> samples =
        loading
            .pipeline()
            .of(loading.images())
            .map(
                COUNTING,
                (LabeledImage sample) -> {
                  ticks.add();
                  return sample;
                });
    long end = System.nanoTime() + most.toNanos();
    long latest = end + (PATIENCE - 1) * most.toNanos();
    int ofFirst = Integer.MAX_VALUE;
    try (DataLoader<LabeledImage> loader =
        loading.options(DataLoader.builder(samples), seed, WAIT).build()) {
      BooleanSupplier goesOn =
          () ->
              System.nanoTime() - end < 0
                  || ticks.count() <= loading.threads()
                  || loader.stats().batches() < Math.min(1, leastBatches)
                  || (System.nanoTime() - latest < 0 && loader.stats().batches() < leastBatches);
      while (goesOn.getAsBoolean()) {
        BatchIterator batches = loader.iterator();
        boolean more = true;
        while (more && goesOn.getAsBoolean()) {
          more = closeNext(batches);
        }
        ofFirst = Math.min(ofFirst, ticks.count());
      }
      return ticks.trial(ofFirst, loading.threads(), loader.runRecord());
    } catch (LoaderException failure) {
      throw loading.pipeline().named(failure);
    }
  }

  /**
   * Takes the next batch and closes it. Gives up after {@link #WAIT}, so that the caller can check
   * the time. Returns whether there may be a further batch.
   */
  private static boolean closeNext(BatchIterator batches) {
    try {
      boolean more = batches.hasNext();
      if (more) {
        batches.next().close();
      }
      return more;
    } catch (LoaderException failure) {
      if (failure.stage() == LoaderException.Stage.WAIT && failure.getCause() == null) {
        return true;
      }
      throw failure;
    }
  }

  /** The times at which images were loaded, in nanoseconds since the run began. Thread-safe. */
  private static final class Ticks {

    private static final int LEAST_IMAGES = 5;

    private static final double WARM_UP = 0.1;

    private final long start = System.nanoTime();
    private final List<Long> nanos = new ArrayList<>();

    synchronized void add() {
      nanos.add(System.nanoTime() - start);
    }

    synchronized int count() {
      return nanos.size();
    }

    synchronized Trial trial(int ofFirst, int threads, RunRecord record) {
      int all = nanos.size();
      return all - ofFirst > Math.max(LEAST_IMAGES, 2 * threads)
          ? new Trial(
              perSecond(ofFirst, all),
              OptionalDouble.of(perSecond(begun(threads), ofFirst)),
              record)
          : new Trial(perSecond(begun(threads), all), OptionalDouble.empty(), record);
    }

    private int begun(int threads) {
      int last = Math.max(0, nanos.size() - 1);
      int from = Math.min(threads, last);
      while (from < last && nanos.get(from) < WARM_UP * nanos.get(last)) {
        from++;
      }
      return from;
    }

    /** Returns the images a second in a range of images; of all images if it has less than two. */
    private double perSecond(int from, int to) {
      long first = to - from < 2 ? 0 : nanos.get(from);
      int images = to - from < 2 ? nanos.size() : to - 1 - from;
      int last = to - from < 2 ? nanos.size() : to;
      return images == 0 ? 0 : images * 1e9 / Math.max(1, nanos.get(last - 1) - first);
    }
  }
}
