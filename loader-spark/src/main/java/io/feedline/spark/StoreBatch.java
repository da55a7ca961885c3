package io.feedline.spark;

import io.feedline.formats.store.PackingJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * The driver's part of a write: it begins the job before any task starts, and commits the tasks'
 * shards.
 *
 * <h2>Exactly once, without Spark's coordinator of commits</h2>
 *
 * <p>Attempts of a task write into directories of their own, and nothing refers to these before the
 * commit. Spark hands the driver one message for each partition, that of the attempt whose result
 * came first; messages of later attempts of the partition are dropped. So the index has each
 * partition once, for any attempts in any order.
 *
 * <p>Spark's coordinator would let one attempt of a partition commit and refuse the others. That
 * adds nothing here, since a second committed attempt is merely a directory that no index has. And
 * it takes something away: where the attempt that was allowed to commit dies before its message is
 * there, Spark ends the whole job, because it must fear for data that are seen already. So it is
 * off, and a task whose machine dies in its last step is simply done again.
 */
final class StoreBatch implements BatchWrite {

  private final PackPlan plan;
  private final PackingJob job;

  StoreBatch(PackPlan plan, PackingJob job) {
    this.plan = plan;
    this.job = job;
  }

  private record Tasks(PackPlan plan, String job) implements DataWriterFactory {
    @Override
    public DataWriter<InternalRow> createWriter(int partition, long attempt) {
      try {
        return new StoreTask(plan, plan.openTask(job, partition, attempt), partition, attempt);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  @Override
  public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
    return new Tasks(plan, job.id());
  }

  @Override
  public boolean useCommitCoordinator() {
    return false;
  }

  @Override
  public void commit(WriterCommitMessage[] messages) {
    List<PackingJob.CommittedTask> tasks = new ArrayList<>(messages.length);
    BrokenImages leftOut = new BrokenImages();
    try {
      for (WriterCommitMessage message : messages) {
        TaskMessage.Payload payload = ((TaskMessage) message).payload();
        tasks.add(payload.task());
        leftOut.add(payload.leftOut());
      }
      job.commit(tasks);
      leftOut.log(plan.target() + " was written");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Deletes the tasks' files that surely no index has. */
  @Override
  public void abort(WriterCommitMessage[] messages) {
    try {
      job.abort();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
