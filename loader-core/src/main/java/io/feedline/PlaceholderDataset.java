package io.feedline;

import io.feedline.batch.RowCollator;
import io.feedline.batch.RowCollator.Row;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Stand-ins for samples that are not read. A dataset or stream of placeholders has the size, the
 * name and the fingerprint of the real dataset, so its epochs have the same batches, indices and
 * states; but its batches have no entries, and cost next to nothing.
 */
final class PlaceholderDataset {

  private static final Object SAMPLE = new Object();

  private PlaceholderDataset() {}

  /** Returns a placeholder, which only the {@link #collator} receives and ignores. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T> T sample() {
    return (T) SAMPLE;
  }

  static <T> Dataset<T> of(Dataset<T> dataset) {
    return new Dataset<>() {
      @Override
      public long size() {
        return dataset.size();
      }

      @Override
      public T get(long index) {
        return sample();
      }

      @Override
      public String name() {
        return dataset.name();
      }

      @Override
      public String fingerprint() {
        return dataset.fingerprint();
      }
    };
  }

  /**
   * Returns a stream of placeholders, whose shards have the sizes that the real stream declares;
   * the real stream is never opened. A shard of unknown size has no end. If only the size of the
   * whole stream is known, all shards are about equally long.
   */
  static <T> IterableDataset<T> of(IterableDataset<T> stream) {
    return new PlaceholderShards<>(stream);
  }

  private record PlaceholderShards<T>(IterableDataset<T> stream) implements IterableDataset<T> {
    @Override
    public SampleStream<T> open(int shard, long epoch) {
      return new PlaceholderStream<>(samples(shard));
    }

    private long samples(int shard) {
      boolean eachIsKnown =
          IntStream.range(0, shards()).allMatch(each -> shardSize(each).isPresent());
      if (!eachIsKnown && size().isPresent()) {
        long all = size().getAsLong();
        return all / shards() + (shard < all % shards() ? 1 : 0);
      }
      return shardSize(shard).orElse(Long.MAX_VALUE);
    }

    @Override
    public int shards() {
      return stream.shards();
    }

    @Override
    public OptionalLong size() {
      return stream.size();
    }

    @Override
    public OptionalLong shardSize(int shard) {
      return stream.shardSize(shard);
    }

    @Override
    public String name() {
      return stream.name();
    }

    @Override
    public String fingerprint() {
      return stream.fingerprint();
    }
  }

  /**
   * An open shard of placeholders. It accepts each mark (position) of the real shard, and reports
   * no mark itself: the real shard would continue from it at the wrong bytes.
   */
  private static final class PlaceholderStream<T> implements SampleStream<T> {
    private final PendingSample<T> sample = PendingSample.of(sample());
    private long left;

    PlaceholderStream(long samples) {
      this.left = samples;
    }

    @Override
    public PendingSample<T> next() {
      return skip(1) == 1 ? sample : null;
    }

    @Override
    public long skip(long samples) {
      long skipped = Math.min(samples, left);
      left -= skipped;
      return skipped;
    }

    @Override
    public void goTo(long samples, List<Long> mark) {
      skip(samples);
    }

    @Override
    public void close() {}
  }

  static <T> RowCollator<T> collator() {
    RowCollator.Plan<T> plan = new NoColumns<>();
    return sample -> plan;
  }

  private static final class NoColumns<T> implements RowCollator.Plan<T> {
    private static final RowCollator.Layout LAYOUT = new RowCollator.Layout(List.of());

    @Override
    public RowCollator.Layout layout() {
      return LAYOUT;
    }

    @Override
    public boolean accepts(T sample) {
      return true;
    }

    @Override
    public void write(T sample, Row row) {}
  }
}
