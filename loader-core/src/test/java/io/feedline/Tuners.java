package io.feedline;

import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Tuners whose settings a test gives; the system has threads enough for them. */
final class Tuners {

  private Tuners() {}

  /** A tuner that gives a setting for each batch, from 1 on; null keeps the present one. */
  static Tuner of(Tuner.Setting first, IntFunction<Tuner.Setting> next) {
    return new Tuner() {
      private int taken;

      @Override
      public Setting first() {
        return first;
      }

      @Override
      public Setting taken(Take take) {
        return next.apply(++taken);
      }

      @Override
      public void limit(int workers) {
        throw new AssertionError("there are threads enough");
      }
    };
  }

  static Tuner becoming(Tuner.Setting first, int batches, Tuner.Setting then) {
    return of(first, taken -> taken == batches ? then : null);
  }

  static Tuner always(int workers, int prefetch) {
    return of(new Tuner.Setting(workers, prefetch, "a test"), taken -> null);
  }

  /** A tuner that changes everything at each batch, by chance. */
  static Tuner wild(long seed, int mostWorkers, int mostPrefetch) {
    SplittableRandom random = new SplittableRandom(seed);
    IntFunction<Tuner.Setting> next =
        taken ->
            new Tuner.Setting(
                1 + random.nextInt(mostWorkers), 1 + random.nextInt(mostPrefetch), "chance");
    return of(next.apply(0), next);
  }
}
