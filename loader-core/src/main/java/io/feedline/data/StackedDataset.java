package io.feedline.data;

import io.feedline.data.Dataset.ReadAhead;
import io.feedline.internal.Counts;
import io.feedline.internal.MapKeys;
import io.feedline.internal.Named;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Datasets of equal sizes as one: a sample is a map with a value from each dataset. */
final class StackedDataset extends Named implements Dataset<Map<String, Object>> {

  private final Map<String, Dataset<?>> members = new LinkedHashMap<>();
  private final long size;

  StackedDataset(Map<String, ? extends Dataset<?>> members) {
    if (members.isEmpty()) {
      throw new IllegalArgumentException("stack needs at least one dataset, was given none");
    }
    for (String key : MapKeys.inOrder(members)) {
      this.members.put(key, Objects.requireNonNull(members.get(key), key));
    }
    this.size = this.members.values().iterator().next().size();
    if (this.members.values().stream().anyMatch(member -> member.size() != size)) {
      throw new IllegalArgumentException(
          "stack needs datasets of one size: "
              + MapKeys.listed(this.members, member -> Counts.of(member.size(), "sample")));
    }
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Map<String, Object> get(long index) throws Exception {
    return get(index, new SampleContext(0, 0, index));
  }

  @Override
  public Map<String, Object> get(long index, SampleContext context) throws Exception {
    Objects.checkIndex(index, size);
    Map<String, Object> sample = new LinkedHashMap<>();
    for (Map.Entry<String, Dataset<?>> member : members.entrySet()) {
      context.enter(LoaderException.Stage.READ);
      sample.put(member.getKey(), member.getValue().get(index, context));
    }
    return sample;
  }

  @Override
  public void readAhead(long index, ReadAhead ahead) {
    members.values().forEach(member -> member.readAhead(index, ahead));
  }

  @Override
  public String describe(long index) {
    return members.values().stream()
        .map(member -> member.describe(index))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  @Override
  public List<String> transforms() {
    return members.values().stream().flatMap(each -> each.transforms().stream()).toList();
  }

  @Override
  public String fingerprint() {
    return "stack(" + MapKeys.listed(members, Dataset::fingerprint) + ")";
  }

  @Override
  public String name() {
    return "stack(" + MapKeys.listed(members, Dataset::name) + ")";
  }
}
