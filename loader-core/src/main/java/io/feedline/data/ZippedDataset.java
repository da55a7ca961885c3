package io.feedline.data;

import io.feedline.data.Dataset.ReadAhead;
import io.feedline.internal.Counts;
import io.feedline.internal.Named;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

final class ZippedDataset<A, B, R> extends Named implements Dataset<R> {

  private final Dataset<A> first;
  private final Dataset<B> second;
  private final Combiner<? super A, ? super B, ? extends R> combiner;
  private final long size;

  ZippedDataset(
      Dataset<A> first, Dataset<B> second, Combiner<? super A, ? super B, ? extends R> combiner) {
    this.first = first;
    this.second = Objects.requireNonNull(second, "other");
    this.combiner = Objects.requireNonNull(combiner, "combiner");
    this.size = first.size();
    if (second.size() != size) {
      throw new IllegalArgumentException(
          "zip needs datasets of one size: %s has %s, %s has %d"
              .formatted(first.name(), Counts.of(size, "sample"), second.name(), second.size()));
    }
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public R get(long index) throws Exception {
    return get(index, new SampleContext(0, 0, index));
  }

  @Override
  public R get(long index, SampleContext context) throws Exception {
    Objects.checkIndex(index, size);
    A a = first.get(index, context);
    context.enter(LoaderException.Stage.READ);
    B b = second.get(index, context);
    context.enter(LoaderException.Stage.TRANSFORM);
    return combiner.combine(a, b);
  }

  @Override
  public void readAhead(long index, ReadAhead ahead) {
    first.readAhead(index, ahead);
    second.readAhead(index, ahead);
  }

  @Override
  public String describe(long index) {
    String a = first.describe(index);
    String b = second.describe(index);
    return a.equals(b) ? a : a + " and " + b;
  }

  @Override
  public List<String> transforms() {
    return Stream.of(first, second).flatMap(each -> each.transforms().stream()).toList();
  }

  @Override
  public String fingerprint() {
    return "zip(%s, %s)".formatted(first.fingerprint(), second.fingerprint());
  }

  @Override
  public String name() {
    return "zip(%s, %s)".formatted(first.name(), second.name());
  }
}
