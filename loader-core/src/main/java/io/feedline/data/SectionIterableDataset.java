package io.feedline.data;

import io.feedline.internal.Named;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A section of another dataset: consecutive samples, with all shards read as one stream. */
final class SectionIterableDataset<T> extends Named implements IterableDataset<T> {

  private final IterableDataset<T> source;
  private final long from;
  private final long length;
  private final String name;

  SectionIterableDataset(IterableDataset<T> source, long from, long length, String name) {
    this.source = source;
    this.from = from;
    this.length = length;
    this.name = source.name() + name;
  }

  static long checked(String operation, long samples) {
    if (samples < 0) {
      throw new IllegalArgumentException(
          "%s(samples) needs a number of 0 or more, was %d".formatted(operation, samples));
    }
    return samples;
  }

  @Override
  public OptionalLong size() {
    OptionalLong size = source.size();
    return size.isEmpty()
        ? size
        : OptionalLong.of(Math.min(length, Math.max(0, size.getAsLong() - from)));
  }

  @Override
  public List<String> transforms() {
    return source.transforms();
  }

  @Override
  public String fingerprint() {
    return source.fingerprint() + "[" + from + ", " + length + "]";
  }

  @Override
  public boolean readOnce() {
    return source.readOnce();
  }

  @Override
  public String describe(int shard) {
    return source.shards() == 1 ? source.describe(0) : name;
  }

  @Override
  public String describe(int shard, long sample) {
    return source.shards() == 1
        ? source.describe(0, from + sample)
        : "sample %d of %s".formatted(sample, name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public SampleStream<T> open(int shard, long epoch) {
    int[] shards = IntStream.range(0, source.shards()).toArray();
    return new Section(new JoinedStream<>(source, epoch, shards));
  }

  /** A section's stream. Its mark (place): the number of source samples read, the source's mark. */
  private final class Section implements SampleStream<T> {

    private final JoinedStream<T> stream;

    Section(JoinedStream<T> stream) {
      this.stream = stream;
    }

    @Override
    public @Nullable PendingSample<T> next() throws Exception {
      passFront();
      return stream.given() - from < length ? stream.next() : null;
    }

    /** Skips the samples before the section; after an interrupt, the next call continues. */
    private void passFront() throws Exception {
      boolean more = true;
      while (more && stream.given() < from) {
        more = stream.skip(1) == 1;
      }
    }

    @Override
    public List<Long> mark() {
      List<Long> place = stream.mark();
      if (place.isEmpty()) {
        return place;
      }
      List<Long> mark = new ArrayList<>();
      mark.add(stream.given());
      mark.addAll(place);
      return mark;
    }

    @Override
    public void goTo(long samples, List<Long> mark) throws Exception {
      if (mark.isEmpty() || mark.get(0) < 0) {
        throw new IOException("%s is not a position in %s".formatted(mark, name));
      }
      stream.goTo(mark.get(0), mark.subList(1, mark.size()));
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
