package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Random lives of loaders, compared with what one thread would have delivered; for 10 minutes with
 * {@code mvn -Pstress verify -pl loader-core}, for others with {@code -Dsoak.minutes=60}.
 */
@ExpectedLog({"SKIP", "SUBSTITUTE"})
class LoaderModelTest {

  /** The number of scenarios; {@code -Pstress} runs more. */
  private static final int SCENARIOS = Integer.getInteger("stress.scenarios", Strength.of(600));

  private static final long FIRST = Long.getLong("stress.first", 0);

  private static final int CONSUMERS = 2;
  private static final long FIRST_OF_SOAK = 1L << 32;

  @Test
  @Timeout(600)
  void shouldDeliverWhatTheModelSaysWhateverTheConsumerDoes() throws Exception {
    Scenario.Tally tally = new Scenario.Tally();
    ExecutorService closers = Executors.newFixedThreadPool(2);
    try {
      for (long number = FIRST; number < FIRST + SCENARIOS; number++) {
        new Scenario(number, closers, tally).run();
      }
    } finally {
      closers.shutdown();
    }
    assertThat(tally.scenarios).as("%s", tally).isEqualTo(SCENARIOS);
    assertThat(Threads.named("feedline-scenario")).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(
      named = "soak.minutes",
      matches = "\\d+(\\.\\d+)?",
      disabledReason = "it takes minutes; -Pstress runs it")
  void shouldLoseNothingInTheLongRun() throws Exception {
    double minutes = Double.parseDouble(System.getProperty("soak.minutes"));
    long deadline = System.nanoTime() + (long) (minutes * Duration.ofMinutes(1).toNanos());
    ExecutorService consumers = Executors.newFixedThreadPool(CONSUMERS);
    ExecutorService closers = Executors.newFixedThreadPool(2);
    List<Future<Resources>> peaks = new ArrayList<>();
    List<Scenario.Tally> tallies = new ArrayList<>();
    try {
      for (int consumer = 0; consumer < CONSUMERS; consumer++) {
        Scenario.Tally tally = new Scenario.Tally();
        tallies.add(tally);
        long first = FIRST_OF_SOAK * (consumer + 1);
        peaks.add(consumers.submit(() -> live(first, deadline, closers, tally)));
      }
      Resources most = Resources.now();
      for (Future<Resources> peak : peaks) {
        most = most.max(peak.get());
      }
      for (Scenario.Tally tally : tallies) {
        System.out.println(tally);
        assertThat(tally.scenarios).isPositive();
      }
      System.out.println("at most " + most);
      System.out.println("at the end " + Resources.now());
      assertThat(Threads.named("feedline-scenario")).isEmpty();
      // Each life has at most two loaders with eight workers at a time, and a few small slots.
      assertThat(most.threads()).isLessThan(100);
      assertThat(most.descriptors()).isLessThan(1000);
    } finally {
      consumers.shutdown();
      closers.shutdown();
    }
  }

  private static Resources live(
      long first, long deadline, ExecutorService closers, Scenario.Tally tally) throws Exception {
    Resources most = Resources.now();
    for (long number = first; System.nanoTime() < deadline; number++) {
      new Scenario(number, closers, tally).run();
      most = most.max(Resources.now());
    }
    return most;
  }
}
