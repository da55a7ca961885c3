package io.feedline.transform;

import io.feedline.internal.Composition;
import io.feedline.internal.ReadMeter;
import java.util.List;
import java.util.stream.Collectors;

/** Pure transforms, one after the other; a flat sequence, as {@link ComposedRandomTransform} is. */
record ComposedTransform<A, B>(List<Transform<Object, Object>> parts)
    implements Transform<A, B>, Composition {

  static <A, B, C> Transform<A, C> of(
      Transform<A, B> first, Transform<? super B, ? extends C> next) {
    return of(ComposedRandomTransform.flat(List.of(first, next)));
  }

  // The types between the parts were checked where the composition was written.
  @SuppressWarnings("unchecked")
  static <A, B> Transform<A, B> of(List<?> parts) {
    return new ComposedTransform<>(List.copyOf((List<Transform<Object, Object>>) parts));
  }

  @Override
  @SuppressWarnings("unchecked")
  public B apply(A input) throws Exception {
    Object value = input;
    for (Transform<Object, Object> part : parts) {
      int before = ReadMeter.transform(part);
      value = part.apply(value);
      ReadMeter.transformed(before);
    }
    return (B) value;
  }

  @Override
  public String toString() {
    return parts.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
