package io.feedline.formats.store;

import io.feedline.data.Quarantine;
import java.io.Closeable;
import java.io.IOException;

/**
 * A writer of a store, sample by sample. The store gets its name when it is whole: until {@link
 * #commit} it lies beside its place as {@code NAME.partial}, or in an object store at its final
 * place, where nothing opens it.
 *
 * <p>A writer may continue an interrupted run of the same output: Feedline's own writers begin
 * behind its last whole shard, those of LMDB and image folders behind the last sample that is
 * safely there. A writer that cannot continue, as that of an output of one file, begins anew, with
 * {@link #written} 0. The next sample to write has the number {@code written() +
 * leftOut().entries().size()}, counted from 0.
 *
 * <p>Not thread-safe. The caller closes it; closing twice is allowed.
 *
 * @param <S> the samples
 */
public interface StoreWriter<S> extends Closeable {

  /** Returns how many samples have been written, including samples of an interrupted run. */
  long written();

  /**
   * Adds a sample after the samples written before.
   *
   * @throws IOException if it cannot be written, or the format cannot store it: with the file, the
   *     sample's key or number, and what was found. A sample that the format cannot hold leaves
   *     everything as it was
   * @throws IllegalStateException if the writer is committed or closed, or a run is continued that
   *     had written everything
   */
  void write(S sample) throws IOException;

  /**
   * Notes that the next sample after the samples written or left out before is left out: a
   * continued run does not ask for it again.
   *
   * @param sample its place in the source, and why it is left out
   * @throws IOException if that cannot be noted
   * @throws IllegalStateException as of {@link #write}
   */
  void leaveOut(Quarantine.Entry sample) throws IOException;

  /**
   * Returns the samples that were left out, in order, including samples of an interrupted run. A
   * run continues at sample {@code written() + leftOut().entries().size()}.
   */
  Quarantine leftOut();

  /**
   * Makes the output whole and durable, and gives it its name.
   *
   * @throws IOException if that fails; the output is then as after an interruption
   * @throws IllegalStateException if the writer is committed or closed
   */
  void commit() throws IOException;

  /**
   * Releases files and the lock. May be called twice. Without {@link #commit} the output can be
   * continued, but the samples of a shard that is not whole have to be written again.
   *
   * @throws IOException if a file cannot be written or closed
   */
  @Override
  void close() throws IOException;
}
