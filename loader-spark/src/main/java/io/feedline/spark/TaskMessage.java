package io.feedline.spark;

import io.feedline.formats.store.PackingJob;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What an attempt of a task tells the driver: its shards. Bytes, because Spark may serialize it
 * with Kryo, which knows no records.
 */
final class TaskMessage implements WriterCommitMessage {

  private static final long serialVersionUID = 1;

  private final byte[] task;

  private TaskMessage(byte[] task) {
    this.task = task;
  }

  static TaskMessage of(PackingJob.CommittedTask task) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(task);
    }
    return new TaskMessage(bytes.toByteArray());
  }

  /**
   * Returns what was told.
   *
   * @throws IOException if driver and executor have different versions of Feedline
   */
  PackingJob.CommittedTask task() throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(task))) {
      return (PackingJob.CommittedTask) in.readObject();
    } catch (ClassNotFoundException other) {
      throw new IOException("driver and executors must have the same version of Feedline", other);
    }
  }
}
