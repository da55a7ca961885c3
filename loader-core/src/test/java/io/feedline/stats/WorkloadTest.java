package io.feedline.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.StallHarness;
import io.feedline.batch.Decoded;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Workloads with one known bottleneck each, whose samples differ by chance: the verdict names it,
 * and the causes of at least 95 in 100 stalls are right.
 */
@Timeout(60)
class WorkloadTest extends StallHarness {

  private static final int BATCHES = 60;
  private static final long CHEAP_MICROS = 300;
  private static final long SLOW_MICROS = 4000;

  /** Batches that the consumer takes at once where there are too few slots. */
  private static final int BURST = 3;

  private enum Slow {
    READING(Stalls.Cause.READ),
    DECODING(Stalls.Cause.DECODE),
    TRANSFORMING(Stalls.Cause.TRANSFORM);

    private final Stalls.Cause cause;

    Slow(Stalls.Cause cause) {
      this.cause = cause;
    }
  }

  /** By the consumer itself and by one worker: several would pass the one clock's time in turns. */
  private static Stream<Arguments> runs() {
    return Arrays.stream(Slow.values())
        .flatMap(
            slow -> IntStream.range(0, 6).mapToObj(run -> Arguments.of(slow, run / 3, run % 3)));
  }

  /** Samples of which each stage takes a while, from half of it to one and a half times. */
  private Dataset<TensorSource> samples(Slow slow, int seed) {
    return Dataset.of(
            (long) BATCHES * BATCH,
            index -> {
              stage(Slow.READING, slow, seed, index);
              return index;
            })
        .map(
            "augment",
            index -> {
              stage(Slow.TRANSFORMING, slow, seed, index);
              return new Decoded(
                  () -> stage(Slow.DECODING, slow, seed, index),
                  () -> clock.passMicros(CHEAP_MICROS));
            });
  }

  private void stage(Slow stage, Slow slow, int seed, long index) {
    double factor =
        new SplittableRandom(seed * 31L + index * 3 + stage.name().length()).nextDouble(0.5, 1.5);
    if (stage == slow) {
      work((long) (factor * SLOW_MICROS));
    } else {
      clock.passMicros((long) (factor * CHEAP_MICROS));
    }
  }

  /** The first stall's cause is start-up, since nothing was prepared. */
  private void assertVerdict(int stalls, Stalls.Cause cause) {
    int size = loader.options().batchSize().orElseThrow();
    Stalls found = loader.stats().stalls();
    long right = found.of(cause).count() + Math.min(1, found.of(Stalls.Cause.START_UP).count());
    assertThat(found.total().count()).as(found::toString).isBetween((long) stalls, stalls + 1L);
    assertThat(right).as(found::toString).isGreaterThanOrEqualTo((long) (0.95 * stalls));
    assertThat(found.worst()).hasValue(cause);
    ServiceLevel.Report report = loader.serviceLevel(ServiceLevel.of(size, Duration.ofMillis(4)));
    assertThat(report.kept()).isFalse();
    // Workers still count between the two readings.
    assertThat(withoutNumbers(report.blame()))
        .isEqualTo(withoutNumbers(loader.runRecord().bottleneck().clause()));
  }

  private static String withoutNumbers(String text) {
    return text.replaceAll("[0-9.]+", "#");
  }

  @ParameterizedTest
  @MethodSource("runs")
  void shouldNameTheSlowStage(Slow slow, int workers, int seed) {
    try (DataLoader<?> made = builder(samples(slow, seed), workers).build()) {
      consume(made);
      assertVerdict(BATCHES, slow.cause);
    }
  }

  /** The consumer takes three batches at once, then none for long. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void shouldNameTooFewSlots(int seed) {
    Dataset<Long> dataset =
        Dataset.of(
            (long) BATCHES * BATCH,
            index -> {
              long micros =
                  new SplittableRandom(seed + 31 * index).nextLong(SLOW_MICROS / 2, SLOW_MICROS);
              if (index / BATCH % BURST == 0) {
                clock.passMicros(micros);
              } else {
                work(micros);
              }
              return index;
            });
    try (DataLoader<?> made = builder(dataset, 1).prefetch(1).build()) {
      loader = made;
      BatchIterator epoch = loader.iterator();
      while (epoch.hasNext()) {
        awaitIdleWorkers();
        clock.passMicros(1_000_000);
        for (int i = 0; i < BURST; i++) {
          epoch.next().close();
        }
      }
      assertVerdict(BATCHES * (BURST - 1) / BURST, Stalls.Cause.NO_ROOM);
    }
  }
}
