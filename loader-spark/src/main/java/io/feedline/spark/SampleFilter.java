package io.feedline.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.Expression;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the key, label or class of a sample, which is evaluated before the image is read.
 * Immutable.
 *
 * @param wanted the accepted values, or for {@link Kind#STARTS_WITH} the accepted prefix; as
 *     Spark's rows represent them, without null
 */
@SuppressWarnings("serial") // the list and its elements are serializable
record SampleFilter(SampleColumn column, Kind kind, List<Object> wanted) implements Serializable {

  private static final long serialVersionUID = 1;

  /** The comparisons that a filter evaluates; Spark evaluates all other predicates. */
  enum Kind {
    IN,
    STARTS_WITH,
    IS_NULL,
    IS_NOT_NULL
  }

  /** Returns a predicate as a filter; empty if Spark must evaluate its column or comparison. */
  static Optional<SampleFilter> of(Predicate predicate) {
    Expression[] parts = predicate.children();
    if (parts.length == 0
        || !(parts[0] instanceof NamedReference reference)
        || reference.fieldNames().length != 1) {
      return Optional.empty();
    }
    Optional<SampleColumn> column =
        SampleColumn.named(reference.fieldNames()[0])
            .filter(List.of(SampleColumn.KEY, SampleColumn.LABEL, SampleColumn.CLASS)::contains);
    Optional<Kind> kind =
        switch (predicate.name()) {
          case "=", "IN" -> Optional.of(Kind.IN);
          case "STARTS_WITH" -> Optional.of(Kind.STARTS_WITH);
          case "IS_NULL" -> Optional.of(Kind.IS_NULL);
          case "IS_NOT_NULL" -> Optional.of(Kind.IS_NOT_NULL);
          default -> Optional.empty();
        };
    List<Expression> operands = Arrays.asList(parts).subList(1, parts.length);
    if (column.isEmpty() || kind.isEmpty() || !operands.stream().allMatch(SampleFilter::isOfARow)) {
      return Optional.empty();
    }
    // In SQL a comparison with null is never true, so null accepts no sample.
    List<Object> wanted =
        operands.stream()
            .map(each -> (Object) ((Literal<?>) each).value())
            .filter(Objects::nonNull)
            .toList();
    return Optional.of(new SampleFilter(column.get(), kind.get(), wanted));
  }

  private static boolean isOfARow(Expression operand) {
    return operand instanceof Literal<?> literal
        && (literal.value() == null
            || literal.value() instanceof UTF8String
            || literal.value() instanceof Integer);
  }

  boolean accepts(@Nullable Object value) {
    return switch (kind) {
      case IS_NULL -> value == null;
      case IS_NOT_NULL -> value != null;
      case IN -> value != null && wanted.contains(value);
      case STARTS_WITH ->
          value instanceof UTF8String text
              && wanted.stream().anyMatch(each -> text.startsWith((UTF8String) each));
    };
  }

  @Override
  public String toString() {
    String values =
        wanted.stream().map(Object::toString).collect(Collectors.joining(", ", "(", ")"));
    return column + " " + kind + (wanted.isEmpty() ? "" : values);
  }
}
