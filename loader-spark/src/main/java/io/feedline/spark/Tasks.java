package io.feedline.spark;

import java.io.IOException;
import java.util.Deque;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class Tasks {

  private static final Logger LOG = LoggerFactory.getLogger(Tasks.class);

  private Tasks() {}

  /** Returns the thread's task; without a task, fails with a message about {@code user}. */
  static TaskContext current(String user) {
    TaskContext task = TaskContext.get();
    if (task == null) {
      throw new IllegalStateException(
          "%s is for the code of a task, as in mapPartitions, and thread %s runs none; on a driver use DataLoader itself"
              .formatted(user, Thread.currentThread().getName()));
    }
    return task;
  }

  /** Closes an object at the end of a task, whether the task succeeds, fails or is killed. */
  static void closeAtEnd(TaskContext task, AutoCloseable closeable) {
    TaskCompletionListener listener =
        ended -> {
          try {
            closeable.close();
          } catch (Exception e) {
            // The failure is only logged: the task's own result or failure matters more.
            LOG.warn(
                "partition {}: cannot close {}: {}",
                ended.partitionId(),
                closeable,
                e.toString(),
                e);
          }
        };
    task.addTaskCompletionListener(listener);
  }

  /** Removes and closes all objects, from the first to the last; then throws the first failure. */
  static void closeAll(Deque<AutoCloseable> open) throws IOException {
    IOException failure = null;
    for (AutoCloseable next = open.poll(); next != null; next = open.poll()) {
      try {
        next.close();
      } catch (Exception e) {
        if (failure == null) {
          failure = e instanceof IOException io ? io : new IOException(e.toString(), e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
