package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.SimulatedLoader.Scene;
import io.feedline.SimulatedLoader.Spread;
import io.feedline.SimulatedLoader.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of the work, drawn at random, under a simulated loader. */
class WorkerTunerChangesTest {

  private static final int CASES = Strength.of(8);

  private enum Change {
    LATENCY {
      @Override
      Work draw(SplittableRandom random, Work work) {
        double latency = 1000 * one(random, 5, 10, 20, 40, 80);
        return new Work(work.cpu(), latency, work.storage(), work.consumer(), 1, 1);
      }
    },
    CONSUMER {
      @Override
      Work draw(SplittableRandom random, Work work) {
        double consumer = 1000 * one(random, 0, 2, 5, 10, 20, 50, 100);
        return new Work(work.cpu(), work.latency(), work.storage(), consumer, 1, 1);
      }
    },
    BURSTS {
      @Override
      Work draw(SplittableRandom random, Work work) {
        double consumer = 1000 * one(random, 5, 10, 20, 50);
        int burst = (int) one(random, 1, 4, 8);
        return new Work(work.cpu(), work.latency(), work.storage(), consumer, burst, 1);
      }
    },
    STORAGE {
      @Override
      Work draw(SplittableRandom random, Work work) {
        double most = one(random, Double.MAX_VALUE, 200, 500, 1000, 2000);
        return new Work(work.cpu(), work.latency(), most, work.consumer(), 1, 1);
      }
    },
    COMPUTING {
      @Override
      Work draw(SplittableRandom random, Work work) {
        double cpu = one(random, 1000, 2000, 4000);
        double latency = 1000 * one(random, 0, 0, 1, 5, 20);
        return new Work(cpu, latency, Double.MAX_VALUE, work.consumer(), 1, 1);
      }
    },
    OTHER_PROCESSES {
      @Override
      Work draw(SplittableRandom random, Work work) {
        double share = one(random, 1, 1, 0.5, 0.25);
        return new Work(work.cpu(), work.latency(), work.storage(), work.consumer(), 1, share);
      }
    };

    abstract Work draw(SplittableRandom random, Work work);
  }

  private static double one(SplittableRandom random, double... of) {
    return of[random.nextInt(of.length)];
  }

  /** One change, or two within seconds; after a second, or when nothing has changed for long. */
  @ParameterizedTest
  @EnumSource(Change.class)
  void shouldBeNearTheBestFixedNumberTwentySecondsAfterAnyChange(Change change) {
    List<String> missed = new ArrayList<>();
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Scene scene =
          new Scene(
              (int) one(random, 2, 4, 8),
              (int) one(random, 8, 32, 128),
              List.of(Spread.values()).get(random.nextInt(4)),
              one(random, 0, 0.1, 0.3),
              seed);
      Work common =
          new Work(
              100,
              1000 * one(random, 5, 10, 20),
              Double.MAX_VALUE,
              1000 * one(random, 0, 20),
              1,
              1);
      Work first = change.draw(random, common);
      Work last = change.draw(random, first);
      SimulatedLoader loader = new SimulatedLoader(scene, first, 0);
      loader.run(one(random, 1, 5, 20));
      if (random.nextBoolean()) {
        loader.become(last);
        loader.run(one(random, 3, 8));
        last = change.draw(random, last);
      }
      loader.become(last);
      loader.run(20);
      double rate = loader.run(10);
      if (rate < 0.9 * bound(scene, last) && rate < 0.9 * best(scene, last)) {
        missed.add(
            "seed %d: %.0f/s, %s, %s, %s".formatted(seed, rate, scene, last, loader.changes));
      }
    }
    assertThat(missed).isEmpty();
  }

  /** The rate that no number of workers can exceed, so that most need not be run. */
  private static double bound(Scene scene, Work work) {
    double atWork = SimulatedLoader.MOST_WORKERS / (work.latency() + work.cpu() / work.fairShare());
    double computed = scene.processors() * work.fairShare() / work.cpu();
    double taken = scene.batch() / work.consumer();
    return Math.min(1e6 * Math.min(Math.min(atWork, computed), taken), work.storage());
  }

  private static double best(Scene scene, Work work) {
    double best = 0;
    for (int workers = 1; workers <= SimulatedLoader.MOST_WORKERS; workers *= 2) {
      SimulatedLoader loader = new SimulatedLoader(scene, work, workers);
      loader.run(2);
      best = Math.max(best, loader.run(10));
    }
    return best;
  }
}
