package io.feedline.data;

import io.feedline.internal.TransformText;
import java.util.List;

/** A dataset whose samples pass through a transform on their way out. */
final class MappedDataset<A, B> extends ForwardingDataset<A, B> {

  private final Step<A, B> step;

  MappedDataset(Dataset<A> source, Step<A, B> step) {
    super(source);
    this.step = step;
  }

  @Override
  public List<String> transforms() {
    return TransformText.with(source.transforms(), step);
  }

  @Override
  public B get(long index, SampleContext context) throws Exception {
    return step.apply(source.get(index, context), context);
  }
}
