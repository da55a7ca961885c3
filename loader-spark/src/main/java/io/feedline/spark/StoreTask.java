package io.feedline.spark;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.PackingJob.TaskWriter;
import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** An attempt of a task, which writes the rows of a partition. Not thread-safe; Spark closes it. */
final class StoreTask implements DataWriter<InternalRow> {

  private final PackPlan plan;
  private final TaskWriter writer;
  private final int partition;
  private final long attempt;
  private final BrokenImages leftOut = new BrokenImages();
  private long rows;

  StoreTask(PackPlan plan, TaskWriter writer, int partition, long attempt) {
    this.plan = plan;
    this.writer = writer;
    this.partition = partition;
    this.attempt = attempt;
  }

  @Override
  public void write(InternalRow row) throws IOException {
    EncodedImage image = plan.rows().image(row, partition, rows);
    rows++;
    EncodedImage stored;
    try {
      stored = plan.stored(image);
    } catch (FormatException broken) {
      if (!plan.skipBroken()) {
        throw broken;
      }
      leftOut.add(broken);
      return;
    }
    writer.write(stored, plan.rows().fields(row));
  }

  @Override
  public WriterCommitMessage commit() throws IOException {
    return TaskMessage.of(
        new PackingJob.CommittedTask(partition, attempt, writer.commit()), leftOut);
  }

  @Override
  public void abort() throws IOException {
    writer.close();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
