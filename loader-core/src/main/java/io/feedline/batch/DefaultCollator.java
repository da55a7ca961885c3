package io.feedline.batch;

import io.feedline.batch.RowCollator.Column;
import io.feedline.batch.RowCollator.Row;
import io.feedline.internal.ClassNames;
import io.feedline.internal.MapKeys;
import io.feedline.internal.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The default collation rules, which {@link Collator#defaults} states.
 *
 * <p>The first sample becomes a plan: a tree of {@link SampleNode}s in the shape of the sample,
 * whose leaves know the column they fill. Later samples only walk that tree.
 */
final class DefaultCollator<T> implements RowCollator<T> {

  /** The number of plans kept: enough for samples of some classes or shapes that alternate. */
  private static final int KEPT_PLANS = 8;

  /** The plans kept, the newest first. */
  private volatile List<Plan<T>> plans = List.of();

  @Override
  public RowCollator.Plan<T> plan(T sample) {
    List<Plan<T>> known = plans;
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).accepts(sample)) {
        return known.get(i);
      }
    }
    List<Column> columns = new ArrayList<>();
    SampleNode root = node("", sample, columns);
    Plan<T> plan = new Plan<>(root, new RowCollator.Layout(columns));
    remember(plan);
    return plan;
  }

  private synchronized void remember(Plan<T> plan) {
    List<Plan<T>> kept = new ArrayList<>();
    kept.add(plan);
    kept.addAll(plans.subList(0, Math.min(plans.size(), KEPT_PLANS - 1)));
    plans = List.copyOf(kept);
  }

  private record Plan<T>(SampleNode root, RowCollator.Layout layout)
      implements RowCollator.Plan<T> {
    @Override
    public boolean accepts(T sample) {
      return root.accepts(sample);
    }

    @Override
    public void write(T sample, Row row) throws Exception {
      root.write(sample, row);
    }
  }

  /** Makes an entry's node, and adds the entry's columns; the sample itself has an empty path. */
  static SampleNode node(String path, Object entry, List<Column> columns) {
    if (entry == null) {
      throw new IllegalArgumentException(named(path) + " is null; a sample has no nulls");
    }
    if (entry instanceof TensorSource source) {
      int column = tensor(path, source.dtype(), source.shape(), columns);
      return new SampleNode.OfSource(column, source.dtype(), source.shape());
    }
    SampleNode.NumberKind number = SampleNode.NumberKind.of(entry);
    if (number != null) {
      return new SampleNode.OfNumber(tensor(path, number.dtype, Shape.SCALAR, columns), number);
    }
    if (SampleNode.OfValue.isValue(entry)) {
      columns.add(new Column.OfValues(columnName(path)));
      return new SampleNode.OfValue(columns.size() - 1);
    }
    ArrayKind array = ArrayKind.of(entry);
    if (array != null) {
      Shape shape = ArrayKind.shapeOf(named(path), entry);
      int column = tensor(path, array.dtype, shape, columns);
      return new SampleNode.OfArray(column, entry.getClass(), array, shape);
    }
    Parts parts = Parts.of(path, entry);
    if (parts != null) {
      List<SampleNode> children = new ArrayList<>();
      for (int i = 0; i < parts.names().size(); i++) {
        children.add(node(join(path, parts.names().get(i)), parts.entries().get(i), columns));
      }
      return parent(entry, parts, List.copyOf(children));
    }
    throw new IllegalArgumentException(
        "%s is of type %s; the default collator takes tensors, numbers, booleans, strings, primitive arrays, enum constants, records, data classes, beans, maps and lists of these. Map the dataset to one of them, or set a collator"
            .formatted(named(path), ClassNames.ofType(entry)));
  }

  private static SampleNode parent(Object entry, Parts parts, List<SampleNode> children) {
    if (entry instanceof Map<?, ?>) {
      return new SampleNode.OfMap(parts.names(), children);
    }
    if (SampleNode.OfList.asList(entry) != null) {
      return new SampleNode.OfList(children);
    }
    Class<?> type = entry.getClass();
    return new SampleNode.OfRecord(type, RecordType.of(type), children);
  }

  /** The entries inside an entry, in order. */
  record Parts(List<String> names, List<?> entries) {

    /**
     * Returns the parts of a record, a map or a list; null for any other entry. A {@link
     * TensorSource} has no parts, even if its class is a record.
     */
    static @Nullable Parts of(String path, Object entry) {
      if (entry instanceof TensorSource) {
        return null;
      }
      try {
        if (entry instanceof Map<?, ?> map) {
          List<String> keys = List.copyOf(MapKeys.inOrder(map));
          List<Object> entries = new ArrayList<>();
          keys.forEach(key -> entries.add(map.get(key)));
          return new Parts(keys, entries);
        }
        if (SampleNode.OfList.asList(entry) == null && RecordType.isRecord(entry)) {
          RecordType type = RecordType.of(entry.getClass());
          List<Object> entries = new ArrayList<>();
          for (int i = 0; i < type.names().size(); i++) {
            entries.add(type.get(entry, i));
          }
          return new Parts(type.names(), entries);
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(named(path) + ": " + e.getMessage(), e);
      }
      List<?> list = SampleNode.OfList.asList(entry);
      if (list == null) {
        return null;
      }
      List<String> positions = new ArrayList<>();
      for (int i = 0; i < list.size(); i++) {
        positions.add(Integer.toString(i));
      }
      return new Parts(positions, list);
    }
  }

  private static int tensor(String path, DType dtype, Shape shape, List<Column> columns) {
    columns.add(new Column.OfTensor(columnName(path), dtype, shape));
    return columns.size() - 1;
  }

  static String columnName(String path) {
    return path.isEmpty() ? "data" : path;
  }

  /** Returns the words by which an error message names the entry at a path. */
  static String named(String path) {
    return path.isEmpty() ? "the sample" : "entry '" + path + "'";
  }

  static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
