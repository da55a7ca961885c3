package io.feedline.data;

import io.feedline.internal.Stages;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A transform that a dataset applies to its samples, pure or random. */
final class Step<A, B> {

  @FunctionalInterface
  private interface Function<A, B> {
    B apply(A sample, SampleContext context) throws Exception;
  }

  /** The stage's name, from the user or the user's class; null if the step has no own stage. */
  private final @Nullable String name;

  private final Object transform;
  private final Function<A, B> function;

  private Step(@Nullable String name, Object transform, Function<A, B> function) {
    this.name = name;
    this.transform = transform;
    this.function = function;
  }

  /** Makes a pure step; {@code name} is null if the user gave no name. */
  static <A, B> Step<A, B> of(String name, Transform<? super A, ? extends B> transform) {
    return new Step<>(
        name(name, transform), transform, (sample, context) -> transform.apply(sample));
  }

  /** Makes a random step, which takes its generator from the context. */
  static <A, B> Step<A, B> of(String name, RandomTransform<? super A, ? extends B> transform) {
    return new Step<>(
        name(name, transform),
        transform,
        (sample, context) -> transform.apply(sample, context.nextRandom()));
  }

  @Override
  public String toString() {
    return transform.toString();
  }

  private static @Nullable String name(@Nullable String given, Object transform) {
    Objects.requireNonNull(transform, "transform");
    return given == null ? Stages.nameOf(transform) : given;
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
