package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Random lives of loaders for as long as one likes: 10 minutes with {@code mvn -Pstress verify -pl
 * loader-core}, others with {@code -Dsoak.minutes=60}. Reports what it has gone through, and the
 * most that the JVM ever held.
 */
@ExpectedLog({"SKIP", "SUBSTITUTE"})
class LoaderSoakTest {

  private static final int CONSUMERS = 2;

  /** Scenarios from this number on are no other test's. */
  private static final long FIRST = 1L << 32;

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
        long first = FIRST * (consumer + 1);
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
