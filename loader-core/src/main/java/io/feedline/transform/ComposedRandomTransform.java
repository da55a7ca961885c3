package io.feedline.transform;

import io.feedline.internal.ReadMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A flat sequence of transforms. Flat, because the position of a random member in it selects the
 * stream that the member draws from: {@code a.andThen(b).andThen(c)} and {@code
 * a.andThen(b.andThen(c))} are the same transform. Pure members are not counted. A composition that
 * is hidden in a member of another one, in a transform of whole samples say, draws from that
 * member's stream in turn: splitting it would give the streams of the outer composition's members
 * once more.
 */
final class ComposedRandomTransform<A, B> implements RandomTransform<A, B> {

  /** A pure transform of other types. */
  record Pure<A, B>(Transform<? super A, ? extends B> transform) implements Transform<A, B> {
    @Override
    public B apply(A input) throws Exception {
      int before = ReadMeter.transform(transform);
      B result = transform.apply(input);
      ReadMeter.transformed(before);
      return result;
    }

    @Override
    public String toString() {
      return transform.toString();
    }
  }

  private final List<RandomTransform<Object, Object>> steps;

  private ComposedRandomTransform(List<RandomTransform<Object, Object>> steps) {
    this.steps = List.copyOf(steps);
  }

  static <A, B, C> RandomTransform<A, C> of(
      RandomTransform<A, B> first, RandomTransform<? super B, ? extends C> next) {
    List<RandomTransform<Object, Object>> steps = new ArrayList<>();
    addSteps(first, steps);
    addSteps(next, steps);
    return new ComposedRandomTransform<>(steps);
  }

  // The types between the steps were checked where the composition was written.
  @SuppressWarnings("unchecked")
  private static void addSteps(
      RandomTransform<?, ?> transform, List<RandomTransform<Object, Object>> steps) {
    if (transform instanceof ComposedRandomTransform<?, ?> composed) {
      steps.addAll(composed.steps);
    } else {
      steps.add((RandomTransform<Object, Object>) transform);
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public B apply(A input, RandomGenerator random) throws Exception {
    Object value = input;
    int stream = 0;
    for (RandomTransform<Object, Object> step : steps) {
      boolean takesStream =
          !(step instanceof Transform)
              && random instanceof SampleRandom sampleRandom
              && sampleRandom.isWhole();
      value =
          apply(step, value, takesStream ? ((SampleRandom) random).substream(stream++) : random);
    }
    return (B) value;
  }

  /** Applies a part of a transform, which may be a stage of its own in the loader's time. */
  static <A, B> B apply(RandomTransform<A, B> part, A input, RandomGenerator random)
      throws Exception {
    int before = ReadMeter.transform(part);
    B result = part.apply(input, random);
    ReadMeter.transformed(before);
    return result;
  }

  @Override
  public String toString() {
    return steps.toString();
  }
}
