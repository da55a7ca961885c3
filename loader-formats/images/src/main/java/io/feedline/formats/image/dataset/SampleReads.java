package io.feedline.formats.image.dataset;

import io.feedline.data.Dataset;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.LongFunction;

/** A method that reads from a dataset; checked exceptions become an {@link IOException}. */
final class SampleReads {

  private SampleReads() {}

  /** Returns a sample; {@code describe} names it in errors. Keeps the interrupt status. */
  static <T> T get(Dataset<T> samples, long index, LongFunction<String> describe)
      throws IOException {
    try {
      return samples.get(index);
    } catch (IOException | RuntimeException failure) {
      throw failure;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted at " + describe.apply(index));
    } catch (Exception failed) {
      throw new IOException(describe.apply(index) + ": " + failed.getMessage(), failed);
    }
  }
}
