package io.feedline;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Some shards of a dataset, read as one stream: up to {@code interleave} of them are open at once
 * and give a sample in turn; when one ends, the next shard takes its place.
 *
 * <p>What a shard throws takes a sample's place, and the shard goes on behind it. One that throws
 * again and again without giving a sample is left, so that a broken one cannot go on for ever.
 */
final class ShardReader<T> implements SampleStream<T> {

  private static final Logger LOG = LoggerFactory.getLogger(ShardReader.class);

  /** After how many failures in a row a shard is left. */
  static final int HOPELESS = 100;

  private final IterableDataset<T> dataset;
  private final long epoch;
  private final int[] shards;
  private final List<Lane<T>> open = new ArrayList<>();
  private final int interleave;
  private int opened;
  private int turn;

  /** Whether the shard whose turn it is has ended and may be replaced. */
  private boolean vacant;

  /** An open shard. */
  private static final class Lane<T> {
    private final SampleStream<T> stream;
    private int failuresInARow;

    Lane(SampleStream<T> stream) {
      this.stream = stream;
    }
  }

  /**
   * A reader that opens its first shards when the first sample is asked for.
   *
   * @param shards their numbers, in the order in which they are opened
   */
  ShardReader(IterableDataset<T> dataset, long epoch, int[] shards, int interleave) {
    this.dataset = dataset;
    this.epoch = epoch;
    this.shards = shards.clone();
    this.interleave = interleave;
  }

  @Override
  public PendingSample<T> next() throws Exception {
    while (true) {
      openShards();
      if (open.isEmpty()) {
        return null;
      }
      turn = turn % open.size();
      Lane<T> lane = open.get(turn);
      PendingSample<T> sample;
      try {
        sample = lane.stream.next();
      } catch (Throwable failure) {
        lane.failuresInARow++;
        if (lane.failuresInARow >= HOPELESS) {
          leaveTurn();
        } else {
          turn++;
        }
        throw failure;
      }
      if (sample != null) {
        lane.failuresInARow = 0;
        turn++;
        return sample;
      }
      leaveTurn();
    }
  }

  /** Opens what may be open; the next shard takes the place of one that has ended. */
  private void openShards() throws Exception {
    while (open.size() < interleave && opened < shards.length) {
      int place = vacant ? turn : open.size();
      vacant = false;
      open.add(place, new Lane<>(dataset.open(shards[opened++], epoch)));
    }
    vacant = false;
  }

  private void leaveTurn() {
    vacant = true;
    try {
      open.remove(turn).stream.close();
    } catch (IOException | RuntimeException e) {
      // Its samples have been given; this is no sample's failure.
      LOG.warn("closing a shard of {} failed", dataset.name(), e);
    }
  }

  @Override
  public void close() throws IOException {
    List<Lane<T>> closing = List.copyOf(open);
    open.clear();
    opened = shards.length;
    IOException failure = null;
    for (Lane<T> lane : closing) {
      try {
        lane.stream.close();
      } catch (IOException | RuntimeException e) {
        if (failure == null) {
          failure =
              new IOException("a shard of %s could not be closed".formatted(dataset.name()), e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
