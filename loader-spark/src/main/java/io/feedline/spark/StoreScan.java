package io.feedline.spark;

import io.feedline.formats.store.ImageStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * A read of some columns of a store. The driver opens the store once, for the sizes of its shards.
 * Partitions are whole shards, or ranges of samples if the store has one shard or the user limits a
 * partition's size. Not thread-safe.
 */
final class StoreScan implements SupportsReportStatistics, Batch {

  /** The approximate memory of a row without its image, in bytes. */
  private static final int BYTES_WITHOUT_IMAGE = 64;

  private final ReadPlan plan;
  private final List<SampleColumn> columns;
  private final List<SampleFilter> filters;
  private final int parallelism;

  /** The number of samples of each shard; null until it is first needed. */
  private long @Nullable [] shards;

  /** Creates a read; {@code parallelism} is the number of tasks that the cluster runs at once. */
  StoreScan(
      ReadPlan plan, List<SampleColumn> columns, List<SampleFilter> filters, int parallelism) {
    this.plan = plan;
    this.parallelism = parallelism;
    this.columns = List.copyOf(columns);
    this.filters = List.copyOf(filters);
  }

  /** The samples from {@code from} to before {@code to} of a store with {@code size} samples. */
  record Range(long from, long to, long size) implements InputPartition {
    private static final long serialVersionUID = 1;
  }

  private record Readers(ReadPlan plan, List<SampleColumn> columns, List<SampleFilter> filters)
      implements PartitionReaderFactory {
    private static final long serialVersionUID = 1;

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      return new RangeReader(plan, columns, filters, (Range) partition);
    }
  }

  @Override
  public StructType readSchema() {
    return SampleColumn.schema(columns);
  }

  @Override
  public String description() {
    return filters.isEmpty() ? plan.toString() : plan + " where " + filters;
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new Readers(plan, columns, filters);
  }

  @Override
  public InputPartition[] planInputPartitions() {
    return ranges(shards(), plan.samplesPerPartition(), parallelism).toArray(InputPartition[]::new);
  }

  /**
   * @param shards the number of samples of each shard
   * @param most the largest number of samples in a partition; 0: whole shards if there are several;
   *     a single shard is divided into as many partitions as the cluster runs tasks at once
   */
  static List<Range> ranges(long[] shards, int most, int parallelism) {
    long size = 0;
    for (long samples : shards) {
      size += samples;
    }
    long wanted = most > 0 ? most : Math.max(1, ceilDiv(size, parallelism));
    boolean whole = most == 0 && shards.length > 1;
    List<Range> ranges = new ArrayList<>();
    long from = 0;
    long end = 0;
    for (long samples : shards) {
      if (end > from && end + samples - from > wanted) {
        add(ranges, from, end, whole ? Long.MAX_VALUE : wanted, size);
        from = end;
      }
      end += samples;
    }
    add(ranges, from, end, whole ? Long.MAX_VALUE : wanted, size);
    return ranges;
  }

  /** Adds parts of a range, about equal, of at most {@code most} samples; none if it is empty. */
  private static void add(List<Range> ranges, long from, long to, long most, long size) {
    long parts = ceilDiv(to - from, most);
    for (long part = 0; part < parts; part++) {
      ranges.add(
          new Range(
              from + (to - from) * part / parts, from + (to - from) * (part + 1) / parts, size));
    }
  }

  private static long ceilDiv(long dividend, long divisor) {
    return dividend / divisor + (dividend % divisor == 0 ? 0 : 1);
  }

  @Override
  public Statistics estimateStatistics() {
    long rows = 0;
    for (long samples : shards()) {
      rows += samples;
    }
    OptionalLong numRows = OptionalLong.of(rows);
    OptionalLong sizeInBytes =
        columns.contains(SampleColumn.BYTES)
            ? OptionalLong.empty()
            : OptionalLong.of(Math.max(1, rows * BYTES_WITHOUT_IMAGE));
    return new Statistics() {
      @Override
      public OptionalLong numRows() {
        return numRows;
      }

      @Override
      public OptionalLong sizeInBytes() {
        return sizeInBytes;
      }
    };
  }

  private long[] shards() {
    if (shards == null) {
      try (ImageStore store = plan.open()) {
        shards = store.shardSizes();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
    return shards;
  }
}
