package io.feedline;

import java.util.Objects;

/** A dataset whose samples pass through a transform on their way out. */
final class MappedDataset<A, B> implements Dataset<B> {

  /** A transform, pure or random: only a random one takes a generator from the context. */
  @FunctionalInterface
  interface Step<A, B> {
    B apply(A sample, SampleContext context) throws Exception;
  }

  private final Dataset<A> source;
  private final Step<A, B> step;

  MappedDataset(Dataset<A> source, Step<A, B> step) {
    this.source = source;
    this.step = Objects.requireNonNull(step);
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
    A sample = source.get(index, context);
    context.enter(LoaderException.Stage.TRANSFORM);
    return step.apply(sample, context);
  }

  @Override
  public String describe(long index) {
    return source.describe(index);
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
