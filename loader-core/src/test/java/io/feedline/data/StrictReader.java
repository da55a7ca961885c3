package io.feedline.data;

import io.feedline.data.Dataset.ReadAhead;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * A reader that watches how it is read: how many reads are under way, none of an index twice at
 * once, and whether a range is given back by the thread that it was lent to. Its value for an index
 * is a string that names the index.
 */
public final class StrictReader implements SampleReader<String> {

  public static final int BYTES = 10;

  private static final Path FILE = Path.of("all.bin");

  private static final ThreadLocal<FileRange> LENT = new ThreadLocal<>();

  public final ConcurrentMap<Long, Boolean> underWay = new ConcurrentHashMap<>();
  public final ConcurrentMap<Long, Integer> readsOf = new ConcurrentHashMap<>();
  public final LongAdder reads = new LongAdder();
  public final LongAdder lends = new LongAdder();
  public final LongAdder lentReads = new LongAdder();
  final AtomicInteger readingAhead = new AtomicInteger();
  public final AtomicInteger mostReadingAhead = new AtomicInteger();
  public final AtomicInteger twiceAtOnce = new AtomicInteger();

  /** Reads that have begun; guarded by this. */
  private int begun;

  public volatile boolean prefers;
  public volatile boolean ranged;
  public volatile boolean brokenLending;

  /** The action of a read when its bytes are reserved. */
  public volatile OnRead onRead = index -> {};

  public interface OnRead {
    void at(long index) throws Exception;
  }

  public static boolean onPoolThread() {
    return Thread.currentThread().getName().contains("read-ahead");
  }

  @Override
  public String read(long index) throws Exception {
    if (underWay.put(index, true) != null) {
      twiceAtOnce.incrementAndGet();
    }
    boolean ahead = onPoolThread();
    if (ahead) {
      mostReadingAhead.accumulateAndGet(readingAhead.incrementAndGet(), Math::max);
    }
    try {
      reads.increment();
      readsOf.merge(index, 1, Integer::sum);
      begin();
      FileRange whole = LENT.get();
      if (whole != null) {
        FileRange own = range(index).orElseThrow();
        if (own.offset() < whole.offset() || own.end() > whole.end()) {
          throw new AssertionError(own + " is not in " + whole);
        }
        lentReads.increment();
      } else if (!ranged) {
        ReadMeter.expect(BYTES);
      }
      onRead.at(index);
      ReadMeter.add(BYTES);
      return "read " + index;
    } finally {
      if (ahead) {
        readingAhead.decrementAndGet();
      }
      underWay.remove(index);
    }
  }

  private synchronized void begin() {
    begun++;
    notifyAll();
  }

  /** Waits until so many reads have begun since the reader was made. */
  public synchronized void awaitBegun(int count) throws InterruptedException {
    while (begun < count) {
      wait();
    }
  }

  @Override
  public boolean prefersReadAhead() {
    return prefers;
  }

  @Override
  public Optional<FileRange> range(long index) {
    return ranged ? Optional.of(new FileRange(FILE, index * BYTES, BYTES)) : Optional.empty();
  }

  @Override
  public Closeable openRange(FileRange range) throws IOException {
    if (brokenLending) {
      throw new IOException("cannot be lent: " + range);
    }
    lends.increment();
    LENT.set(range);
    return () -> {
      if (!range.equals(LENT.get())) {
        throw new AssertionError("given back by another thread");
      }
      LENT.remove();
    };
  }

  /** A dataset over this reader. */
  public Dataset<String> dataset(long size) {
    return dataset(size, this, index -> {});
  }

  /** A dataset over a reader, with an action before the reads of a sample are announced. */
  public static <T> Dataset<T> dataset(long size, SampleReader<T> reader, LongConsumer announced) {
    return new Dataset<>() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public T get(long index) throws Exception {
        return reader.read(index);
      }

      @Override
      public T get(long index, SampleContext context) throws Exception {
        return context.read(reader, index);
      }

      @Override
      public void readAhead(long index, ReadAhead ahead) {
        announced.accept(index);
        ahead.add(reader, index);
      }

      @Override
      public String name() {
        return "strict";
      }
    };
  }
}
