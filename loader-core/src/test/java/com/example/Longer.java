package com.example;

import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.random.RandomGenerator;

/**
 * A transform of a user's, whose class is none of the library's, pure and random: it takes time.
 */
public record Longer(Runnable work) implements Transform<Long, Long> {

  @Override
  public Long apply(Long sample) {
    work.run();
    return sample + 1;
  }

  /** The same with a generator. */
  public record Randomly(Runnable work) implements RandomTransform<Long, Long> {
    @Override
    public Long apply(Long sample, RandomGenerator random) {
      work.run();
      return sample + 1;
    }
  }
}
