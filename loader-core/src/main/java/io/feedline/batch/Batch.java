package io.feedline.batch;

import io.feedline.internal.Counts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Samples put together: named tensors with the batch as their first axis, and named lists of
 * values.
 *
 * <pre>{@code
 * for (Batch batch : loader) {
 *   try (batch) {
 *     System.out.println(batch.tensor("image") + " " + batch.tensor("label"));
 *   }
 * }
 * }</pre>
 *
 * <p>A batch lives in a slot of its loader's memory. The consumer that took it from the loader owns
 * it and closes it; then the slot takes a later batch. The batch's tensors are views of that
 * memory. They must not be used after the batch is closed: they throw {@link
 * IllegalStateException}. A {@link java.nio.ByteBuffer} of a tensor cannot throw. {@link
 * Tensor#copy} makes a tensor that stays valid.
 *
 * <p>May be passed from thread to thread. Reading is thread-safe; closing must not race with
 * reading.
 */
public final class Batch implements AutoCloseable {

  /** The number of values that {@link #toString} shows of each list. */
  private static final int SHOWN = 3;

  /** The largest number of characters that {@link #toString} shows of a value. */
  private static final int LONGEST = 40;

  private final Map<String, Tensor> tensors = new LinkedHashMap<>();
  private final Map<String, List<?>> values = new LinkedHashMap<>();
  private final long[] indices;
  private final int valid;
  private final long epoch;
  private final long number;
  private final Runnable onClose;
  private volatile boolean closed;

  private Batch(
      Map<String, ?> entries,
      long[] indices,
      int valid,
      long epoch,
      long number,
      Runnable onClose) {
    entries.forEach(
        (name, entry) -> {
          if (entry instanceof Tensor tensor) {
            tensors.put(
                name, Tensor.borrowed(tensor.dtype(), tensor.shape(), tensor.bytes(), this::check));
          } else if (entry instanceof List<?> list) {
            values.put(name, list);
          } else {
            throw new IllegalArgumentException(
                "entry '%s' of the batch is neither a tensor nor a list: %s"
                    .formatted(name, entry));
          }
        });
    this.indices = indices;
    this.valid = valid;
    this.epoch = epoch;
    this.number = number;
    this.onClose = Objects.requireNonNull(onClose, "onClose");
  }

  /**
   * Returns a batch over the caller's memory. For code that passes on a loader's batches in another
   * form, and for tests of code that takes batches.
   *
   * @param entries tensors and lists of values by name; the batch's own tensors are views of these
   *     tensors, and throw once the batch is closed
   * @param indices the dataset's index of each sample; not copied
   * @param valid the number of samples at the front that are not padding
   * @param onClose run once, when the batch is closed for the first time
   * @throws IllegalArgumentException if an entry is neither a tensor nor a list
   */
  public static Batch of(
      Map<String, ?> entries,
      long[] indices,
      int valid,
      long epoch,
      long number,
      Runnable onClose) {
    return new Batch(entries, indices, valid, epoch, number, onClose);
  }

  /** Returns the number of samples, 1 or more: the length of the tensors' first axis. */
  public int size() {
    return indices.length;
  }

  /**
   * Returns the number of samples at the front that are not padding. Only a last batch has padding:
   * {@link io.feedline.DataLoaderBuilder#padLast} fills the batch up by repeating its first
   * samples.
   */
  public int valid() {
    return valid;
  }

  /** Returns the epoch that the batch belongs to, counted from 0. */
  public long epoch() {
    return epoch;
  }

  /** Returns the batch's number within its epoch on its rank, counted from 0. */
  public long number() {
    return number;
  }

  /**
   * Returns the dataset's index of each sample, in a new array. For a stream, returns each sample's
   * position in the whole stream; samples of two ranks never have the same position.
   */
  public long[] indices() {
    return indices.clone();
  }

  /**
   * Returns the tensor of a name.
   *
   * @throws IllegalArgumentException if the batch has no such tensor
   * @throws IllegalStateException if the batch has been closed
   */
  public Tensor tensor(String name) {
    check();
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException(
          values.containsKey(name)
              ? "entry '%1$s' of the batch is a list of values, which values(\"%1$s\") gives, and no tensor; map the dataset to numbers to make it one"
                  .formatted(name)
              : unknown("tensor", name, tensors));
    }
    return tensor;
  }

  /**
   * Returns the tensor at a position, in the order of the sample's entries.
   *
   * @throws IndexOutOfBoundsException if the batch has fewer tensors
   * @throws IllegalStateException if the batch has been closed
   */
  public Tensor tensor(int position) {
    check();
    return new ArrayList<>(tensors.values()).get(position);
  }

  /**
   * Returns all tensors by name, in the order of the sample's entries. Unmodifiable.
   *
   * @throws IllegalStateException if the batch has been closed
   */
  public Map<String, Tensor> tensors() {
    check();
    return Collections.unmodifiableMap(tensors);
  }

  /**
   * Returns the tensors of an entry that a {@link PaddingCollator} keeps as a list: one per sample,
   * in order, each with its own shape and no batch axis. Unmodifiable.
   *
   * @throws IllegalArgumentException if the batch has no such list
   * @throws IllegalStateException if the batch has been closed
   */
  public List<Tensor> tensors(String name) {
    check();
    List<Tensor> list = new ArrayList<>();
    for (int row = 0; row < size(); row++) {
      Tensor tensor = tensors.get(ListedColumn.nameOf(name, row));
      if (tensor == null) {
        throw new IllegalArgumentException(
            "the batch has no list of tensors '%s', one for each of its %s; it has %s: PaddingCollator's list(\"%1$s\") makes one"
                .formatted(name, Counts.of(size(), "sample"), tensors.keySet()));
      }
      list.add(tensor);
    }
    return Collections.unmodifiableList(list);
  }

  /**
   * Returns the values of a name, one per sample. Unmodifiable; may be kept after the batch is
   * closed.
   *
   * @throws IllegalArgumentException if the batch has no such values
   */
  public List<?> values(String name) {
    List<?> list = values.get(name);
    if (list == null) {
      throw new IllegalArgumentException(
          tensors.containsKey(name)
              ? "entry '%1$s' of the batch is a tensor, which tensor(\"%1$s\") gives, and no list of values"
                  .formatted(name)
              : unknown("values", name, values));
    }
    return list;
  }

  private static String unknown(String kind, String name, Map<String, ?> known) {
    return "the batch has no %s '%s'; it has %s: name one of these"
        .formatted(kind, name, known.keySet());
  }

  /** Returns all lists of values by name. Unmodifiable; may be kept after the batch is closed. */
  public Map<String, List<?>> values() {
    return Collections.unmodifiableMap(values);
  }

  private void check() {
    if (closed) {
      throw new IllegalStateException(
          "batch %d of epoch %d has been closed, and its memory belongs to a later batch; close it when all of it is used, or take Tensor.copy() of what is kept longer"
              .formatted(number, epoch));
    }
  }

  /** Returns the batch's memory to its loader. May be called twice. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }

  /**
   * Returns a text with the tensors and the first values, for example {@code Batch(epoch=0,
   * number=3, size=128, {image=FLOAT32 (128, 3, 224, 224)}, {name=[a.jpg, b.jpg, c.jpg, ...]})}.
   */
  @Override
  public String toString() {
    Map<String, String> lists = new LinkedHashMap<>();
    values.forEach((name, list) -> lists.put(name, shown(list)));
    return "Batch(epoch=%d, number=%d, size=%d, %s%s)"
        .formatted(epoch, number, size(), tensors, lists.isEmpty() ? "" : ", " + lists);
  }

  private static String shown(List<?> list) {
    String first =
        list.stream()
            .limit(SHOWN)
            .map(
                value ->
                    value instanceof byte[] bytes ? Counts.of(bytes.length, "byte") : "" + value)
            .map(text -> text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text)
            .collect(Collectors.joining(", "));
    return "[%s%s]".formatted(first, list.size() > SHOWN ? ", ..." : "");
  }
}
