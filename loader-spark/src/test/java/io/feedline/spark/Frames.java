package io.feedline.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Data frames of images that the tasks make themselves, and faults in these. */
final class Frames {

  static final StructType SCHEMA =
      new StructType()
          .add("key", DataTypes.StringType)
          .add("bytes", DataTypes.BinaryType)
          .add("label", DataTypes.IntegerType);

  static final int CLASSES = 3;

  private Frames() {}

  /** A fault in a task before a row is given to its writer. */
  @FunctionalInterface
  interface Fault extends Serializable {
    /** No fault. */
    Fault NONE = (task, row) -> {};

    /** The row behind the last one of each partition. */
    long END = -1;

    /**
     * Does it.
     *
     * @param row its number in its partition, or {@link #END}
     */
    void before(TaskContext task, long row) throws Exception;
  }

  static Dataset<Row> of(SparkSession spark, int samples, int partitions) {
    return of(spark, samples, partitions, Fault.NONE);
  }

  /** Samples 0, 1, 2, ... in partitions of successive ones. */
  static Dataset<Row> of(SparkSession spark, int samples, int partitions, Fault fault) {
    MapPartitionsFunction<Long, Row> rows = numbers -> new Rows(numbers, fault);
    return spark.range(0, samples, 1, partitions).mapPartitions(rows, Encoders.row(SCHEMA));
  }

  static String key(long number) {
    return "k%05d".formatted(number);
  }

  /** Returns what a store of these frames must have. */
  static Stream<Pictures.Sample> samples(int samples) {
    return Stream.iterate(0, i -> i + 1)
        .limit(samples)
        .map(i -> Pictures.Sample.of(key(i), Pictures.jpeg(i), i % CLASSES));
  }

  private static final class Rows implements Iterator<Row> {
    private final Iterator<Long> numbers;
    private final Fault fault;
    private long row;
    private boolean ended;

    Rows(Iterator<Long> numbers, Fault fault) {
      this.numbers = numbers;
      this.fault = fault;
    }

    @Override
    public boolean hasNext() {
      if (numbers.hasNext()) {
        return true;
      }
      if (!ended) {
        ended = true;
        happen(Fault.END);
      }
      return false;
    }

    @Override
    public Row next() {
      happen(row++);
      int number = numbers.next().intValue();
      return RowFactory.create(key(number), Pictures.jpeg(number), number % CLASSES);
    }

    private void happen(long at) {
      try {
        fault.before(TaskContext.get(), at);
      } catch (RuntimeException failure) {
        throw failure;
      } catch (Exception failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}
