package io.feedline.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.Samples;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.SampleStream.PendingSample;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A dataset of shards of probes, numbered through. It fails where it is told to, declares its sizes
 * where it is told to, and knows which of its streams are open: each is used by one thread at a
 * time, not after it was closed, and closed once.
 */
public final class Shards implements IterableDataset<Probe> {

  private final int[] sizes;
  private final Set<Stream> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();

  private Set<Long> failing = Set.of();
  private Set<Integer> failingToOpen = Set.of();
  private Set<Integer> failingToClose = Set.of();
  private boolean declared;
  private boolean seekable;
  private final AtomicInteger read = new AtomicInteger();

  private Shards(int... sizes) {
    this.sizes = sizes;
  }

  public static Shards of(int... sizes) {
    return new Shards(sizes);
  }

  /** With a random transform, and perhaps with samples that fail in the stream and behind it. */
  public static IterableDataset<Probe> augmented(boolean brittle, int... sizes) {
    return augmented(of(sizes), brittle);
  }

  public static IterableDataset<Probe> augmented(Shards shards, boolean brittle) {
    if (brittle) {
      shards.failingAt(2L, 9L, 10L, 23L);
    }
    return shards.map(
        (probe, random) -> {
          Samples.failIf(brittle && probe.index() % 5 == 4, "bad " + probe.index());
          return probe.withDrawn(random);
        });
  }

  /** Lets samples fail when they are read. */
  public Shards failingAt(Long... samples) {
    failing = Set.of(samples);
    return this;
  }

  public Shards failingToOpen(Integer... shards) {
    failingToOpen = Set.of(shards);
    return this;
  }

  public Shards failingToClose(Integer... shards) {
    failingToClose = Set.of(shards);
    return this;
  }

  public Shards declaringSizes() {
    declared = true;
    return this;
  }

  /** Gives its streams positions, so that they can go to a place without reading. */
  public Shards seekable() {
    seekable = true;
    return this;
  }

  /** Returns the number of samples read, failing ones included. */
  public int read() {
    return read.get();
  }

  public int opened() {
    return opened.get();
  }

  public int mostOpen() {
    return mostOpen.get();
  }

  public void assertAllClosed() {
    assertThat(open).as("streams that were not closed").isEmpty();
  }

  @Override
  public int shards() {
    return sizes.length;
  }

  @Override
  public OptionalLong size() {
    return declared ? OptionalLong.of(Arrays.stream(sizes).sum()) : OptionalLong.empty();
  }

  @Override
  public OptionalLong shardSize(int shard) {
    return declared ? OptionalLong.of(sizes[shard]) : OptionalLong.empty();
  }

  @Override
  public SampleStream<Probe> open(int shard, long epoch) throws IOException {
    opened.incrementAndGet();
    Samples.failIf(failingToOpen.contains(shard), "cannot open shard " + shard);
    Stream stream = new Stream(shard);
    open.add(stream);
    mostOpen.accumulateAndGet(open.size(), Math::max);
    return stream;
  }

  private final class Stream implements SampleStream<Probe> {
    private final int shard;
    private final long end;
    private final AtomicInteger users = new AtomicInteger();
    private long next;
    private boolean closed;

    Stream(int shard) {
      this.shard = shard;
      this.next = Arrays.stream(sizes, 0, shard).sum();
      this.end = next + sizes[shard];
    }

    @Override
    public PendingSample<Probe> next() throws IOException {
      assertThat(users.incrementAndGet()).as("threads in a stream").isEqualTo(1);
      try {
        assertThat(closed).as("a stream is used after it was closed").isFalse();
        if (next == end) {
          return null;
        }
        long index = next++;
        read.incrementAndGet();
        Samples.failIf(failing.contains(index), "cannot read " + index);
        return context -> Probes.probe(index);
      } finally {
        users.decrementAndGet();
      }
    }

    @Override
    public List<Long> mark() {
      // Not the number of samples before it: marks are the stream's own affair.
      return seekable ? List.of(1000 + 10 * next) : List.of();
    }

    @Override
    public void goTo(long samples, List<Long> mark) throws IOException {
      assertThat(seekable).as("a stream without positions is asked to seek").isTrue();
      Samples.failIf(mark.size() != 1, mark + " is not a position in a shard");
      next = (mark.get(0) - 1000) / 10;
      assertThat(next).isEqualTo(end - sizes[shard] + samples);
    }

    @Override
    public void close() throws IOException {
      assertThat(closed).as("a stream is closed twice").isFalse();
      closed = true;
      open.remove(this);
      Samples.failIf(failingToClose.contains(shard), "cannot close shard " + shard);
    }
  }
}
