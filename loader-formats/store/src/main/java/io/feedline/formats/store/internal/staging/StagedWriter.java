package io.feedline.formats.store.internal.staging;

import io.feedline.data.FormatException;
import io.feedline.data.Quarantine;
import io.feedline.formats.store.StoreWriter;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

public abstract class StagedWriter<S> implements StoreWriter<S> {

  private enum State {
    OPEN,
    FAILED,
    COMMITTED,
    CLOSED
  }

  private final StagedOutput output;
  private State state = State.OPEN;

  /** The left-out samples, which are read from the journal at the first change; null before. */
  private @Nullable List<Quarantine.Entry> leftOut;

  protected StagedWriter(StagedOutput output) {
    this.output = output;
  }

  protected final StagedOutput output() {
    return output;
  }

  protected abstract long added();

  /** Adds a sample. After any exception but {@link FormatException} the writer is unusable. */
  protected abstract void add(S sample) throws IOException;

  /** Writes the end of the store; the next run calls it again after an interruption. */
  protected abstract void finish() throws IOException;

  /** Tests whether the journal counts samples; if not, left-out samples are forced to the disk. */
  protected boolean countsInJournal() {
    return true;
  }

  /** Closes the files; another run can continue behind the added samples. May be called twice. */
  protected abstract void release() throws IOException;

  @Override
  public final long written() {
    return output.isComplete() ? output.completeSamples() : added();
  }

  @Override
  public final void write(S sample) throws IOException {
    change(() -> add(sample));
  }

  @Override
  public final void leaveOut(Quarantine.Entry sample) throws IOException {
    change(
        () -> {
          output.leaveOut(sample, added(), !countsInJournal());
          leftOut.add(sample);
        });
  }

  @Override
  public final Quarantine leftOut() {
    return new Quarantine(leftOut == null ? output.leftOutUpTo(written()) : leftOut);
  }

  private interface Change {
    void make() throws IOException;
  }

  private void change(Change change) throws IOException {
    requireOpen();
    if (output.isComplete()) {
      throw new IllegalStateException(
          "%s was complete with %s when it was interrupted; nothing can be added"
              .formatted(output.target(), Counts.of(output.completeSamples(), "sample")));
    }
    try {
      if (leftOut == null) {
        leftOut = output.takeUpLeftOut(added(), !countsInJournal());
      }
      change.make();
    } catch (FormatException rejected) {
      throw rejected;
    } catch (IOException | RuntimeException | Error failure) {
      state = State.FAILED;
      throw failure;
    }
  }

  @Override
  public final void commit() throws IOException {
    requireOpen();
    state = State.FAILED;
    if (!output.isComplete()) {
      finish();
      release();
    }
    output.publish(written());
    state = State.COMMITTED;
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "the writer of %s %s"
              .formatted(
                  output.target(),
                  switch (state) {
                    case FAILED -> "has failed; open it again to continue";
                    case COMMITTED -> "is committed";
                    default -> "is closed";
                  }));
    }
  }

  @Override
  public final void close() throws IOException {
    if (state == State.COMMITTED || state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    try (output) {
      if (!output.isComplete()) {
        release();
      }
    }
  }

  @Override
  public String toString() {
    return "%s, %d written".formatted(output.target(), written());
  }
}
