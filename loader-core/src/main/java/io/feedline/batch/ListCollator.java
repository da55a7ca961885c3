package io.feedline.batch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * A collator that gets all samples of a batch at once; the easy way to write a collator.
 *
 * <pre>{@code
 * ListCollator<String> lengths =
 *     (samples, batch) -> {
 *       ByteBuffer out = batch.tensor("length", DType.INT64, Shape.of(samples.size()));
 *       samples.forEach(sample -> out.putLong(sample.length()));
 *       batch.values("text", samples);
 *     };
 * }</pre>
 */
@FunctionalInterface
public non-sealed interface ListCollator<T> extends Collator<T> {
  /**
   * Fills a batch.
   *
   * @param samples the samples in the batch's order, not empty, unmodifiable
   * @throws SampleCollationException if one of the samples cannot be collated; the loader then
   *     calls the collator again, without the sample or with the substitute that the error policy
   *     chose
   * @throws Exception if the samples cannot be collated
   */
  void collate(List<T> samples, BatchAssembler batch) throws Exception;

  /**
   * The receiver of the tensors and values that a {@link ListCollator} makes. Used by one thread; a
   * collator must not keep it after the call.
   */
  interface BatchAssembler {
    /**
     * Adds a tensor to the batch.
     *
     * @param name unique in the batch
     * @param shape the whole shape, with the batch axis if the tensor has one
     * @return the tensor's memory in the batch, to be filled: a direct buffer in the machine's byte
     *     order, position 0, limit the tensor's size; its content is arbitrary
     * @throws IllegalArgumentException if the name was used before, or the tensor would take 2 GiB
     *     or more
     */
    ByteBuffer tensor(String name, DType dtype, Shape shape);

    /**
     * Adds a list of values to the batch.
     *
     * @param name unique in the batch
     * @param values copied
     * @throws IllegalArgumentException if the name was used before
     */
    void values(String name, List<?> values);
  }

  /**
   * The failure of one sample of a batch in a {@link ListCollator}. The loader applies its {@link
   * io.feedline.ErrorPolicy} to that sample, and calls the collator again for the other samples.
   * Any other exception of a collator fails the batch.
   */
  final class SampleCollationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int row;

    /**
     * Creates the exception.
     *
     * @param row the sample's place in the list that the collator was given, from 0
     */
    public SampleCollationException(int row, Throwable cause) {
      super("row " + row + " of the batch: " + cause.getMessage(), Objects.requireNonNull(cause));
      if (row < 0) {
        throw new IllegalArgumentException("row must be 0 or more, was " + row);
      }
      this.row = row;
    }

    static SampleCollationException of(int row, String reason) {
      return new SampleCollationException(row, new IllegalArgumentException(reason));
    }

    @FunctionalInterface
    interface Work {
      void run() throws Exception;
    }

    /** Runs work on the sample of a row; a failure of the work becomes that sample's failure. */
    static void guard(int row, Work work) throws Exception {
      try {
        work.run();
      } catch (IOException | RuntimeException e) {
        throw new SampleCollationException(row, e);
      }
    }

    /** Returns the sample's place in the list, from 0. */
    public int row() {
      return row;
    }
  }
}
