package io.feedline.data;

import io.feedline.internal.Lists;
import java.util.List;

final class ConcatRoute implements RoutedDataset.Route {

  /** The index at which each member starts, then the index behind the last member. */
  private final long[] starts;

  private ConcatRoute(long[] starts) {
    this.starts = starts;
  }

  static <T> Dataset<T> concat(List<? extends Dataset<? extends T>> members) {
    if (members.isEmpty()) {
      throw new IllegalArgumentException("concat needs at least one dataset, was given none");
    }
    List<Dataset<? extends T>> all = Lists.copyOf("datasets", members);
    long[] starts = new long[all.size() + 1];
    for (int i = 0; i < members.size(); i++) {
      starts[i + 1] = Math.addExact(starts[i], all.get(i).size());
    }
    return new RoutedDataset<>(all, new ConcatRoute(starts), names("concat", all));
  }

  /** Returns a name such as {@code concat(A, B)}; of many members it names only the first. */
  static String names(String operation, List<? extends Dataset<?>> members) {
    int shown = members.size() <= 4 ? members.size() : 3;
    StringBuilder names = new StringBuilder(operation).append('(');
    for (int i = 0; i < shown; i++) {
      names.append(i == 0 ? "" : ", ").append(members.get(i).name());
    }
    if (shown < members.size()) {
      names.append(", and ").append(members.size() - shown).append(" more");
    }
    return names.append(')').toString();
  }

  @Override
  public long size() {
    return starts[starts.length - 1];
  }

  /** Returns the last member that begins at or before the index; this member is not empty. */
  @Override
  public int member(long index) {
    int low = 0;
    int high = starts.length - 2;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts[middle] <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  @Override
  public long indexIn(int member, long index) {
    return index - starts[member];
  }
}
