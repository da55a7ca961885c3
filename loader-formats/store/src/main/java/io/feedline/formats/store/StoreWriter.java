package io.feedline.formats.store;

import io.feedline.data.Quarantine;
import java.io.Closeable;
import java.io.IOException;

/**
 * A writer of a store, sample by sample. Until {@link #commit} the store lies beside its final
 * place as {@code NAME.partial}; in an object store it lies at its final place, but nothing opens
 * it there.
 *
 * <p>A writer may continue an interrupted run of the same output: most writers begin behind the
 * last whole shard; writers of LMDB and image folders begin behind the last sample that is safely
 * on the disk. A writer that cannot continue, such as a writer of one file, begins anew, and {@link
 * #written} is 0. The next sample to write has the number {@code written() +
 * leftOut().entries().size()}, counted from 0.
 *
 * <p>Not thread-safe. The caller closes the writer; closing twice is allowed.
 *
 * @param <S> the type of a sample
 */
public interface StoreWriter<S> extends Closeable {

  /** Returns how many samples have been written, including samples of an interrupted run. */
  long written();

  /**
   * Adds a sample after the samples written before.
   *
   * @throws IOException if the sample cannot be written, or the format cannot store it; the message
   *     has the file, the sample's key or number, and the reason. If the format cannot store the
   *     sample, the output is unchanged
   * @throws IllegalStateException if the writer is committed or closed, or the continued run had
   *     already written everything
   */
  void write(S sample) throws IOException;

  /**
   * Notes that the source's next sample, which follows the samples written or left out so far, is
   * not written. A continued run does not expect this sample.
   *
   * @param sample the sample's place in the source, and the reason
   * @throws IOException if the note cannot be written
   * @throws IllegalStateException in the cases of {@link #write}
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
   * @throws IOException if this fails; the output is then in the state of an interrupted run
   * @throws IllegalStateException if the writer is committed or closed
   */
  void commit() throws IOException;

  /**
   * Closes the files and releases the lock. May be called twice. Without {@link #commit} the output
   * can be continued, but the samples of a shard that is not whole have to be written again.
   *
   * @throws IOException if a file cannot be written or closed
   */
  @Override
  void close() throws IOException;
}
