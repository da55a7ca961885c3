package io.feedline;

import java.io.IOException;

/**
 * An opener of a source of samples: a file, a socket, a queue.
 *
 * @param <T> a sample
 */
@FunctionalInterface
public interface StreamSource<T> {
  /**
   * Opens the source.
   *
   * @return its samples from the first on, for instance {@link SampleStream#of}; owned by the
   *     caller, who closes it
   * @throws IOException if it cannot be opened; what has been opened by then is closed
   */
  SampleStream<T> open() throws IOException;
}
