package io.feedline.batch;

import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.ListCollator.SampleCollationException;
import io.feedline.batch.RowCollator.Column;
import io.feedline.internal.ClassNames;
import io.feedline.internal.Majority;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A collator of samples some of whose entries differ in length from sample to sample: texts,
 * sounds, boxes. Such an entry is padded to one length, with a second tensor of the true lengths,
 * or its tensors stay a {@linkplain Builder#list list}; all other entries follow the {@linkplain
 * Collator#defaults default rules}.
 *
 * <pre>{@code
 * PaddingCollator<Word> multiples =
 *     PaddingCollator.<Word>builder().pad("letters", Padding.with(-1).multipleOf(8)).build();
 * }</pre>
 *
 * <p>In a batch of 32 words, {@code letters} is (32, n), and {@code letters_length} (32) has the
 * true lengths, in INT64. If several axes of an entry are padded, its tensor of lengths is (batch,
 * number of padded axes).
 *
 * <p>A padded or listed entry is a {@link TensorSource} or an array of primitives, with at least as
 * many axes as are padded; a {@code byte[]} becomes UINT8. The padded entries are named, not
 * detected, so that a batch whose samples happen to have equal lengths has the same entries as any
 * other batch.
 *
 * <p>Immutable and thread-safe.
 */
public final class PaddingCollator<T> implements ListCollator<T> {

  private final Map<String, Padding> paddings;
  private final Set<String> lists;

  private PaddingCollator(Builder<T> builder) {
    this.paddings = new LinkedHashMap<>(builder.paddings);
    this.lists = new LinkedHashSet<>(builder.lists);
  }

  /**
   * Returns a collator that pads the first axis of these entries with zeros, to the longest of the
   * batch.
   *
   * @param entries the names of the entries in the batch: {@code ids}, {@code question.ids}; a
   *     sample that is a single value has the name {@code data}
   * @throws IllegalArgumentException if no entry is given, or an entry is given twice
   */
  public static <T> PaddingCollator<T> of(String... entries) {
    Builder<T> builder = builder();
    for (String entry : entries) {
      builder.pad(entry, Padding.zeros());
    }
    return builder.build();
  }

  /** Returns a builder without entries. */
  public static <T> Builder<T> builder() {
    return new Builder<>();
  }

  @Override
  public void collate(List<T> samples, BatchAssembler batch) throws Exception {
    List<Map<String, Object>> flat = new ArrayList<>();
    for (T sample : samples) {
      Map<String, Object> entries = new LinkedHashMap<>();
      SampleCollationException.guard(flat.size(), () -> flatten("", sample, entries));
      flat.add(entries);
    }
    checkEntries(flat, samples);
    for (String name : flat.get(0).keySet()) {
      List<Object> column = new ArrayList<>();
      flat.forEach(entries -> column.add(entries.get(name)));
      Padding padding = paddings.get(name);
      if (lists.contains(name)) {
        ListedColumn.write(name, column, batch);
      } else if (padding == null) {
        stack(name, column, batch);
      } else {
        new PaddedColumn(name, padding, column).writeTo(batch);
      }
    }
  }

  /** Divides a sample into entries by name; does not divide a padded or listed entry. */
  private void flatten(String path, Object entry, Map<String, Object> entries) {
    String name = DefaultCollator.columnName(path);
    boolean whole = entry == null || paddings.containsKey(name) || lists.contains(name);
    DefaultCollator.Parts parts = whole ? null : DefaultCollator.Parts.of(path, entry);
    if (parts == null) {
      if (entries.putIfAbsent(name, Objects.requireNonNullElse(entry, Missing.NULL)) != null) {
        throw new IllegalArgumentException("two entries of the sample are called '" + name + "'");
      }
      return;
    }
    for (int i = 0; i < parts.names().size(); i++) {
      flatten(DefaultCollator.join(path, parts.names().get(i)), parts.entries().get(i), entries);
    }
  }

  /** The stand-in for null in a map of entries, where null would mean an absent entry. */
  private enum Missing {
    NULL
  }

  private void checkEntries(List<Map<String, Object>> flat, List<T> samples)
      throws SampleCollationException {
    List<Set<String>> names = flat.stream().map(Map::keySet).toList();
    int usual = Majority.first(names);
    requireEntries(paddings.keySet(), "padded", flat.get(usual), samples.get(usual));
    requireEntries(lists, "listed", flat.get(usual), samples.get(usual));
    for (int row = 0; row < flat.size(); row++) {
      if (!names.get(row).equals(names.get(usual))) {
        throw SampleCollationException.of(
            row,
            "row %d of the batch has the entries %s, row %d has %s"
                .formatted(row, names.get(row), usual, names.get(usual)));
      }
      for (Map.Entry<String, Object> entry : flat.get(row).entrySet()) {
        if (entry.getValue() == Missing.NULL) {
          throw SampleCollationException.of(
              row,
              "entry '%s' of row %d of the batch is null; a sample has no nulls"
                  .formatted(entry.getKey(), row));
        }
      }
    }
  }

  private void requireEntries(
      Set<String> named, String purpose, Map<String, Object> first, T sample) {
    for (String name : named) {
      if (!first.containsKey(name)) {
        throw new IllegalArgumentException(
            "there is no entry '%s' to be %s; the samples have %s%s"
                .formatted(name, purpose, first.keySet(), withoutParts(sample)));
      }
    }
  }

  /** Returns, for an error message, why a sample is not divided into entries; empty if it is. */
  private String withoutParts(T sample) {
    return DefaultCollator.Parts.of("", sample) != null
        ? ""
        : ", as which a sample of type %s is taken whole: entries are the components of a record, or the values of a map by their keys; map the dataset to one of them"
            .formatted(ClassNames.ofType(sample));
  }

  /** Adds one entry to the batch, by the default rules. */
  private static void stack(String name, List<Object> column, BatchAssembler batch)
      throws Exception {
    List<SampleNode> nodes = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    for (Object entry : column) {
      int before = nodes.size() - 1;
      SampleCollationException.guard(
          nodes.size(),
          () -> {
            if (before >= 0 && nodes.get(before).accepts(entry)) {
              nodes.add(nodes.get(before));
              columns.add(columns.get(before));
            } else {
              nodes.add(DefaultCollator.node(name, entry, columns));
            }
          });
    }
    int usual = Majority.first(columns);
    for (int row = 0; row < column.size(); row++) {
      if (!columns.get(row).equals(columns.get(usual))) {
        throw SampleCollationException.of(
            row,
            ("entry %s of row %d of the batch differs from %s, which row %d has; an entry is padded"
                    + " where the collator names it: .pad(\"%s\", Padding.zeros())")
                .formatted(columns.get(row), row, columns.get(usual), usual, name));
      }
    }
    if (!(columns.get(usual) instanceof Column.OfTensor tensor)) {
      batch.values(name, column);
      return;
    }
    Shape shape = tensor.shape().prepend(column.size());
    ByteBuffer target = batch.tensor(name, tensor.dtype(), shape);
    int rowBytes = (int) tensor.rowBytes();
    for (int row = 0; row < column.size(); row++) {
      Object entry = column.get(row);
      if (nodes.get(row) instanceof SampleNode.OfNumber) {
        PaddedColumn.putNumber(entry, target);
      } else {
        ByteBuffer part = PaddedColumn.slice(target, row * rowBytes, rowBytes);
        SampleCollationException.guard(row, () -> PaddedColumn.write(entry, part));
      }
    }
  }

  /** The entries to be padded or listed. Not thread-safe. */
  public static final class Builder<T> {
    private final Map<String, Padding> paddings = new LinkedHashMap<>();
    private final Set<String> lists = new LinkedHashSet<>();

    private Builder() {}

    /**
     * Pads the entry of this name in the batch.
     *
     * @throws IllegalArgumentException if the entry is padded or listed already
     */
    public Builder<T> pad(String entry, Padding padding) {
      Objects.requireNonNull(padding, "padding");
      requireNew(entry);
      paddings.put(entry, padding);
      return this;
    }

    /**
     * Keeps the tensors of entries apart, each with its own shape, as torchvision's detection
     * models take images and targets: {@code collate_fn=lambda batch: tuple(zip(*batch))}. {@link
     * Batch#tensors(String)} returns these tensors as a list, one per sample and without a batch
     * axis. In the batch the tensors are called {@code image.0}, {@code image.1}, ..., and have one
     * dtype.
     *
     * @param entries the names of the entries in the batch
     * @throws IllegalArgumentException if an entry is padded or listed already
     */
    public Builder<T> list(String... entries) {
      for (String entry : entries) {
        requireNew(entry);
        lists.add(entry);
      }
      return this;
    }

    private void requireNew(String entry) {
      Objects.requireNonNull(entry, "entry");
      if (paddings.containsKey(entry) || lists.contains(entry)) {
        throw new IllegalArgumentException(
            "entry '%s' is %s already"
                .formatted(entry, lists.contains(entry) ? "listed" : "padded"));
      }
    }

    /**
     * Returns the collator.
     *
     * @throws IllegalArgumentException if no entry is padded or listed
     */
    public PaddingCollator<T> build() {
      if (paddings.isEmpty() && lists.isEmpty()) {
        throw new IllegalArgumentException("no entry is padded; Collator.defaults() does that");
      }
      return new PaddingCollator<>(this);
    }
  }

  /**
   * The padding of an entry of varying length by a {@link PaddingCollator}. Immutable. Each method
   * that takes a value throws {@link IllegalArgumentException} if the value is out of its range.
   *
   * <p>By default the first axis is padded at its end with zeros, to the longest sample of the
   * batch:
   *
   * <pre>{@code
   * Padding.zeros()
   * Padding.with(-100).multipleOf(8)          // token labels, for tensor cores
   * Padding.zeros().axes(1, 2)                // images (3, h, w) of different sizes
   * Padding.zeros().left().length(512)        // a fixed length
   * }</pre>
   *
   * @param value the padding; for whole-number dtypes a whole number within the dtype's range
   * @param side the end of the elements to which padding is added
   * @param axes the padded axes, counted from 0 without the batch axis; all other axes must have
   *     equal lengths
   * @param multipleOf the number to whose multiple padded lengths are rounded up, 1 or more; with
   *     fixed lengths only 1
   * @param lengths the fixed length of each padded axis; empty for the longest of the batch
   * @param lengthsName the name of the tensor with the lengths before padding; empty: the entry's
   *     name followed by {@code _length}
   */
  public record Padding(
      double value,
      Side side,
      List<Integer> axes,
      int multipleOf,
      List<Long> lengths,
      String lengthsName) {

    /** The end of the elements to which padding is added. */
    public enum Side {
      /** Before the first element, as language models need it to generate text. */
      LEFT,
      /** After the last element. */
      RIGHT
    }

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if an option is out of its range or two options exclude each
     *     other
     */
    public Padding {
      Objects.requireNonNull(side, "side");
      Objects.requireNonNull(lengthsName, "lengthsName");
      axes = axes.stream().sorted().distinct().toList();
      lengths = List.copyOf(lengths);
      require(!axes.isEmpty() && axes.get(0) >= 0, "axes must be 0 or more, were " + axes);
      require(multipleOf >= 1, "multipleOf must be 1 or more, was " + multipleOf);
      require(
          lengths.isEmpty() || lengths.size() == axes.size(),
          "length needs one length for each of the axes %s, was %s".formatted(axes, lengths));
      for (long length : lengths) {
        require(length >= 0, "length must be 0 or more, was " + lengths);
      }
      require(
          lengths.isEmpty() || multipleOf == 1,
          "length(%s) and multipleOf(%d) exclude each other".formatted(lengths, multipleOf));
    }

    private static void require(boolean condition, String message) {
      if (!condition) {
        throw new IllegalArgumentException(message);
      }
    }

    /** Returns a padding of the first axis at its end with zeros, to the longest of the batch. */
    public static Padding zeros() {
      return with(0);
    }

    /**
     * Returns a padding of the first axis at its end with a value, to the longest of the batch.
     *
     * @param value within the range of the entry's dtype; otherwise collating fails
     */
    public static Padding with(double value) {
      return new Padding(value, Side.RIGHT, List.of(0), 1, List.of(), "");
    }

    /** Returns a copy of this padding that adds padding before the first element. */
    public Padding left() {
      return new Padding(value, Side.LEFT, axes, multipleOf, lengths, lengthsName);
    }

    /**
     * Returns a copy of this padding that pads other axes.
     *
     * @param padded the axes, counted from 0, without the batch axis, in ascending order
     */
    public Padding axes(int... padded) {
      List<Integer> list = Arrays.stream(padded).boxed().toList();
      return new Padding(value, side, list, multipleOf, lengths, lengthsName);
    }

    /**
     * Returns a copy of this padding that rounds padded lengths up to a multiple of a number.
     *
     * @param multiple 1 or more
     */
    public Padding multipleOf(int multiple) {
      return new Padding(value, side, axes, multiple, lengths, lengthsName);
    }

    /**
     * Returns a copy of this padding that pads to fixed lengths instead of the longest sample of
     * the batch; a longer sample is an error.
     *
     * @param fixed one length for each padded axis, in ascending order of the axes
     */
    public Padding length(long... fixed) {
      List<Long> list = Arrays.stream(fixed).boxed().toList();
      return new Padding(value, side, axes, multipleOf, list, lengthsName);
    }

    /** Returns a copy of this padding with another name for the tensor of lengths. */
    public Padding lengthsName(String name) {
      return new Padding(value, side, axes, multipleOf, lengths, name);
    }
  }
}
