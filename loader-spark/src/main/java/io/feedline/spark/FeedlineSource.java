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
 * <p>For a writable source of version 2, Spark allows only the modes append and overwrite, not even
 * its own default mode. If the table cannot be written, Spark calls version 1's {@link
 * #createRelation}, which allows all modes. So the table of {@link #getTable} is writable only if
 * its options contain a mode of ours. {@code createRelation} adds this mode, and then has Spark
 * write the rows by version 2.
 *
 * <p>Thread-safe.
 */
public final class FeedlineSource
    implements TableProvider, DataSourceRegister, CreatableRelationProvider {

  /** The option with the mode of a write, set by {@link #createRelation}; users do not set it. */
  static final String MODE = "feedline.internal.mode";

  /** The option in which Spark passes the columns of partitionBy. */
  private static final String PARTITION_COLUMNS = "__partition_columns";

  /** Creates the source; called by Spark. */
  public FeedlineSource() {}

  @Override
  public String shortName() {
    return "feedline";
  }

  /** Returns the columns, which are the same for all stores; does not open the store. */
  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return SampleColumn.all();
  }

  /** Returns a table to read, or to write if {@link #createRelation} asks for it. */
  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return new FeedlineTable(schema, properties.containsKey(MODE));
  }

  /** Returns true: Spark may read some of the columns, and may write any columns. */
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
    // By the map's iterator, which both versions of Scala have.
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
