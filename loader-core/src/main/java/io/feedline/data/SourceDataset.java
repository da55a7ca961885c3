package io.feedline.data;

import io.feedline.data.IterableDataset.StreamSource;
import io.feedline.internal.ClassNames;
import io.feedline.internal.Named;
import io.feedline.internal.SourceSpentException;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

final class SourceDataset<T> extends Named implements IterableDataset<T> {

  private final StreamSource<T> source;
  private final boolean once;
  private final AtomicBoolean opened = new AtomicBoolean();

  SourceDataset(StreamSource<T> source, boolean once) {
    this.source = Objects.requireNonNull(source, "source");
    this.once = once;
  }

  @Override
  public SampleStream<T> open(int shard, long epoch) throws IOException {
    if (opened.getAndSet(true) && once) {
      throw new SourceSpentException(name());
    }
    return Objects.requireNonNull(source.open(), "the source opened nothing: null");
  }

  @Override
  public boolean readOnce() {
    return once;
  }

  @Override
  public String name() {
    return ClassNames.of(source);
  }
}
