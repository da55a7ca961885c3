package io.feedline.data;

import io.feedline.data.SampleStream.PendingSample;
import io.feedline.internal.ClassNames;
import io.feedline.internal.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class IteratorStream<T> implements SampleStream<T> {

  private static final Logger LOG = LoggerFactory.getLogger(IteratorStream.class);

  private final Iterator<? extends T> samples;
  private final List<Closeable> resources;
  private @Nullable T last;
  private boolean warned;
  private boolean closed;

  IteratorStream(Iterator<? extends T> samples, List<Closeable> resources) {
    this.samples = Objects.requireNonNull(samples, "the iterator is null");
    this.resources = resources;
  }

  @Override
  public PendingSample<T> next() throws IOException {
    try {
      if (!samples.hasNext()) {
        return null;
      }
      T sample = samples.next();
      if (sample == last && !warned && mayChange(sample)) {
        warned = true;
        LOG.warn(
            "a source gave the same {} twice in a row; a sample is used after the next is read, so"
                + " one that is filled anew has the content of a later sample: give each an object"
                + " of its own",
            ClassNames.ofType(sample));
      }
      last = sample;
      return PendingSample.of(sample);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static boolean mayChange(@Nullable Object sample) {
    return sample != null
        && !(sample instanceof Record)
        && (!sample.getClass().getPackageName().startsWith("java.lang")
            || sample.getClass().isArray()
            || sample instanceof Appendable)
        && !(sample instanceof Enum<?>);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    Closing.each(resources);
  }
}
