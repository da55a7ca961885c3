package io.feedline;

import io.feedline.batch.Probes.Probe;
import io.feedline.data.SampleContext;
import io.feedline.sampler.Sampler.Order;
import io.feedline.transform.SampleRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The expected content of one epoch, worked out by one thread in the plainest way: the sequence of
 * samples, cut into batches, each of them a list of samples or a failure.
 */
final class EpochModel {

  /**
   * A row of a batch.
   *
   * @param key what the loader calls the sample: its index, or its position in a stream
   * @param probe which sample it is
   * @param occurrence tells its draws apart from those of others with its key
   */
  record Sample(long key, long probe, long occurrence) {
    Sample(long key, long probe) {
      this(key, probe, 0);
    }
  }

  /**
   * A batch that should come.
   *
   * @param samples its rows without those that pad it; empty where it is not delivered
   * @param rows its rows with those that pad it
   * @param failedKey the key that its failure names, or -1 if it does not fail
   */
  record Expected(long number, List<Sample> samples, int rows, long failedKey) {
    boolean fails() {
      return failedKey >= 0;
    }

    boolean comes() {
      return fails() || !samples.isEmpty();
    }
  }

  /** Which samples fail, and how. */
  interface Faults {
    /** Returns the exception of a sample, or null. */
    Throwable of(long probe);
  }

  private EpochModel() {}

  /** The sequence of an indexed dataset. */
  static List<Sample> indexed(Order order) {
    return LongStream.range(0, order.size())
        .map(order::indexAt)
        .mapToObj(index -> new Sample(index, index))
        .toList();
  }

  /** The sequence of a stream. */
  static List<Sample> streamed(EpochStream<Probe> stream) throws Exception {
    List<Sample> samples = new ArrayList<>();
    // An interrupt is the loader's, and would end reading here.
    boolean interrupted = Thread.interrupted();
    try (stream) {
      StreamedSample<Probe> drawn;
      while ((drawn = stream.next()) != null) {
        long position = samples.size();
        samples.add(new Sample(position, drawn.get(new SampleContext(0, 0, position)).index()));
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return samples;
  }

  /** The batches of a sequence. */
  static List<Expected> batches(
      List<Sample> sequence, LoaderOptions<?> options, long epoch, Faults faults) {
    int batchSize = options.batchSize().getAsInt();
    List<Expected> batches = new ArrayList<>();
    for (int from = 0; from < sequence.size(); from += batchSize) {
      List<Sample> rows = sequence.subList(from, Math.min(from + batchSize, sequence.size()));
      if (rows.size() == batchSize || !options.dropLast()) {
        batches.add(batch(batches.size(), rows, sequence, options, epoch, faults));
      }
    }
    return batches;
  }

  private static Expected batch(
      long number,
      List<Sample> rows,
      List<Sample> sequence,
      LoaderOptions<?> options,
      long epoch,
      Faults faults) {
    ErrorPolicy policy = options.errorPolicy();
    List<Sample> failed = rows.stream().filter(row -> faults.of(row.probe()) != null).toList();
    List<Sample> fatal =
        policy.action() == ErrorPolicy.Action.FAIL
            ? failed
            : failed.stream().filter(row -> faults.of(row.probe()) instanceof Error).toList();
    if (!fatal.isEmpty()) {
      return new Expected(number, List.of(), 0, fatal.get(0).key());
    }
    List<Sample> delivered = new ArrayList<>();
    long place = number * options.batchSize().getAsInt() - 1;
    for (Sample row : rows) {
      place++;
      if (faults.of(row.probe()) == null) {
        delivered.add(row);
      } else if (policy.action() == ErrorPolicy.Action.SUBSTITUTE) {
        Sample substitute = substitute(place, sequence, options, epoch, faults);
        if (substitute == null) {
          return new Expected(number, List.of(), 0, row.key());
        }
        long occurrence = Long.MIN_VALUE + (number << Integer.SIZE) + delivered.size();
        delivered.add(new Sample(substitute.key(), substitute.probe(), occurrence));
      }
    }
    boolean padded = options.padLast() && !delivered.isEmpty();
    int size = padded ? options.batchSize().getAsInt() : delivered.size();
    return new Expected(number, delivered, size, -1);
  }

  private static Sample substitute(
      long place, List<Sample> sequence, LoaderOptions<?> options, long epoch, Faults faults) {
    for (int attempt = 0; attempt < ErrorPolicy.ATTEMPTS; attempt++) {
      SampleRandom random = new SampleRandom(options.seed(), epoch, place, 0xFFFF);
      Sample drawn = sequence.get((int) random.substream(attempt).nextLong(sequence.size()));
      if (faults.of(drawn.probe()) == null) {
        return drawn;
      }
    }
    return null;
  }
}
