package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.doctor.ReadFigures.Cost;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Flight;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how a store answers: it reads images for the first time in this run, reads the same ones
 * again, and then more of them by several threads at once.
 *
 * <p>The page cache of the system cannot be emptied without the rights to do so; whether first
 * reads came from it shows in the second ones.
 */
final class ReadProbe {

  private static final int MOST_IMAGES = 256;
  private static final int WARM_UP_IMAGES = 16;
  private static final int MOST_THREADS = Diagnosis.READS_AHEAD;
  private static final long MOST_BYTES = 64L << 20;

  /** From this growth on, twice the threads are tried. */
  private static final double GROWS = 1.3;

  /** The threads that are always tried. */
  private static final int THREADS = 4;

  private final ImageDataset images;
  private final long[] fresh;
  private final Duration time;
  private final List<EncodedImage> read = new ArrayList<>();
  private final List<Long> indexes = new ArrayList<>();

  /**
   * A probe that has not measured yet.
   *
   * @param fresh one image or more that were not read in this run: a few to warm up with, half of
   *     them for first reads, and the others for reads at once
   * @param time of each measurement, about
   */
  ReadProbe(ImageDataset images, long[] fresh, Duration time) {
    this.images = images;
    this.fresh = fresh;
    this.time = time;
  }

  /** Measures, which takes up to four times the time of a measurement. */
  ReadFigures measure() throws Exception {
    int toWarmUp = Math.min(WARM_UP_IMAGES, (fresh.length + 1) / 4);
    warmUp(Math.max(1, toWarmUp));
    int half = Math.max(toWarmUp + 1, fresh.length / 2);
    Cost first = firstReads(Math.min(toWarmUp, fresh.length - 1), Math.min(half, fresh.length));
    Cost again = readsAgain();
    double bytes = read.stream().mapToInt(image -> image.bytes().length).average().orElseThrow();
    return new ReadFigures(read.size(), bytes, first, again, flights(half));
  }

  /** The images that were read. */
  MemoryStore inMemory() {
    List<String> places = indexes.stream().map(images::describe).toList();
    return new MemoryStore(List.copyOf(read), places);
  }

  /** Opens what is opened once, and has the JVM compile what reads. */
  private void warmUp(int some) throws Exception {
    LoadGenerator.work(1, time.dividedBy(4), number -> images.encoded(fresh[number % some]));
  }

  private Cost firstReads(int from, int to) throws IOException {
    long bytes = 0;
    Laps laps = new Laps();
    long end = System.nanoTime() + time.toNanos();
    for (int i = from; i < Math.min(to, from + MOST_IMAGES); i++) {
      EncodedImage image = images.encoded(fresh[i]);
      read.add(image);
      indexes.add(fresh[i]);
      bytes += image.bytes().length;
      laps.add();
      if (System.nanoTime() - end > 0 || bytes > MOST_BYTES) {
        break;
      }
    }
    return laps.cost();
  }

  private Cost readsAgain() throws IOException {
    Laps laps = new Laps();
    for (long index : indexes) {
      images.encoded(index);
      laps.add();
    }
    return laps.cost();
  }

  /** The times of the thread's reads, a few of them together. */
  private static final class Laps {
    private static final int READS = 16;

    private final List<Cost> costs = new ArrayList<>();
    private ThreadTimes start = ThreadTimes.now();
    private int reads;

    Laps() throws IOException {}

    void add() throws IOException {
      reads++;
      if (reads == READS) {
        end();
      }
    }

    private void end() throws IOException {
      ThreadTimes times = ThreadTimes.now().since(start);
      costs.add(new Cost(times.waitSeconds(reads), times.cpuSeconds(reads)));
      reads = 0;
      start = ThreadTimes.now();
    }

    Cost cost() throws IOException {
      if (costs.isEmpty() || reads > READS / 2) {
        end();
      }
      return Cost.typicalOf(costs);
    }
  }

  private List<Flight> flights(int from) throws Exception {
    List<Flight> flights = new ArrayList<>();
    int left = fresh.length - from;
    double before = 0;
    int begun = 0;
    for (int threads = 1; threads <= MOST_THREADS; threads *= 2) {
      int offset = begun;
      LoadGenerator.Done done =
          LoadGenerator.work(
              threads,
              time.dividedBy(4),
              number ->
                  images.encoded(
                      fresh[left <= 0 ? 0 : from + (int) ((long) (offset + number) % left)]));
      begun += (int) (done.perSecond() * time.toNanos() / 4e9);
      flights.add(new Flight(threads, done.perSecond(), done.cpuSeconds(), done.waitSeconds()));
      if (threads >= THREADS && done.perSecond() < GROWS * before) {
        break;
      }
      before = done.perSecond();
    }
    return flights;
  }
}
