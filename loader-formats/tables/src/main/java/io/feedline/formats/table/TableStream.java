package io.feedline.formats.table;

import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.store.internal.samples.TableFile.Front;
import io.feedline.internal.Cancellation;
import io.feedline.internal.Digest;
import io.feedline.internal.Named;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The rows of a table as a stream; each file is a shard. Immutable; keeps no file open. */
final class TableStream<T> extends Named implements IterableDataset<T> {

  private final TableSource source;
  private final RowPlan<T> plan;
  private final long[] rows;
  private final String fingerprint;

  /** Creates a stream; {@code rows} has the number of rows of each file, or -1 if it is unknown. */
  TableStream(TableSource source, RowPlan<T> plan, long[] rows, List<Long> checksums) {
    this.source = source;
    this.plan = plan;
    this.rows = rows;
    this.fingerprint = "TableStream:" + Digest.of(checksums + plan.fingerprint());
  }

  @Override
  public int shards() {
    return source.paths().size();
  }

  @Override
  public OptionalLong size() {
    long sum = 0;
    for (long each : rows) {
      if (each < 0) {
        return OptionalLong.empty();
      }
      sum += each;
    }
    return OptionalLong.of(sum);
  }

  @Override
  public OptionalLong shardSize(int shard) {
    return rows[shard] < 0 ? OptionalLong.empty() : OptionalLong.of(rows[shard]);
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public String name() {
    return "TableStream(%s)".formatted(source.words());
  }

  @Override
  public String describe(int shard) {
    return source.paths().get(shard).toString();
  }

  @Override
  public String describe(int shard, long sample) {
    return "%s, row %d".formatted(source.paths().get(shard), sample);
  }

  @Override
  public SampleStream<T> open(int shard, long epoch) throws IOException {
    OpenFiles files = new OpenFiles(1);
    try {
      return new Rows(
          files, source.paths().get(shard), source.open(files, shard).front(plan.wanted()));
    } catch (IOException | RuntimeException | Error failure) {
      files.close();
      throw failure;
    }
  }

  private final class Pending {
    private final Path file;
    private final Block block;
    private volatile @Nullable RowBlock made;
    private volatile @Nullable IOException failure;

    Pending(Path file, Block block) {
      this.file = file;
      this.block = block;
    }

    /**
     * Decodes the block at the first call. If that fails, each row of the block fails later; an
     * interrupt is thrown at once, and does not count as a failure.
     */
    synchronized void make() throws IOException {
      if (made == null && failure == null) {
        try {
          made = plan.rows(file, block);
        } catch (InterruptedIOException | ClosedByInterruptException stopped) {
          throw stopped;
        } catch (IOException damaged) {
          failure = damaged;
        }
      }
    }

    /** Returns whether the block is not decoded yet; does not wait for a worker that decodes it. */
    boolean isOpen() {
      return made == null && failure == null;
    }

    T sample(int row) throws IOException {
      RowBlock rows;
      synchronized (this) {
        make();
        rows = made;
        if (rows == null) {
          throw failure instanceof FormatException damaged
              // Each failed row gets a new exception.
              ? new FormatException(damaged.getMessage(), damaged)
              : new IOException(failure.getMessage(), failure);
        }
      }
      return plan.sample(rows, row, block::place);
    }
  }

  /** The rows of a file. A mark, to resume, has a block's start and a row's number in the block. */
  private final class Rows implements SampleStream<T> {
    private final OpenFiles files;
    private final Path file;
    private final Front front;
    private @Nullable Pending current;

    /** The blocks of delivered rows that workers may still have to decode. */
    private final List<Pending> given = new ArrayList<>();

    private List<Long> begin;
    private int rows;
    private int row;

    Rows(OpenFiles files, Path file, Front front) {
      this.files = files;
      this.file = file;
      this.front = front;
      this.begin = front.mark();
    }

    @Override
    public @Nullable PendingSample<T> next() throws IOException, InterruptedException {
      while (current == null || row >= rows) {
        Cancellation.check();
        if (current != null) {
          row = 0;
          current = null;
        }
        begin = front.mark();
        Block block = nextBlock();
        if (block == null) {
          return null;
        }
        current = new Pending(file, block);
        rows = block.rows();
      }
      if (given.isEmpty() || given.get(given.size() - 1) != current) {
        given.removeIf(before -> !before.isOpen());
        given.add(current);
      }
      Pending from = current;
      int number = row++;
      return context -> from.sample(number);
    }

    private @Nullable Block nextBlock() throws IOException {
      try {
        return front.next();
      } catch (InterruptedIOException | ClosedByInterruptException stopped) {
        throw stopped;
      } catch (IOException | RuntimeException failure) {
        // The failure has been delivered, so a resumed loader continues after the broken block.
        begin = front.mark();
        row = 0;
        throw failure;
      }
    }

    @Override
    public List<Long> mark() {
      List<Long> mark = new ArrayList<>();
      mark.add((long) row);
      mark.addAll(begin);
      return mark;
    }

    @Override
    public void goTo(long samples, List<Long> mark) throws IOException {
      if (mark.isEmpty() || mark.get(0) < 0 || mark.get(0) > Integer.MAX_VALUE) {
        throw new IOException("%s is not a position in %s".formatted(mark, file));
      }
      front.goTo(mark.subList(1, mark.size()));
      begin = front.mark();
      row = mark.get(0).intValue();
      current = null;
    }

    /** Decodes the blocks of delivered rows, which workers may still need, and closes the file. */
    @Override
    public void close() throws IOException {
      try (files;
          front) {
        for (Pending each : given) {
          each.make();
        }
        given.clear();
      }
    }
  }
}
