package io.feedline.data;

import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.Objects;

/**
 * A transform that a dataset applies to its samples, pure or random, under the name that its user
 * gave to it as a stage of the loader's work.
 */
final class Step<A, B> {

  /** The transform: only a random one takes a generator from the context. */
  @FunctionalInterface
  private interface Function<A, B> {
    B apply(A sample, SampleContext context) throws Exception;
  }

  private final String name;
  private final Function<A, B> function;

  private Step(String name, Function<A, B> function) {
    this.name = name;
    this.function = function;
  }

  /** A pure transform; {@code name} is null where the user gave none. */
  static <A, B> Step<A, B> of(String name, Transform<? super A, ? extends B> transform) {
    Objects.requireNonNull(transform, "transform");
    return new Step<>(name, (sample, context) -> transform.apply(sample));
  }

  /** A random transform; {@code name} is null where the user gave none. */
  static <A, B> Step<A, B> of(String name, RandomTransform<? super A, ? extends B> transform) {
    Objects.requireNonNull(transform, "transform");
    return new Step<>(name, (sample, context) -> transform.apply(sample, context.nextRandom()));
  }

  B apply(A sample, SampleContext context) throws Exception {
    context.enter(LoaderException.Stage.TRANSFORM);
    if (name == null) {
      return function.apply(sample, context);
    }
    context.enter(name);
    B made = function.apply(sample, context);
    context.enter(LoaderException.Stage.TRANSFORM);
    return made;
  }
}
