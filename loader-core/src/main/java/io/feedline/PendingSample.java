package io.feedline;

/**
 * A sample that has been read from a stream but not yet made: making it is for the worker that took
 * it, in parallel with others.
 *
 * @param <T> the sample
 */
@FunctionalInterface
public interface PendingSample<T> {
  /**
   * Makes the sample; called once.
   *
   * @param context epoch and randomness
   * @return the sample, never null
   * @throws Exception if it cannot be made
   */
  T get(SampleContext context) throws Exception;

  /**
   * Returns a sample that is there already.
   *
   * @param <T> the sample
   */
  static <T> PendingSample<T> of(T sample) {
    return context -> sample;
  }
}
