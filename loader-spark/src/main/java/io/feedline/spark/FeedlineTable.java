package io.feedline.spark;

import io.feedline.formats.store.PackingJob;
import java.util.Set;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

final class FeedlineTable implements SupportsRead, SupportsWrite {

  private final StructType schema;
  private final boolean writable;

  FeedlineTable(StructType schema, boolean writable) {
    this.schema = schema;
    this.writable = writable;
  }

  @Override
  public String name() {
    return "feedline";
  }

  // Spark derives columns() from the schema, so columns() is not overridden.
  @Override
  @SuppressWarnings("deprecation")
  public StructType schema() {
    return schema;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return writable
        ? Set.of(TableCapability.BATCH_WRITE, TableCapability.ACCEPT_ANY_SCHEMA)
        : Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    SparkSession session = SparkSession.active();
    return new StoreScanBuilder(
        ReadPlan.of(session, SourceOptions.of(options.asCaseSensitiveMap())),
        schema,
        session.sparkContext().defaultParallelism());
  }

  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    return new StoreWrite(
        PackPlan.of(
            SparkSession.active(),
            info.schema(),
            SourceOptions.of(info.options().asCaseSensitiveMap())),
        PackingJob.Mode.valueOf(info.options().get(FeedlineSource.MODE)));
  }
}
