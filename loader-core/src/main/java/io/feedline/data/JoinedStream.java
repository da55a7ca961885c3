package io.feedline.data;

import io.feedline.internal.Cancellation;
import io.feedline.internal.SourceSpentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Some shards of a dataset, one after the other, as one stream. If a shard cannot be opened, the
 * failure takes the place of a sample.
 *
 * <p>A {@link #mark}, a place in the stream, has the shard's position, the number of samples that
 * the shard has returned, the number of its failures in a row, and the shard's mark if it is open.
 */
final class JoinedStream<T> implements SampleStream<T> {

  private static final Logger LOG = LoggerFactory.getLogger(JoinedStream.class);

  private static final int OWN_NUMBERS = 3;

  /** The failures in a row after which a shard is abandoned; the loader has the same limit. */
  private static final int HOPELESS = 100;

  private final IterableDataset<T> dataset;
  private final long epoch;
  private final int[] shards;

  /** The open shard; null between two shards. */
  private @Nullable SampleStream<T> current;

  /** The position in {@link #shards} of the shard that is open or will be opened next. */
  private int place;

  private long givenOfShard;
  private int failuresInARow;
  private long given;

  /** Creates a stream that opens no shard before the first sample is asked for. */
  JoinedStream(IterableDataset<T> dataset, long epoch, int... shards) {
    this.dataset = dataset;
    this.epoch = epoch;
    this.shards = shards.clone();
  }

  /** Opens a shard of a user's dataset; throws if the dataset returns null. */
  static <T> SampleStream<T> open(IterableDataset<T> dataset, int shard, long epoch)
      throws Exception {
    return Objects.requireNonNull(dataset.open(shard, epoch), "the dataset opened nothing: null");
  }

  /** Returns the number of samples returned so far, including failing samples. */
  long given() {
    return given;
  }

  @Override
  public @Nullable PendingSample<T> next() throws Exception {
    while (place < shards.length) {
      if (current == null) {
        open();
      }
      PendingSample<T> sample = draw();
      if (sample != null) {
        return sample;
      }
      leave();
      Cancellation.check();
    }
    return null;
  }

  private void open() throws Exception {
    try {
      current = open(dataset, shards[place], epoch);
    } catch (Exception failure) {
      given++;
      throw located(failure, dataset.describe(shards[place++]));
    }
  }

  private @Nullable PendingSample<T> draw() throws Exception {
    try {
      PendingSample<T> sample = current.next();
      if (sample == null) {
        return null;
      }
      given++;
      failuresInARow = 0;
      long ordinal = givenOfShard++;
      int shard = shards[place];
      return context -> made(sample, context, shard, ordinal);
    } catch (InterruptedException betweenSamples) {
      throw betweenSamples;
    } catch (Exception failure) {
      given++;
      String at = dataset.describe(shards[place], givenOfShard++);
      if (++failuresInARow >= HOPELESS) {
        leave();
      }
      throw located(failure, at);
    }
  }

  private T made(PendingSample<T> sample, SampleContext context, int shard, long ordinal)
      throws Exception {
    try {
      return sample.get(context);
    } catch (Exception failure) {
      throw located(failure, dataset.describe(shard, ordinal));
    }
  }

  /** Returns the failure, with the sample's place before its message if the message lacks it. */
  static Exception located(Exception failure, String place) {
    String reason = String.valueOf(failure.getMessage());
    boolean asItIs =
        failure instanceof InterruptedException
            || failure instanceof SourceSpentException
            || failure instanceof LocatedException
            || reason.contains(place);
    return asItIs ? failure : new LocatedException(place + ": " + reason, failure);
  }

  private static final class LocatedException extends IOException {
    private static final long serialVersionUID = 1;

    LocatedException(String message, Exception cause) {
      super(message, cause);
    }
  }

  private void leave() {
    SampleStream<T> ended = current;
    current = null;
    place++;
    givenOfShard = 0;
    failuresInARow = 0;
    try {
      ended.close();
    } catch (IOException | RuntimeException e) {
      // The shard's samples have been delivered, so this is not a sample's failure.
      LOG.warn("closing a shard of {} failed", dataset.name(), e);
    }
  }

  @Override
  public List<Long> mark() {
    List<Long> mark = new ArrayList<>();
    mark.add((long) place);
    mark.add(givenOfShard);
    mark.add((long) failuresInARow);
    if (current != null) {
      List<Long> inShard = current.mark();
      if (inShard.isEmpty()) {
        return List.of();
      }
      mark.addAll(inShard);
    }
    return mark;
  }

  @Override
  public void goTo(long samples, List<Long> mark) throws Exception {
    boolean sound =
        mark.size() >= OWN_NUMBERS
            && mark.stream().allMatch(number -> number >= 0)
            && mark.get(0) <= shards.length - (mark.size() > OWN_NUMBERS ? 1 : 0)
            && mark.get(2) < HOPELESS;
    if (!sound) {
      throw new IOException("%s is not a position in %s".formatted(mark, dataset.name()));
    }
    given = samples;
    place = mark.get(0).intValue();
    givenOfShard = mark.get(1);
    failuresInARow = mark.get(2).intValue();
    if (mark.size() > OWN_NUMBERS) {
      current = open(dataset, shards[place], epoch);
      current.goTo(givenOfShard, mark.subList(OWN_NUMBERS, mark.size()));
    }
  }

  @Override
  public void close() throws IOException {
    place = shards.length;
    SampleStream<T> open = current;
    current = null;
    if (open != null) {
      open.close();
    }
  }
}
