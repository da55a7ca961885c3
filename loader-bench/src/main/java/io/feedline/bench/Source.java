package io.feedline.bench;

import io.feedline.data.Dataset;
import java.io.IOException;

/**
 * Samples that a command reads, and the dataset to close afterwards.
 *
 * @param <T> the samples
 * @param samples the samples, after transforms
 * @param opened the dataset that holds files open, if it is {@link AutoCloseable}
 */
record Source<T>(Dataset<T> samples, Dataset<?> opened) implements AutoCloseable {

  /**
   * Closes the dataset's files; call this after the loaders are closed.
   *
   * @throws IOException if closing fails
   */
  @Override
  public void close() throws IOException {
    if (!(opened instanceof AutoCloseable resource)) {
      return;
    }
    try {
      resource.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot close " + opened.name(), e);
    }
  }
}
