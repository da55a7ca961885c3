package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random lives of loaders, compared with what one thread would have delivered. */
@Timeout(value = 1, unit = TimeUnit.HOURS)
@ExpectedLog({"SKIP", "SUBSTITUTE"})
class LoaderModelTest {

  /** The number of scenarios; {@code -Pstress} runs more, and {@code -Dstress.scenarios} any. */
  private static final int SCENARIOS = Integer.getInteger("stress.scenarios", Strength.of(600));

  private static final long FIRST = Long.getLong("stress.first", 0);

  @Test
  void shouldDeliverWhatTheModelSaysWhateverTheConsumerDoes() throws Exception {
    ExecutorService closers = Executors.newFixedThreadPool(2);
    try {
      for (long number = FIRST; number < FIRST + SCENARIOS; number++) {
        new Scenario(number, closers).run();
      }
    } finally {
      closers.shutdown();
    }
    assertThat(Threads.named("feedline-scenario")).isEmpty();
  }
}
