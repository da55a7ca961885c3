package io.feedline;

/**
 * The preparation of a worker thread before it makes its first sample, like PyTorch's {@code
 * worker_init_fn}. Thread-safe: workers call it at once, each for itself.
 */
@FunctionalInterface
public interface WorkerInit {
  /**
   * Prepares one worker; called once by each, in its thread.
   *
   * @param worker from 0 to {@code numWorkers - 1}
   * @throws Exception if the worker cannot work; the loader then fails at once, with this as cause
   */
  void init(int worker) throws Exception;
}
