package io.feedline.formats.remote.internal.cache;

import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.internal.ReadOrderListener;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The positions at which a loader will read each line of a cache, by the order that the loader
 * reports in advance. Thread-safe: one thread reports, any number of threads query.
 *
 * <p><b>Memory.</b> A line is identified by a hash of 64 bits; two lines with the same hash would
 * count as the same line. An epoch takes 8 bytes for each line, and 4 bytes for each read of a
 * line; at most two epochs are kept. The table of all lines takes 18 to 36 bytes for each line. A
 * million images take 42 to 60 MB in a folder, and 12 to 14 MB in shards. A query makes two
 * look-ups in the table and two binary searches in each epoch.
 */
final class LineReads implements NextUse, ReadOrderListener.Reads {

  /** The line number that stands for all lines of a file, if a read has no known end. */
  private static final long ALL = -1;

  private final URI root;
  private final int lineBytes;
  private final ReadOrderListener.Progress progress;
  private final CachedObjects cache;
  private final LineTable lines = new LineTable();
  private volatile List<Epoch> known = List.of();

  // The reads of the epoch that is being reported; only the reporting thread uses these fields:

  private int[] lineOf = new int[0];
  private long[] positionOf = new long[0];
  private int added;

  private long[] bytesOf = new long[0];

  private Path lastFile;
  private long lastHash;

  LineReads(URI root, int lineBytes, ReadOrderListener.Progress progress, CachedObjects cache) {
    this.root = root;
    this.lineBytes = lineBytes;
    this.progress = progress;
    this.cache = cache;
  }

  /**
   * The reads of an epoch. The reads of line {@code i} are {@code positions[starts[i]]} up to
   * {@code positions[starts[i + 1] - 1]}, relative to {@code first}.
   */
  private record Epoch(long first, long end, int[] starts, int[] positions, int[] meanBytes) {

    long next(int line, ReadOrderListener.Progress progress) {
      int at = toCome(line, progress);
      return at < end(line) ? first + positions[at] : NEVER;
    }

    long bytes(int line, ReadOrderListener.Progress progress) {
      int left = end(line) - toCome(line, progress);
      return left == 0 ? 0 : left * (long) meanBytes[line];
    }

    private int end(int line) {
      return line < 0 || line >= starts.length - 1 ? 0 : starts[line + 1];
    }

    /** Returns the index in {@code positions} of a line's next read, {@link #end} if absent. */
    private int toCome(int line, ReadOrderListener.Progress progress) {
      if (end(line) == 0) {
        return 0;
      }
      long from = progress.position() - first;
      int at =
          from <= 0
              ? starts[line]
              : Arrays.binarySearch(
                  positions,
                  starts[line],
                  starts[line + 1],
                  (int) Math.min(Integer.MAX_VALUE, from));
      int toCome = at < 0 ? -at - 1 : at;
      while (toCome < end(line) && progress.isPast(first + positions[toCome])) {
        toCome++;
      }
      return toCome;
    }
  }

  @Override
  public void add(long position, Path file, long offset, long end) {
    if (!file.equals(lastFile)) {
      lastFile = file;
      lastHash = hash(root + KeyText.encoded(((KeyPath) lastFile).key()));
    }
    if (end == Long.MAX_VALUE) {
      add(position, ALL, lineBytes);
      return;
    }
    for (long line = offset / lineBytes; line * lineBytes < end; line++) {
      long start = line * lineBytes;
      add(position, line, Math.min(end, start + lineBytes) - Math.max(offset, start));
    }
  }

  private void add(long position, long line, long bytes) {
    if (added == lineOf.length) {
      int more = Math.max(1 << 10, added + (added >> 1));
      lineOf = Arrays.copyOf(lineOf, more);
      positionOf = Arrays.copyOf(positionOf, more);
    }
    int number = lines.put(key(lastHash, line));
    if (number >= bytesOf.length) {
      bytesOf = Arrays.copyOf(bytesOf, Math.max(1 << 10, number + (number >> 1)));
    }
    bytesOf[number] += bytes;
    lineOf[added] = number;
    positionOf[added++] = position;
  }

  @Override
  public void known(long first, long end) {
    int[] starts = new int[lines.size() + 1];
    for (int i = 0; i < added; i++) {
      starts[lineOf[i] + 1]++;
    }
    int[] meanBytes = new int[lines.size()];
    for (int i = 1; i < starts.length; i++) {
      if (starts[i] > 0) {
        meanBytes[i - 1] = (int) (bytesOf[i - 1] / starts[i]);
      }
      starts[i] += starts[i - 1];
    }
    int[] at = starts.clone();
    int[] positions = new int[added];
    for (int i = 0; i < added; i++) {
      positions[at[lineOf[i]]++] = Math.toIntExact(positionOf[i] - first);
    }
    startAnew();
    List<Epoch> left = new ArrayList<>(known);
    left.removeIf(each -> each.end() <= progress.position());
    left.add(new Epoch(first, end, starts, positions, meanBytes));
    known = List.copyOf(left);
    cache.follow(this);
  }

  private void startAnew() {
    lineOf = new int[0];
    positionOf = new long[0];
    bytesOf = new long[0];
    added = 0;
  }

  @Override
  public void forget() {
    startAnew();
    known = List.of();
    cache.leave(this);
  }

  @Override
  public void close() {
    forget();
  }

  @Override
  public long position() {
    return progress.position();
  }

  @Override
  public long nextUse(RemoteObject object, long line) {
    List<Epoch> epochs = known;
    if (epochs.isEmpty()) {
      return UNKNOWN;
    }
    long hash = hash(object.uri().toString());
    int one = lines.find(key(hash, line));
    int all = lines.find(key(hash, ALL));
    for (Epoch each : epochs) {
      long next = Math.min(each.next(one, progress), each.next(all, progress));
      if (next != NEVER) {
        return next;
      }
    }
    return NEVER;
  }

  @Override
  public long bytesToCome(RemoteObject object, long line) {
    long hash = hash(object.uri().toString());
    int one = lines.find(key(hash, line));
    int all = lines.find(key(hash, ALL));
    List<Epoch> epochs = known;
    if (epochs.isEmpty() || (one < 0 && all < 0)) {
      return UNKNOWN;
    }
    long bytes = 0;
    for (Epoch each : epochs) {
      bytes += each.bytes(one, progress) + each.bytes(all, progress);
    }
    return bytes;
  }

  private static long key(long hash, long line) {
    return mixed(hash ^ mixed(line + 2));
  }

  /** Returns the FNV-1a hash of a text, with its bits {@linkplain #mixed mixed}. */
  private static long hash(String text) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
    }
    return mixed(hash);
  }

  /** Mixes 64 bits as SplitMix64 does at its end. */
  private static long mixed(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
