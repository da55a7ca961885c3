package io.feedline.data;

import io.feedline.data.Dataset.ReadAhead;
import java.util.List;

/**
 * A dataset with a sample for each of another one, made of it when it is asked for.
 *
 * @param <A> a sample of the other
 * @param <B> a sample
 */
abstract class ForwardingDataset<A, B> implements Dataset<B> {

  /** The other dataset, which stays open. */
  final Dataset<A> source;

  ForwardingDataset(Dataset<A> source) {
    this.source = source;
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
  public abstract B get(long index, SampleContext context) throws Exception;

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
    return source.transforms();
  }

  @Override
  public String fingerprint() {
    return source.fingerprint();
  }

  /** Returns the other's: its samples are the same ones. */
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
