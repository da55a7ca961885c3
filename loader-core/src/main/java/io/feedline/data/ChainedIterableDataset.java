package io.feedline.data;

import io.feedline.internal.Counts;
import io.feedline.internal.Named;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

final class ChainedIterableDataset<T> extends Named implements IterableDataset<T> {

  private final List<IterableDataset<? extends T>> members;

  ChainedIterableDataset(List<IterableDataset<? extends T>> members) {
    if (members.isEmpty()) {
      throw new IllegalArgumentException("a chain needs one dataset or more, none was given");
    }
    this.members = members;
  }

  @Override
  public int shards() {
    return members.stream().mapToInt(IterableDataset::shards).reduce(0, Math::addExact);
  }

  private record Shard<T>(IterableDataset<? extends T> member, int number) {}

  private Shard<T> shard(int shard) {
    int first = 0;
    for (IterableDataset<? extends T> member : members) {
      if (shard >= 0 && shard < first + member.shards()) {
        return new Shard<>(member, shard - first);
      }
      first += member.shards();
    }
    throw new IndexOutOfBoundsException(
        "shard %d of %s, which has %d".formatted(shard, name(), first));
  }

  @Override
  @SuppressWarnings("unchecked") // A stream only returns samples, so a stream of a subtype is safe.
  public SampleStream<T> open(int shard, long epoch) throws Exception {
    Shard<T> found = shard(shard);
    return (SampleStream<T>) JoinedStream.open(found.member(), found.number(), epoch);
  }

  @Override
  public OptionalLong size() {
    long total = 0;
    for (IterableDataset<? extends T> member : members) {
      OptionalLong one = member.size();
      if (one.isEmpty()) {
        return one;
      }
      total = Counts.sum(total, one.getAsLong());
    }
    return OptionalLong.of(total);
  }

  @Override
  public OptionalLong shardSize(int shard) {
    Shard<T> found = shard(shard);
    return found.member().shardSize(found.number());
  }

  @Override
  public boolean readOnce() {
    return members.stream().anyMatch(IterableDataset::readOnce);
  }

  @Override
  public String describe(int shard) {
    Shard<T> found = shard(shard);
    return found.member().describe(found.number());
  }

  @Override
  public String describe(int shard, long sample) {
    Shard<T> found = shard(shard);
    return found.member().describe(found.number(), sample);
  }

  @Override
  public List<String> transforms() {
    return members.stream().flatMap(each -> each.transforms().stream()).toList();
  }

  @Override
  public String fingerprint() {
    return members.stream().map(IterableDataset::fingerprint).collect(Collectors.joining("+"));
  }

  @Override
  public String name() {
    return members.stream().map(IterableDataset::name).collect(Collectors.joining("+"));
  }
}
