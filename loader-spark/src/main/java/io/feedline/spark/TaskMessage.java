package io.feedline.spark;

import io.feedline.formats.store.PackingJob;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The message of a task's attempt to the driver: the written shards, and the broken images left
 * out. The content is serialized to bytes here, because Spark may use Kryo, which does not support
 * records.
 */
final class TaskMessage implements WriterCommitMessage {

  private static final long serialVersionUID = 1;

  private final byte[] bytes;

  private TaskMessage(byte[] bytes) {
    this.bytes = bytes;
  }

  record Payload(PackingJob.CommittedTask task, BrokenImages leftOut) implements Serializable {
    private static final long serialVersionUID = 1;
  }

  static TaskMessage of(PackingJob.CommittedTask task, BrokenImages leftOut) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Payload(task, leftOut));
    }
    return new TaskMessage(bytes.toByteArray());
  }

  /** Returns the content; fails if driver and executor have different versions of Feedline. */
  Payload payload() throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (Payload) in.readObject();
    } catch (ClassNotFoundException other) {
      throw new IOException("driver and executors must have the same version of Feedline", other);
    }
  }
}
