package io.feedline.transform;

import io.feedline.internal.ReadMeter;

/** Two transforms, one after the other. */
record ComposedTransform<A, B, C>(Transform<A, B> first, Transform<? super B, ? extends C> next)
    implements Transform<A, C> {

  @Override
  public C apply(A input) throws Exception {
    int before = ReadMeter.transform(first);
    B made = first.apply(input);
    ReadMeter.transformed(before);
    ReadMeter.transform(next);
    C result = next.apply(made);
    ReadMeter.transformed(before);
    return result;
  }

  @Override
  public String toString() {
    return first + ", " + next;
  }
}
