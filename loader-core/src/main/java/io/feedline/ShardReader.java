package io.feedline;

import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.internal.Cancellation;
import io.feedline.internal.Closing;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Some shards of a dataset, read as one stream. Up to {@code interleave} shards are open at once,
 * and deliver a sample in turn. When a shard ends, the next shard takes its place.
 *
 * <p>An exception of a shard takes the place of a sample, and the shard is then read on. A shard
 * that throws again and again, without a sample in between, is abandoned, so that a broken shard
 * ends. No error policy tolerates an abandoned shard, or a shard that cannot be opened: the number
 * of lost samples is unknown.
 */
final class ShardReader<T> implements EpochStream<T> {

  private static final Logger LOG = LoggerFactory.getLogger(ShardReader.class);

  static final int HOPELESS = 100;

  /**
   * The number of values about the reader, with which a mark (a position in numbers) begins. For
   * each open shard follow its place, its number of returned elements, {@code failures + 100 *
   * (length - 1)} (its failures in a row and the length of its stream's mark), and that mark.
   */
  private static final int READER_NUMBERS = 4;

  private static final int LANE_NUMBERS = 3;

  private final IterableDataset<T> dataset;
  private final long epoch;
  private final int[] shards;
  private final List<Lane<T>> open = new ArrayList<>();
  private final int interleave;
  private int opened;
  private int current;

  /** True if the current shard has ended, and the next shard may take its place. */
  private boolean vacant;

  private long given;

  private static final class Lane<T> {
    /** The shard's place among the reader's shards. */
    private final int place;

    private final SampleStream<T> stream;
    private long given;
    private int failuresInARow;

    Lane(int place, SampleStream<T> stream) {
      this.place = place;
      this.stream = stream;
    }
  }

  ShardReader(IterableDataset<T> dataset, long epoch, int[] shards, int interleave) {
    this.dataset = dataset;
    this.epoch = epoch;
    this.shards = shards.clone();
    this.interleave = interleave;
  }

  @Override
  public StreamedSample<T> next() throws InterruptedException {
    while (true) {
      try {
        openShards();
      } catch (Throwable failure) {
        // The shard that failed is the last one that was begun.
        given++;
        return new StreamedSample<>(null, failure, shards[opened - 1], StreamedSample.OPENING);
      }
      if (open.isEmpty()) {
        return null;
      }
      current = current % open.size();
      Lane<T> lane = open.get(current);
      StreamedSample<T> drawn = draw(lane);
      if (drawn != null) {
        given++;
        return drawn;
      }
      closeLane();
      Cancellation.check();
    }
  }

  /** Reads a sample, and moves to the next open shard; returns null at the end of the shard. */
  private @Nullable StreamedSample<T> draw(Lane<T> lane) throws InterruptedException {
    int shard = shards[lane.place];
    try {
      PendingSample<T> sample = lane.stream.next();
      if (sample == null) {
        return null;
      }
      lane.failuresInARow = 0;
      current++;
      return new StreamedSample<>(sample, null, shard, lane.given++);
    } catch (InterruptedException betweenSamples) {
      throw betweenSamples;
    } catch (Throwable failure) {
      lane.failuresInARow++;
      long ordinal = lane.given++;
      if (lane.failuresInARow < HOPELESS) {
        current++;
        return new StreamedSample<>(null, failure, shard, ordinal);
      }
      closeLane();
      IOException left =
          new IOException(
              "%s failed %d times in a row and is left: %s"
                  .formatted(dataset.describe(shard), HOPELESS, failure.getMessage()),
              failure);
      return new StreamedSample<>(null, left, shard, StreamedSample.LEFT);
    }
  }

  /** Opens shards up to the allowed number; the next shard takes the place of an ended shard. */
  private void openShards() throws Exception {
    while (open.size() < interleave && opened < shards.length) {
      int place = vacant ? current : open.size();
      vacant = false;
      int next = opened++;
      open.add(place, new Lane<>(next, opened(next)));
    }
    vacant = false;
  }

  private SampleStream<T> opened(int place) throws Exception {
    return Objects.requireNonNull(
        dataset.open(shards[place], epoch), "the dataset opened nothing: null");
  }

  private void closeLane() {
    vacant = true;
    try {
      open.remove(current).stream.close();
    } catch (IOException | RuntimeException | Error e) {
      // The shard is read no more, so no sample fails.
      LOG.warn("closing a shard of {} failed", dataset.name(), e);
    }
  }

  // ---- marks --------------------------------------------------------------------------------

  @Override
  public List<Long> mark() {
    List<Long> mark = new ArrayList<>();
    mark.add(given);
    mark.add((long) opened);
    mark.add((long) current);
    mark.add(vacant ? 1L : 0L);
    for (Lane<T> lane : open) {
      List<Long> place = lane.stream.mark();
      if (place.isEmpty()) {
        return List.of();
      }
      mark.add((long) lane.place);
      mark.add(lane.given);
      mark.add(lane.failuresInARow + (long) HOPELESS * (place.size() - 1));
      mark.addAll(place);
    }
    return mark;
  }

  @Override
  public long goTo(long position, List<Long> mark) throws Exception {
    checkMark(mark);
    if (!mark.isEmpty() && mark.get(0) <= position) {
      restore(mark);
    }
    skip(position - given);
    return given;
  }

  private void restore(List<Long> mark) throws Exception {
    for (int from = READER_NUMBERS; from < mark.size(); from = nextLane(mark, from)) {
      int place = mark.get(from).intValue();
      // The shard is in the list before it seeks, so it is closed even if seeking fails.
      Lane<T> lane = new Lane<>(place, opened(place));
      open.add(lane);
      lane.given = mark.get(from + 1);
      lane.failuresInARow = (int) (mark.get(from + 2) % HOPELESS);
      lane.stream.goTo(lane.given, mark.subList(from + LANE_NUMBERS, nextLane(mark, from)));
    }
    given = mark.get(0);
    opened = mark.get(1).intValue();
    current = mark.get(2).intValue();
    vacant = mark.get(3) != 0;
  }

  /** Returns the start of the next open shard's numbers; beyond the end for a damaged mark. */
  private static int nextLane(List<Long> mark, int from) {
    if (from + LANE_NUMBERS >= mark.size()) {
      return mark.size() + 1;
    }
    long numbers = mark.get(from + 2) / HOPELESS + 1;
    return (int) Math.min(mark.size() + 1L, from + LANE_NUMBERS + numbers);
  }

  private void checkMark(List<Long> mark) {
    if (mark.isEmpty()) {
      return;
    }
    boolean sound =
        mark.size() >= READER_NUMBERS
            && mark.stream().allMatch(number -> number >= 0)
            && mark.get(1) <= shards.length
            && mark.get(2) <= interleave
            && mark.get(3) <= 1;
    int lanes = 0;
    int from = READER_NUMBERS;
    long ofOthers = sound ? mark.get(0) : 0;
    while (sound && from < mark.size()) {
      sound = from + 1 < mark.size() && mark.get(from) < mark.get(1) && ++lanes <= interleave;
      ofOthers -= sound ? mark.get(from + 1) : 0;
      sound &= ofOthers >= 0;
      from = nextLane(mark, from);
    }
    // Samples that no open shard counts come from a shard that has ended or could not be opened.
    sound &= ofOthers == 0 || lanes < mark.get(1);
    if (!sound || from != mark.size()) {
      throw new IllegalArgumentException(
          "'stream' of the loader's state is damaged: %s is not a position in %s, which has %s here"
              .formatted(mark, dataset.name(), Counts.of(shards.length, "shard")));
    }
  }

  @Override
  public String describe(int shard, long ordinal) {
    if (ordinal >= 0) {
      return dataset.describe(shard, ordinal);
    }
    String described = dataset.describe(shard);
    return ordinal == StreamedSample.OPENING ? "opening " + described : described;
  }

  @Override
  public void close() throws IOException {
    List<SampleStream<T>> closing = open.stream().map(lane -> lane.stream).toList();
    open.clear();
    opened = shards.length;
    try {
      Closing.each(closing);
    } catch (IOException | RuntimeException e) {
      throw new IOException("a shard of %s could not be closed".formatted(dataset.name()), e);
    }
  }
}
