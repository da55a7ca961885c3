package io.feedline;

import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.LoaderException;
import io.feedline.internal.Counts;
import io.feedline.stats.internal.LoaderClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches that were loaded once and are delivered again and again: the memory of a loader that
 * {@link DataLoader#replay replays}.
 *
 * <h2>Implementation note</h2>
 *
 * <p>A loader that replays is an ordinary loader over {@link PlaceholderDataset} samples. So its
 * epochs, states, figures and open batches work as in every loader. Its engine makes bare batches,
 * which have a place in the epoch and a size, but no entries. Before its delivery each bare batch
 * gets the memory of a kept batch that is not in use; both are closed together.
 *
 * <p>Thread-safe. No other lock is taken under its lock.
 */
final class Replay implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

  /** The kept batches, valid until they are closed; the loader that made them is closed. */
  private final List<Batch> kept;

  /** For each kept batch, true while the consumer has it. */
  private final boolean[] inUse;

  private boolean closed;

  private Replay(List<Batch> kept) {
    this.kept = List.copyOf(kept);
    this.inUse = new boolean[kept.size()];
  }

  /**
   * Loads the first batches of an epoch, at least one.
   *
   * @param most the largest number of batches
   * @param mostBytes the largest size of the kept batches together; one is always kept
   * @throws LoaderException if a batch fails
   */
  static <T> Replay load(
      LoaderOptions<T> options, EpochFactory<T> epochs, long epoch, int most, long mostBytes) {
    List<Batch> loaded = new ArrayList<>();
    try (DataLoader<T> loader =
        new DataLoader<>(options.toKeep(most), epochs, new LoaderClock(), null)) {
      BatchIterator batches = loader.epoch(epoch).iterator();
      long bytes = 0;
      long largest = 0;
      while (loaded.size() < most
          && (loaded.isEmpty() || bytes + largest <= mostBytes)
          && batches.hasNext()) {
        Batch batch = batches.next();
        loaded.add(batch);
        bytes += bytes(batch);
        largest = Math.max(largest, bytes(batch));
      }
      if (loaded.isEmpty()) {
        throw new IllegalStateException(
            "there is nothing to replay: epoch %d of %s has no batches"
                .formatted(epoch, options.name()));
      }
      OptionalLong ofEpoch = epochs.batches(epoch);
      LOG.info(
          "replaying {} of {}, {}",
          Counts.of(loaded.size(), "batch"),
          options.name(),
          ofEpoch.isPresent()
              ? ofEpoch.getAsLong() + " in an epoch"
              : "without an end, since the length of an epoch is not known");
      return new Replay(loaded);
    } catch (Throwable failure) {
      loaded.forEach(Batch::close);
      throw failure;
    }
  }

  private static long bytes(Batch batch) {
    return batch.tensors().values().stream().mapToLong(Tensor::byteSize).sum();
  }

  int size() {
    return kept.size();
  }

  /**
   * Returns a batch with the place of a bare batch and the entries of a kept batch, which is not
   * used again before the result is closed.
   *
   * @param bare a batch without entries; no more bare batches are open than batches are kept
   */
  Batch dress(Batch bare) {
    int number = borrow(bare);
    if (number < 0) {
      bare.close();
      throw new IllegalStateException(
          "the loader is closed, and batch %d of epoch %d cannot be replayed"
              .formatted(bare.number(), bare.epoch()));
    }
    try {
      return dressed(bare, kept.get(number), () -> giveBack(bare, number));
    } catch (Throwable failure) {
      giveBack(bare, number);
      throw failure;
    }
  }

  /**
   * Chooses a kept batch for a bare batch. Kept batches take turns by the bare batch's place in the
   * epoch, so each has its own place if a whole epoch is kept. Passes over open batches, and over a
   * short batch if there is a longer batch.
   *
   * @return the number of the kept batch; -1 after the end
   */
  private synchronized int borrow(Batch bare) {
    int found = -1;
    for (int i = 0; i < inUse.length && !closed; i++) {
      int candidate = (int) ((bare.number() + i) % inUse.length);
      boolean longEnough = kept.get(candidate).size() >= bare.size();
      if (!inUse[candidate] && (found < 0 || longEnough)) {
        found = candidate;
        if (longEnough) {
          break;
        }
      }
    }
    if (found >= 0) {
      inUse[found] = true;
    }
    return found;
  }

  private void giveBack(Batch bare, int number) {
    try (bare) {
      giveBack(number);
    }
  }

  private void giveBack(int number) {
    synchronized (this) {
      inUse[number] = false;
      if (!closed) {
        return;
      }
    }
    kept.get(number).close();
  }

  private static Batch dressed(Batch bare, Batch whole, Runnable onClose) {
    int rows = Math.min(bare.size(), whole.size());
    Map<String, Object> entries = new LinkedHashMap<>();
    whole.tensors().forEach((name, tensor) -> entries.put(name, first(tensor, rows, whole)));
    whole.values().forEach((name, values) -> entries.put(name, first(values, rows, whole)));
    return Batch.of(
        entries,
        Arrays.copyOf(whole.indices(), rows),
        Math.min(rows, bare.valid()),
        bare.epoch(),
        bare.number(),
        onClose);
  }

  private static Tensor first(Tensor tensor, int rows, Batch whole) {
    long[] lengths = tensor.shape().lengths();
    int bytes = tensor.byteSize();
    if (rows < whole.size() && lengths.length > 0 && lengths[0] == whole.size()) {
      lengths[0] = rows;
      bytes = bytes / whole.size() * rows;
    }
    return Tensor.of(tensor.dtype(), Shape.of(lengths), tensor.bytes().slice(0, bytes));
  }

  private static List<?> first(List<?> values, int rows, Batch whole) {
    return values.size() == whole.size() ? values.subList(0, rows) : values;
  }

  /** Frees the kept batches, but open batches only when they are closed. May be called twice. */
  @Override
  public void close() {
    List<Batch> free = new ArrayList<>();
    synchronized (this) {
      closed = true;
      for (int i = 0; i < inUse.length; i++) {
        if (!inUse[i]) {
          free.add(kept.get(i));
        }
      }
    }
    free.forEach(Batch::close);
  }
}
