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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The windows of a table as a stream of one shard: a series may continue in the next file. */
final class WindowStream extends Named implements IterableDataset<Map<String, Object>> {

  private final TableSource source;
  private final WindowPlan windows;
  private final RowPlan<?> rows;
  private final Supplier<SeriesScan> scans;
  private final @Nullable RowBlock fill;
  private final String fingerprint;

  /** Creates a stream; {@code rows} has the entries of the windows, then those of key and time. */
  WindowStream(
      TableSource source,
      WindowPlan windows,
      RowPlan<?> rows,
      Supplier<SeriesScan> scans,
      @Nullable RowBlock fill,
      List<Long> checksums) {
    this.source = source;
    this.windows = windows;
    this.rows = rows;
    this.scans = scans;
    this.fill = fill;
    this.fingerprint = "WindowStream:" + Digest.of(checksums + rows.fingerprint() + windows);
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public String name() {
    return "WindowStream(%s)".formatted(source.words());
  }

  @Override
  public String describe(int shard) {
    return source.words();
  }

  @Override
  public String describe(int shard, long sample) {
    return "%s, window %d".formatted(source.words(), sample);
  }

  @Override
  public SampleStream<Map<String, Object>> open(int shard, long epoch) {
    return new Walk();
  }

  /** A decoded block, its place in the file, and the index of its first row in the stream. */
  private record Loaded(int file, List<Long> mark, Block block, RowBlock rows, long first) {}

  /**
   * The iteration over the windows. A mark, the position for resuming, has the file, a row's number
   * in its block, the number of positions from that row to the beginning of the next window, and
   * the beginning of the block. After {@link #goTo} the series begins again at that row.
   */
  private final class Walk implements SampleStream<Map<String, Object>> {
    private final SeriesScan scan = scans.get();

    /** The blocks from the next window's first row to the block that is read now. */
    private final Deque<Loaded> blocks = new ArrayDeque<>();

    private @Nullable OpenFiles files;
    private @Nullable Front front;
    private int file;

    /** The mark of the block where reading begins; empty: at the beginning of the file. */
    private List<Long> entry = List.of();

    /** The next block, not decoded yet, and its mark. */
    private @Nullable Block found;

    private List<Long> foundAt = List.of();

    /** The row that is read next, and the number of rows in all blocks read so far. */
    private long row;

    private long loaded;

    /** The number of rows to skip in the first block after {@link #goTo}; otherwise 0. */
    private int skipped;

    /** The position of the first window in the next series: not 0 only after {@link #goTo}. */
    private int offset;

    /** The series of the last row, and the position in it where the next window begins. */
    private @Nullable Series series;

    private int begin;

    @Override
    public @Nullable PendingSample<Map<String, Object>> next()
        throws IOException, InterruptedException {
      while (series == null || series.length() < begin + windows.rows()) {
        Cancellation.check();
        if (row == loaded && !load()) {
          return null;
        }
        read();
      }
      int from = begin;
      begin += windows.stride();
      try {
        return PendingSample.of(windows.sample(series, from, this::at, fill));
      } finally {
        forget();
      }
    }

    private void read() throws FormatException {
      Loaded block = blocks.getLast();
      int at = (int) (row - block.first());
      Series of;
      try {
        of = scan.add(block.rows(), at, row++);
      } catch (FormatException problem) {
        endSeries();
        throw FormatException.in(
            source.paths().get(block.file()),
            block.block().place(at) + ": " + problem.getMessage());
      }
      if (of != series) {
        series = of;
        begin = offset;
        offset = 0;
        forget();
      }
    }

    private void endSeries() {
      scan.end();
      series = null;
      offset = 0;
    }

    private boolean load() throws IOException {
      while (file < source.paths().size()) {
        try {
          if (find()) {
            blocks.add(
                new Loaded(
                    file, foundAt, found, rows.rows(source.paths().get(file), found), loaded));
            loaded += found.rows();
            row += skipped;
            skipped = 0;
            found = null;
            if (row < loaded) {
              return true;
            }
          } else {
            closeFile();
            file++;
          }
        } catch (InterruptedIOException | ClosedByInterruptException stopped) {
          throw stopped;
        } catch (IOException | RuntimeException damaged) {
          // The rows after a broken block begin another series.
          found = null;
          endSeries();
          throw damaged;
        }
      }
      return false;
    }

    private boolean find() throws IOException {
      if (front == null) {
        files = new OpenFiles(1);
        front = source.open(files, file).front(rows.wanted());
        if (!entry.isEmpty()) {
          front.goTo(entry);
          entry = List.of();
        }
      }
      if (found == null) {
        foundAt = front.mark();
        found = front.next();
      }
      return found != null;
    }

    private TableDataset.BlockRow at(long number) {
      Loaded block = block(number);
      return new TableDataset.BlockRow(block.rows(), block.block(), (int) (number - block.first()));
    }

    private Loaded block(long number) {
      for (Loaded each : blocks) {
        if (number < each.first() + each.rows().rows()) {
          return each;
        }
      }
      throw new IllegalStateException("row " + number + " is not kept");
    }

    private void forget() {
      long needed = series == null ? row : series.row(Math.min(begin, series.length() - 1));
      while (blocks.size() > 1
          && blocks.getFirst().first() + blocks.getFirst().rows().rows() <= needed) {
        blocks.removeFirst();
      }
    }

    @Override
    public List<Long> mark() {
      if (series == null && row == loaded) {
        return mark(
            file, skipped, offset, front == null ? entry : found == null ? front.mark() : foundAt);
      }
      int position = series == null ? 0 : Math.min(begin, series.length() - 1);
      long needed = series == null ? row : series.row(position);
      int behind = series == null ? 0 : begin - position + series.filledBefore(position);
      Loaded block = block(needed);
      return mark(block.file(), needed - block.first(), behind, block.mark());
    }

    private static List<Long> mark(int file, long row, long behind, List<Long> block) {
      List<Long> mark = new ArrayList<>(List.of((long) file, row, behind));
      mark.addAll(block);
      return mark;
    }

    @Override
    public void goTo(long samples, List<Long> mark) throws IOException {
      boolean known =
          mark.size() >= 3
              && mark.get(0) >= 0
              && mark.get(0) <= source.paths().size()
              && mark.stream().allMatch(each -> each >= 0)
              && mark.get(1) < Integer.MAX_VALUE
              && mark.get(2) < Integer.MAX_VALUE;
      if (!known) {
        throw new IOException("%s is not a position in %s".formatted(mark, source.words()));
      }
      entry = List.copyOf(mark.subList(3, mark.size()));
      file = mark.get(0).intValue();
      skipped = mark.get(1).intValue();
      offset = mark.get(2).intValue();
    }

    private void closeFile() throws IOException {
      OpenFiles opened = files;
      Front read = front;
      try (opened;
          read) {
        front = null;
        files = null;
        found = null;
      }
    }

    @Override
    public void close() throws IOException {
      closeFile();
    }
  }
}
