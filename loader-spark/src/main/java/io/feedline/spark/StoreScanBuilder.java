package io.feedline.spark;

import java.util.List;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;

/** A scan that Spark tells which columns it needs. */
final class StoreScanBuilder implements SupportsPushDownRequiredColumns {

  private final ReadPlan plan;
  private final int parallelism;
  private List<SampleColumn> columns;

  StoreScanBuilder(ReadPlan plan, StructType schema, int parallelism) {
    this.plan = plan;
    this.parallelism = parallelism;
    this.columns = SampleColumn.of(schema);
  }

  @Override
  public void pruneColumns(StructType required) {
    columns = SampleColumn.of(required);
  }

  @Override
  public Scan build() {
    return new StoreScan(plan, columns, parallelism);
  }
}
