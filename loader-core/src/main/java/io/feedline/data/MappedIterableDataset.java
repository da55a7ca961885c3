package io.feedline.data;

import io.feedline.data.SampleStream.PendingSample;
import io.feedline.internal.Named;
import io.feedline.internal.TransformText;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** A stream of transformed samples; the worker that took a sample transforms it. */
final class MappedIterableDataset<A, B> extends Named implements IterableDataset<B> {

  private final IterableDataset<A> source;
  private final Step<A, B> step;

  MappedIterableDataset(IterableDataset<A> source, Step<A, B> step) {
    this.source = source;
    this.step = step;
  }

  @Override
  public int shards() {
    return source.shards();
  }

  @Override
  public OptionalLong size() {
    return source.size();
  }

  @Override
  public OptionalLong shardSize(int shard) {
    return source.shardSize(shard);
  }

  @Override
  public List<String> transforms() {
    return TransformText.with(source.transforms(), step);
  }

  @Override
  public String fingerprint() {
    return source.fingerprint();
  }

  @Override
  public String name() {
    return source.name();
  }

  @Override
  public String describe(int shard) {
    return source.describe(shard);
  }

  @Override
  public String describe(int shard, long sample) {
    return source.describe(shard, sample);
  }

  @Override
  public boolean readOnce() {
    return source.readOnce();
  }

  @Override
  public SampleStream<B> open(int shard, long epoch) throws Exception {
    SampleStream<A> stream = JoinedStream.open(source, shard, epoch);
    return new SampleStream<>() {
      @Override
      public PendingSample<B> next() throws Exception {
        PendingSample<A> pending = stream.next();
        return pending == null ? null : context -> step.apply(pending.get(context), context);
      }

      @Override
      public long skip(long samples) throws Exception {
        return stream.skip(samples);
      }

      @Override
      public List<Long> mark() {
        return stream.mark();
      }

      @Override
      public void goTo(long samples, List<Long> mark) throws Exception {
        stream.goTo(samples, mark);
      }

      @Override
      public void close() throws IOException {
        stream.close();
      }
    };
  }
}
