package io.feedline.data;

import io.feedline.internal.Cancellation;
import io.feedline.internal.Named;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A dataset in which each sample of a source becomes some samples, or none. The number of these
 * samples is known only when the source sample has been made, so the worker that reads the source
 * sample also makes it.
 */
final class FlatMappedIterableDataset<A, B> extends Named implements IterableDataset<B> {

  private final IterableDataset<A> source;
  private final Transform<? super A, ? extends Iterable<? extends B>> transform;

  /** The name of the method that the user called. */
  private final String operation;

  FlatMappedIterableDataset(
      IterableDataset<A> source,
      Transform<? super A, ? extends Iterable<? extends B>> transform,
      String operation) {
    this.source = source;
    this.transform = Objects.requireNonNull(transform, operation);
    this.operation = operation;
  }

  @Override
  public int shards() {
    return source.shards();
  }

  @Override
  public List<String> transforms() {
    return source.transforms();
  }

  @Override
  public String fingerprint() {
    return "%s(%s)".formatted(operation, source.fingerprint());
  }

  @Override
  public boolean readOnce() {
    return source.readOnce();
  }

  @Override
  public String describe(int shard) {
    return source.describe(shard);
  }

  @Override
  public String describe(int shard, long sample) {
    return "sample %d behind %s of %s".formatted(sample, operation, source.describe(shard));
  }

  @Override
  public String name() {
    return source.name() + "." + operation;
  }

  @Override
  public SampleStream<B> open(int shard, long epoch) throws Exception {
    return new Parts(JoinedStream.open(source, shard, epoch), shard, epoch);
  }

  /**
   * A stream of one shard's parts: of the samples that its source samples become. Its {@link #mark}
   * (place) has the number of source samples before the current sample, the number of the current
   * sample's parts that have been returned, and the source's mark before that sample.
   */
  private final class Parts implements SampleStream<B> {

    private static final int OWN_NUMBERS = 2;

    private final SampleStream<A> stream;
    private final int shard;
    private final long epoch;

    /** The remaining parts of the current source sample; null between two source samples. */
    private @Nullable Iterator<? extends B> parts;

    private long given;
    private long read;
    private boolean closed;

    /** The source's mark (place) before the current sample. */
    private List<Long> begin = List.of();

    Parts(SampleStream<A> stream, int shard, long epoch) {
      this.stream = stream;
      this.shard = shard;
      this.epoch = epoch;
    }

    @Override
    public @Nullable PendingSample<B> next() throws Exception {
      while (true) {
        if (parts == null && !openNext()) {
          return null;
        }
        try {
          if (parts.hasNext()) {
            B part = parts.next();
            given++;
            return PendingSample.of(part);
          }
          parts = null;
          Cancellation.check();
        } catch (Exception failure) {
          parts = null;
          throw located(failure);
        }
      }
    }

    /** Opens the parts of the next source sample; returns false at the end of the source. */
    private boolean openNext() throws Exception {
      List<Long> mark = stream.mark();
      SampleContext context = new SampleContext(0, epoch, read);
      boolean taken = false;
      try {
        PendingSample<A> pending = stream.next();
        if (pending == null) {
          return false;
        }
        taken = true;
        parts =
            Objects.requireNonNull(
                    transform.apply(pending.get(context)),
                    "the result is null; a sample without parts has an empty list")
                .iterator();
      } catch (InterruptedException interrupt) {
        read += taken ? 1 : 0;
        throw interrupt;
      } catch (Exception failure) {
        read++;
        throw located(failure);
      }
      read++;
      if (context.randomTransforms() > 0) {
        parts = null;
        throw new IllegalStateException(
            "the samples are transformed at random, so what %s sees is not what would be delivered: %s first, then map the random transforms"
                .formatted(operation, operation));
      }
      given = 0;
      begin = mark;
      return true;
    }

    private Exception located(Exception failure) {
      return JoinedStream.located(failure, source.describe(shard, read - 1));
    }

    @Override
    public List<Long> mark() {
      boolean between = parts == null;
      List<Long> place = between ? stream.mark() : begin;
      if (place.isEmpty()) {
        return List.of();
      }
      List<Long> mark = new ArrayList<>();
      mark.add(between ? read : read - 1);
      mark.add(between ? 0 : given);
      mark.addAll(place);
      return mark;
    }

    @Override
    public void goTo(long samples, List<Long> mark) throws Exception {
      if (mark.size() <= OWN_NUMBERS || mark.stream().anyMatch(number -> number < 0)) {
        throw new IOException("%s is not a position in %s".formatted(mark, name()));
      }
      read = mark.get(0);
      stream.goTo(read, mark.subList(OWN_NUMBERS, mark.size()));
      for (long left = mark.get(1); left > 0; left--) {
        Cancellation.check();
        boolean there = left < mark.get(1) || openNext();
        if (!there || !parts.hasNext()) {
          throw new IOException(
              "%s gives fewer than before: it has been changed"
                  .formatted(source.describe(shard, read)));
        }
        parts.next();
        given++;
      }
    }

    @Override
    public void close() throws IOException {
      parts = null;
      if (!closed) {
        closed = true;
        stream.close();
      }
    }
  }
}
