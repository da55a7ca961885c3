package io.feedline.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.connector.read.SupportsPushDownV2Filters;
import org.apache.spark.sql.types.StructType;

final class StoreScanBuilder implements SupportsPushDownRequiredColumns, SupportsPushDownV2Filters {

  private final ReadPlan plan;
  private final int parallelism;
  private final List<Predicate> pushed = new ArrayList<>();
  private final List<SampleFilter> filters = new ArrayList<>();
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

  /** Keeps the predicates that filters can evaluate; returns those that Spark must evaluate. */
  @Override
  public Predicate[] pushPredicates(Predicate[] predicates) {
    List<Predicate> left = new ArrayList<>();
    for (Predicate predicate : predicates) {
      Optional<SampleFilter> filter = SampleFilter.of(predicate);
      filter.ifPresent(filters::add);
      (filter.isPresent() ? pushed : left).add(predicate);
    }
    return left.toArray(Predicate[]::new);
  }

  @Override
  public Predicate[] pushedPredicates() {
    return pushed.toArray(Predicate[]::new);
  }

  @Override
  public Scan build() {
    return new StoreScan(plan, columns, filters, parallelism);
  }
}
