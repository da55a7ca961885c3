package io.feedline.data;

import io.feedline.data.Dataset.ReadAhead;
import io.feedline.internal.Digest;
import io.feedline.internal.Lists;
import io.feedline.internal.Named;
import java.util.List;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * A dataset that takes its samples from other datasets by arithmetic: a subset, a concatenation, a
 * mixture. The context is passed on unchanged, so a sample that has two indices is augmented in two
 * ways.
 */
final class RoutedDataset<T> extends Named implements Dataset<T> {

  /** The way from an index to a sample of one of the members. Thread-safe. */
  interface Route {
    long size();

    int member(long index);

    long indexIn(int member, long index);
  }

  private record Selection(long size, LongUnaryOperator indices) implements Route {
    @Override
    public int member(long index) {
      return 0;
    }

    @Override
    public long indexIn(int member, long index) {
      return indices.applyAsLong(index);
    }
  }

  /** The largest number of indices that a fingerprint includes, since there may be billions. */
  private static final long FINGERPRINT_SAMPLES = 4096;

  private final List<Dataset<? extends T>> members;
  private final Route route;
  private final String name;

  RoutedDataset(List<? extends Dataset<? extends T>> members, Route route, String name) {
    this.members = Lists.copyOf("datasets", members);
    this.route = route;
    this.name = name;
  }

  static <T> Dataset<T> select(
      Dataset<T> source, long size, LongUnaryOperator indices, String name) {
    return new RoutedDataset<>(List.of(source), new Selection(size, indices), name);
  }

  @Override
  public long size() {
    return route.size();
  }

  @Override
  public T get(long index) throws Exception {
    return get(index, new SampleContext(0, 0, index));
  }

  @Override
  public T get(long index, SampleContext context) throws Exception {
    Objects.checkIndex(index, route.size());
    int member = route.member(index);
    return members.get(member).get(route.indexIn(member, index), context);
  }

  @Override
  public void readAhead(long index, ReadAhead ahead) {
    int member = route.member(index);
    members.get(member).readAhead(route.indexIn(member, index), ahead);
  }

  @Override
  public String describe(long index) {
    if (index < 0 || index >= route.size()) {
      return Dataset.super.describe(index);
    }
    int number = route.member(index);
    Dataset<? extends T> member = members.get(number);
    long indexIn = route.indexIn(number, index);
    String description = member.describe(indexIn);
    // A path or key identifies the sample; a bare number needs the dataset's name, too.
    return description.equals("index " + indexIn)
        ? description + " of " + member.name()
        : description;
  }

  @Override
  public List<String> transforms() {
    return members.stream().flatMap(each -> each.transforms().stream()).toList();
  }

  @Override
  public String fingerprint() {
    long size = route.size();
    long step = 1 + size / FINGERPRINT_SAMPLES;
    Digest digest = new Digest();
    for (long index = 0; index < size; index += step) {
      int member = route.member(index);
      digest.add(member);
      digest.add(route.indexIn(member, index));
    }
    return members.stream()
        .map(Dataset::fingerprint)
        .collect(Collectors.joining("+", name + ":" + size + ":" + digest + "(", ")"));
  }

  @Override
  public String name() {
    return name;
  }
}
