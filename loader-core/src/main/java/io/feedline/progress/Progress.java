package io.feedline.progress;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a loader, with a display of the epoch's progress on standard error. PyTorch users
 * know it as {@code tqdm(loader)}.
 *
 * <pre>{@code
 * for (Batch batch : Progress.of(loader)) {
 *   try (batch) {
 *     train(batch);
 *   }
 * }
 * }</pre>
 *
 * <p>The display is a bar on a terminal; elsewhere, a line every ten seconds at most. It shows the
 * batches, the time that has passed and the time that is left, the samples per second, and the
 * share of the time that was spent waiting for batches. If this share is more than a few percent,
 * loading data limits the training.
 *
 * <p>Each {@link #iterator} begins the loader's next epoch. The display ends with the epoch, or
 * when the next epoch begins. If a loop may be left early, {@code try (Progress progress =
 * Progress.of(loader))} ends the display. The caller closes the loader.
 *
 * <p>Used by one thread.
 */
public final class Progress implements Iterable<Batch>, AutoCloseable {

  private final DataLoader<?> loader;
  private final UnaryOperator<TaskProgress.Builder> display;

  private @Nullable TaskProgress shown;

  private Progress(DataLoader<?> loader, UnaryOperator<TaskProgress.Builder> display) {
    this.loader = Objects.requireNonNull(loader, "loader");
    this.display = Objects.requireNonNull(display, "display");
  }

  /** Returns the batches of a loader, whose progress is shown. */
  public static Progress of(DataLoader<?> loader) {
    return of(loader, defaults -> defaults);
  }

  /**
   * Returns the batches of a loader, whose progress is shown in another way: {@code
   * Progress.of(loader, display -> display.unit("images").bar(false))}.
   *
   * @param display changes the defaults of the display, once for each epoch
   */
  public static Progress of(DataLoader<?> loader, UnaryOperator<TaskProgress.Builder> display) {
    return new Progress(loader, display);
  }

  /**
   * Begins the loader's next epoch, and its display.
   *
   * @throws IllegalStateException as {@link DataLoader#iterator} does
   */
  @Override
  public Iterator<Batch> iterator() {
    close();
    BatchIterator batches = loader.iterator();
    TaskProgress.Builder defaults =
        TaskProgress.builder("epoch " + batches.epoch(), batches.remaining().orElse(-1))
            .unit("samples");
    shown = display.apply(defaults).begin();
    return new Shown(batches, shown);
  }

  /** Ends the display of the epoch under way, if any. May be called twice. */
  @Override
  public void close() {
    if (shown != null) {
      shown.close();
      shown = null;
    }
  }

  /** The batches of one epoch. */
  private static final class Shown implements Iterator<Batch> {
    private final BatchIterator batches;
    private final TaskProgress progress;

    /** The samples that the consumer works on; they count as done when it takes the next batch. */
    private int underWay;

    Shown(BatchIterator batches, TaskProgress progress) {
      this.batches = batches;
      this.progress = progress;
    }

    @Override
    public boolean hasNext() {
      stepDone();
      long from = progress.now();
      boolean more = batches.hasNext();
      progress.waited(progress.now() - from);
      if (!more) {
        progress.close();
      }
      return more;
    }

    @Override
    public Batch next() {
      stepDone();
      long from = progress.now();
      try {
        Batch batch = batches.next();
        underWay = batch.valid();
        return batch;
      } finally {
        progress.waited(progress.now() - from);
      }
    }

    private void stepDone() {
      if (underWay > 0) {
        progress.step(1, underWay);
        underWay = 0;
      }
    }
  }
}
