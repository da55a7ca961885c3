package io.feedline.spark;

import io.feedline.formats.store.PackingJob;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.CreatableRelationProvider;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Tuple2;

/**
 * The data source {@code feedline}, which Spark finds by this name.
 *
 * <pre>{@code
 * frame.write().format("feedline").option("to", "mds").save("s3://bucket/train");
 * spark.read().format("feedline").load("s3://bucket/train");
 * }</pre>
 *
 * <h2>The reason for a relation of version 1</h2>
 *
 * <p>For a writable source of version 2, Spark allows only the modes append and overwrite, not its
 * default mode {@code errorifexists}. If the table is not writable, Spark calls {@link
 * #createRelation} of version 1, with any mode. So {@link #getTable} returns a writable table only
 * if the option {@code feedline.internal.mode} is set. {@code createRelation} sets it, and then has
 * Spark write the rows by version 2.
 *
 * <p>Thread-safe.
 */
public final class FeedlineSource
    implements TableProvider, DataSourceRegister, CreatableRelationProvider {

  /** The option with the mode of a write. {@link #createRelation} sets it; users do not. */
  static final String MODE = "feedline.internal.mode";

  /** The option in which Spark passes the columns of partitionBy. */
  private static final String PARTITION_COLUMNS = "__partition_columns";

  /** Creates the source; called by Spark. */
  public FeedlineSource() {}

  @Override
  public String shortName() {
    return "feedline";
  }

  /** Returns the columns of the table, which are the same for all stores; does not open a store. */
  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SampleColumn.all();
  }

  /** Returns a table to read, or to write if {@link #createRelation} has set the mode. */
  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new FeedlineTable(schema, properties.containsKey(MODE));
  }

  /** Returns true: a user's schema has some of the columns to read, or any columns to write. */
  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  /** Returns true; columns that cannot be written are refused later, when their names are known. */
  // Overrides a method of Spark 4.
  public boolean supportsDataType(DataType type) {
    return true;
  }

  /** Writes a store; called by Spark. */
  @Override
  public BaseRelation createRelation(
      SQLContext context,
      SaveMode mode,
      scala.collection.immutable.Map<String, String> parameters,
      Dataset<Row> data) {
    Map<String, String> options = javaMap(parameters);
    if (options.keySet().removeIf(name -> name.equalsIgnoreCase(PARTITION_COLUMNS))) {
      throw new IllegalArgumentException(
          "feedline writes no partitions by column: leave out partitionBy, and order the rows"
              + " as the store is to have them");
    }
    if (mode != SaveMode.Ignore || !isThere(data, options)) {
      data.write()
          .format(FeedlineSource.class.getName())
          .mode(SaveMode.Append)
          .options(options)
          .option(MODE, mode(mode).name())
          .save();
    }
    return new Written(context, data.schema());
  }

  private static PackingJob.Mode mode(SaveMode mode) {
    return switch (mode) {
      case ErrorIfExists, Ignore -> PackingJob.Mode.CREATE;
      case Overwrite -> PackingJob.Mode.REPLACE;
      case Append -> PackingJob.Mode.APPEND;
    };
  }

  private static boolean isThere(Dataset<Row> data, Map<String, String> options) {
    try {
      PackPlan.of(SparkSession.active(), data.schema(), SourceOptions.of(options))
          .begin(PackingJob.Mode.CREATE);
      return false;
    } catch (FileAlreadyExistsException there) {
      return true;
    } catch (java.io.IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }

  private static Map<String, String> javaMap(
      scala.collection.immutable.Map<String, String> parameters) {
    // Both versions of Scala have the map's iterator.
    Map<String, String> map = new HashMap<>();
    scala.collection.Iterator<Tuple2<String, String>> entries = parameters.iterator();
    while (entries.hasNext()) {
      Tuple2<String, String> entry = entries.next();
      map.put(entry._1().toLowerCase(Locale.ROOT), entry._2());
    }
    return map;
  }

  private static final class Written extends BaseRelation {
    private final SQLContext context;
    private final StructType schema;

    Written(SQLContext context, StructType schema) {
      this.context = context;
      this.schema = schema;
    }

    @Override
    public SQLContext sqlContext() {
      return context;
    }

    @Override
    public StructType schema() {
      return schema;
    }
  }
}
