package io.feedline.spark;

import io.feedline.formats.store.PackingJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;

record StoreWrite(PackPlan plan, PackingJob.Mode mode) implements WriteBuilder, Write {

  @Override
  public Write build() {
    return this;
  }

  @Override
  public String description() {
    return plan.toString();
  }

  /** Begins the job, before any row is computed. */
  @Override
  public BatchWrite toBatch() {
    try {
      return new StoreBatch(plan, plan.begin(mode));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
