package io.feedline.formats.image;

import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.internal.MapKeys;
import io.feedline.internal.RecordType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Finds and replaces the images and targets of a sample that the default collator accepts. */
final class SampleParts {

  /**
   * An image or a target.
   *
   * @param path the part's name in a batch, for example {@code views.0}; empty for the sample
   *     itself
   */
  record Part(String path, Object value) {

    /** Returns the name used in errors: for example {@code entry 'mask' (the mask a.png)}. */
    String named() {
      String what = LinkedTargets.describe(value);
      return path.isEmpty() ? what : "entry '%s' (%s)".formatted(path, what);
    }
  }

  private final List<Part> parts = new ArrayList<>();

  private SampleParts() {}

  /** Returns the parts of a sample in their order. */
  static List<Part> of(Object sample) {
    SampleParts found = new SampleParts();
    found.find("", sample);
    return found.parts;
  }

  static <T> List<T> ofType(Class<T> type, Object sample) {
    return of(sample).stream().map(Part::value).filter(type::isInstance).map(type::cast).toList();
  }

  private static boolean isPart(Object entry) {
    return entry instanceof Image || LinkedTargets.isTarget(entry);
  }

  private void find(String path, Object entry) {
    if (isPart(entry)) {
      parts.add(new Part(path, entry));
    } else {
      visit(entry, (name, each) -> find(join(path, name), each));
    }
  }

  /** Visits the entries by name; returns false if this is no map, list, object array or record. */
  private static boolean visit(Object entry, BiConsumer<String, Object> visitor) {
    if (entry instanceof Map<?, ?> map) {
      MapKeys.inOrder(map).forEach(key -> visitor.accept(key, map.get(key)));
    } else if (entry instanceof List<?> || entry instanceof Object[]) {
      List<?> list = listed(entry);
      for (int i = 0; i < list.size(); i++) {
        visitor.accept(Integer.toString(i), list.get(i));
      }
    } else if (isRecord(entry)) {
      RecordType type = RecordType.of(entry.getClass());
      for (int i = 0; i < type.names().size(); i++) {
        visitor.accept(type.names().get(i), type.get(entry, i));
      }
    } else {
      return false;
    }
    return true;
  }

  private static List<?> listed(Object entry) {
    return entry instanceof Object[] array ? Arrays.asList(array) : (List<?>) entry;
  }

  /**
   * Returns the lengths, by path, of the arrays, lists and tensors that are not images or targets.
   * A record without images and targets is left out.
   */
  static Map<String, Long> lengths(Object sample) {
    Map<String, Long> lengths = new LinkedHashMap<>();
    measure("", sample, lengths);
    return lengths;
  }

  private static void measure(String path, Object entry, Map<String, Long> lengths) {
    if (entry == null || isPart(entry)) {
      return;
    }
    boolean list = entry instanceof List<?> || entry instanceof Object[];
    if ((list || isRecord(entry)) && of(entry).isEmpty()) {
      if (list) {
        lengths.put(path, (long) listed(entry).size());
      }
    } else if (!visit(entry, (name, each) -> measure(join(path, name), each, lengths))) {
      if (entry.getClass().isArray()) {
        lengths.put(path, (long) Array.getLength(entry));
      } else if (entry instanceof TensorSource tensor && isTable(tensor.shape())) {
        lengths.put(path, tensor.shape().length(0));
      }
    }
  }

  /** Returns false if the first axis of a shape counts channels, and so cannot count boxes. */
  private static boolean isTable(Shape shape) {
    return shape.rank() == 1 || shape.rank() == 2;
  }

  /** Returns whether an entry has components; a tensor has them only as a Java record. */
  private static boolean isRecord(Object entry) {
    return entry instanceof Record
        || (!(entry instanceof TensorSource) && RecordType.isRecord(entry));
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /**
   * Returns the sample with its parts replaced. An object without parts stays the same object; a
   * record is made by its canonical constructor.
   *
   * @param others the new parts, of the same number, types and order
   */
  static Object rebuilt(Object entry, Iterator<?> others) {
    if (isPart(entry)) {
      return others.next();
    } else if (entry instanceof Map<?, ?> map) {
      return rebuiltMap(map, others);
    } else if (entry instanceof List<?> list) {
      Object[] before = list.toArray();
      Object[] after = rebuiltEach(before, others);
      return after == before ? entry : List.of(after);
    } else if (entry instanceof Object[] array) {
      return rebuiltEach(array, others);
    } else if (isRecord(entry)) {
      return rebuiltRecord(entry, others);
    }
    return entry;
  }

  private static Object rebuiltRecord(Object entry, Iterator<?> others) {
    RecordType type = RecordType.of(entry.getClass());
    Object[] before = new Object[type.names().size()];
    for (int i = 0; i < before.length; i++) {
      before[i] = type.get(entry, i);
    }
    Object[] after = rebuiltEach(before, others);
    return after == before ? entry : type.create(after);
  }

  private static Object[] rebuiltEach(Object[] before, Iterator<?> others) {
    Object[] after = before;
    for (int i = 0; i < before.length; i++) {
      Object entry = rebuilt(before[i], others);
      if (entry != before[i] && after == before) {
        after = before.clone();
      }
      after[i] = entry;
    }
    return after;
  }

  /** Returns the map with its parts replaced, in the order of the map if it has an order. */
  private static Map<?, ?> rebuiltMap(Map<?, ?> before, Iterator<?> others) {
    Map<String, Object> after = new LinkedHashMap<>();
    boolean changed = false;
    for (String key : MapKeys.inOrder(before)) {
      Object entry = rebuilt(before.get(key), others);
      changed |= entry != before.get(key);
      after.put(key, entry);
    }
    if (!changed) {
      return before;
    } else if (before instanceof SortedMap<?, ?>) {
      return new TreeMap<>(after);
    }
    return MapKeys.isOrdered(before) ? after : new HashMap<>(after);
  }
}
