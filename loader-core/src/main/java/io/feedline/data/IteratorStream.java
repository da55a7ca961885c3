package io.feedline.data;

import io.feedline.data.SampleStream.PendingSample;
import io.feedline.internal.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/** The samples of an iterator, and what is closed with them. */
final class IteratorStream<T> implements SampleStream<T> {

  private final Iterator<? extends T> samples;
  private final List<Closeable> resources;
  private boolean closed;

  IteratorStream(Iterator<? extends T> samples, List<Closeable> resources) {
    this.samples = Objects.requireNonNull(samples, "samples");
    this.resources = resources;
  }

  @Override
  public PendingSample<T> next() throws IOException {
    try {
      return samples.hasNext() ? PendingSample.of(samples.next()) : null;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
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
