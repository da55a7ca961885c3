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
 * The driver's part of a write: it commits the shards of the tasks. The packing job has begun
 * before any task runs.
 *
 * <h2>Each row exactly once, without Spark's commit coordinator</h2>
 *
 * <p>Each attempt of a task writes into its own directory; no index refers to it before the commit.
 * For each partition Spark gives the driver one message, that of the attempt whose result arrived
 * first, and drops the messages of later attempts. So the committed index contains each partition
 * once, whatever the number and order of attempts.
 *
 * <p>Spark's commit coordinator would allow one attempt of a partition to commit. That is not
 * needed: a second successful attempt only leaves a directory that no index names. The coordinator
 * would also make jobs fail: if the allowed attempt dies before its message arrives, Spark ends the
 * whole job, because the attempt's data may be visible already. So the coordinator is off, and
 * Spark repeats a task whose machine dies in the last step.
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

  /** Deletes the files of the tasks, unless an index may name them. */
  @Override
  public void abort(WriterCommitMessage[] messages) {
    try {
      job.abort();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
