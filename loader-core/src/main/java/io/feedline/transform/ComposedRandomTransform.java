package io.feedline.transform;

import io.feedline.internal.Composition;
import io.feedline.internal.ReadMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A flat sequence of transforms. It is flat because a random member's position in it selects the
 * stream that the member draws from: {@code a.andThen(b).andThen(c)} and {@code
 * a.andThen(b.andThen(c))} are the same transform. A position counts no pure members. A composition
 * that is hidden in a member of another composition, for example in a transform of whole samples,
 * draws from that member's stream without splitting it: splitting the stream would repeat the
 * streams of the outer composition's members.
 */
record ComposedRandomTransform<A, B>(List<RandomTransform<Object, Object>> parts)
    implements RandomTransform<A, B>, Composition {

  static <A, B, C> RandomTransform<A, C> of(
      RandomTransform<A, B> first, RandomTransform<? super B, ? extends C> next) {
    return of(flat(List.of(first, next)));
  }

  // The types between the parts were checked where the composition was written.
  @SuppressWarnings("unchecked")
  static <A, B> RandomTransform<A, B> of(List<?> parts) {
    return new ComposedRandomTransform<>(
        List.copyOf((List<RandomTransform<Object, Object>>) parts));
  }

  /** Returns transforms in which each composition is replaced by its parts. */
  static List<?> flat(List<?> transforms) {
    List<Object> parts = new ArrayList<>();
    for (Object transform : transforms) {
      parts.addAll(
          transform instanceof Composition composed ? composed.parts() : List.of(transform));
    }
    return parts;
  }

  @Override
  @SuppressWarnings("unchecked")
  public B apply(A input, RandomGenerator random) throws Exception {
    Object value = input;
    int stream = 0;
    for (RandomTransform<Object, Object> part : parts) {
      boolean takesStream =
          !(part instanceof Transform)
              && random instanceof SampleRandom sampleRandom
              && sampleRandom.isWhole();
      value =
          apply(part, value, takesStream ? ((SampleRandom) random).substream(stream++) : random);
    }
    return (B) value;
  }

  /** Applies a part of a composition; the loader may report the part's time as a stage. */
  static <A, B> B apply(RandomTransform<A, B> part, A input, RandomGenerator random)
      throws Exception {
    int before = ReadMeter.transform(part);
    B result = part.apply(input, random);
    ReadMeter.transformed(before);
    return result;
  }

  @Override
  public String toString() {
    return parts.toString();
  }
}
