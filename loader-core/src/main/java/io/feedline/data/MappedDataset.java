package io.feedline.data;

import io.feedline.internal.Named;
import io.feedline.internal.TransformText;
import java.util.List;

/** A dataset that transforms each sample when the sample is asked for. */
final class MappedDataset<A, B> extends Named implements Dataset<B> {

  private final Dataset<A> source;
  private final Step<A, B> step;

  MappedDataset(Dataset<A> source, Step<A, B> step) {
    this.source = source;
    this.step = step;
  }

  @Override
  public long size() {
    return source.size();
  }

  @Override
  public B get(long index) throws Exception {
    return get(index, new SampleContext(0, 0, index));
  }

  @Override
  public B get(long index, SampleContext context) throws Exception {
    return step.apply(source.get(index, context), context);
  }

  @Override
  public void readAhead(long index, ReadAhead ahead) {
    source.readAhead(index, ahead);
  }

  @Override
  public String describe(long index) {
    return source.describe(index);
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
}
