package io.feedline.data;

import io.feedline.data.Dataset.ReadAhead;
import io.feedline.internal.Cancellation;
import io.feedline.internal.Named;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

final class FilteredDataset<T> extends Named implements Dataset<T> {

  private final Dataset<T> source;
  private final Predicate<? super T> predicate;

  /** The kept samples; null until the source has been read. */
  private volatile @Nullable Dataset<T> kept;

  FilteredDataset(Dataset<T> source, Predicate<? super T> predicate) {
    this.source = source;
    this.predicate = Objects.requireNonNull(predicate, "predicate");
  }

  private Dataset<T> kept() {
    Dataset<T> known = kept;
    return known != null ? known : find();
  }

  private synchronized Dataset<T> find() {
    if (kept == null) {
      long size = source.size();
      IndexList indices = new IndexList(size);
      for (long i = 0; i < size; i++) {
        if (accepts(i)) {
          indices.add(i);
        }
      }
      kept = RoutedDataset.select(source, indices.size(), indices::get, name());
    }
    return kept;
  }

  private boolean accepts(long index) {
    SampleContext context = new SampleContext(0, 0, index);
    try {
      Cancellation.check();
      T sample = source.get(index, context);
      if (context.randomTransforms() > 0) {
        throw new IllegalStateException(
            "the samples are transformed at random, so what the filter sees is not what would be"
                + " delivered: filter first, then map the random transforms");
      }
      context.enter(LoaderException.Stage.TRANSFORM);
      return predicate.test(sample);
    } catch (Exception cause) {
      if (cause instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw LoaderException.ofSample(
          context.stage(), name(), index, source.describe(index), cause, "");
    }
  }

  @Override
  public long size() {
    return kept().size();
  }

  @Override
  public T get(long index) throws Exception {
    return kept().get(index);
  }

  @Override
  public T get(long index, SampleContext context) throws Exception {
    return kept().get(index, context);
  }

  @Override
  public void readAhead(long index, ReadAhead ahead) {
    kept().readAhead(index, ahead);
  }

  @Override
  public String describe(long index) {
    // This method must not read samples, so the index in the source may be unknown yet.
    Dataset<T> known = kept;
    return known == null ? Dataset.super.describe(index) : known.describe(index);
  }

  @Override
  public List<String> transforms() {
    return source.transforms();
  }

  @Override
  public String fingerprint() {
    return kept().fingerprint();
  }

  @Override
  public String name() {
    return source.name() + ".filter";
  }
}
