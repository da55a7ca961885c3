package io.feedline.data;

import io.feedline.internal.TransformText;
import java.util.List;

/**
 * A dataset whose samples pass through a transform on their way out.
 *
 * @param <A> a sample of the source
 * @param <B> a sample
 */
final class MappedDataset<A, B> implements Dataset<B> {

  /** The dataset of untransformed samples, which stays open. */
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

  /** Returns the source's: the samples are the same ones. */
  @Override
  public String name() {
    return source.name();
  }

  /** Returns the name, as errors have it. */
  @Override
  public String toString() {
    return name();
  }
}
