package io.feedline;

import io.feedline.batch.Batch;
import io.feedline.batch.Collator;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.RowCollator;
import io.feedline.batch.RowCollator.Column;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.FormatException;
import io.feedline.internal.Counts;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The validation pipeline outside of a loader, for a service. It turns an input into the same row,
 * bit for bit, as in the validation of the model, because the same code collates and writes the
 * rows of a loader's batch.
 *
 * <pre>{@code
 * Preprocessor<Object> preprocessor =
 *     Preprocessor.of(DecodeImage.of().andThen(Resize.of(256)).andThen(CenterCrop.of(224)));
 * try (Batch batch = preprocessor.batch(List.of(firstUpload, secondUpload))) {
 *   Tensor images = batch.tensor(0);
 * }
 * }</pre>
 *
 * <p>The memory of a {@link #batch} is used again for a later call, after the batch was closed. The
 * methods {@link #writeRow} and {@link #writeBatch} write into memory of the caller.
 *
 * <p>Thread-safe, and without threads of its own. There is nothing to close. It keeps the memory of
 * closed batches for later calls, of one batch for each processor at most.
 *
 * @param <T> an input of the transform
 */
public final class Preprocessor<T> {

  private final Transform<? super T, ?> transform;
  private final List<String> classes;
  private final RowCollator<Object> collator = Collator.defaults();

  private final Deque<Slot> free = new ArrayDeque<>();

  private Preprocessor(Transform<? super T, ?> transform, List<String> classes) {
    this.transform = Objects.requireNonNull(transform, "transform");
    this.classes = List.copyOf(classes);
  }

  /**
   * Returns the preprocessor of a pipeline, without class names.
   *
   * @param transform turns an input into a sample of the {@linkplain Collator#defaults default
   *     collator}: an image, a tensor, an array, or a record of these. For encoded images its first
   *     step is {@code DecodeImage}
   */
  public static <T> Preprocessor<T> of(Transform<? super T, ?> transform) {
    return new Preprocessor<>(transform, List.of());
  }

  /**
   * Returns the preprocessor of a pipeline; checks that the pipeline draws no random numbers.
   *
   * @throws IllegalArgumentException if the pipeline draws random numbers: the same input would
   *     give another answer each time
   */
  public static <T> Preprocessor<T> of(RandomTransform<? super T, ?> transform) {
    if (transform instanceof Transform<? super T, ?> pure) {
      return of(pure);
    }
    throw new IllegalArgumentException(
        "%s draws random numbers, so that an input would give another answer each time: serve with the pipeline of the validation, such as Resize, CenterCrop and Normalize"
            .formatted(transform));
  }

  /**
   * Reads a preprocessor from a file that {@link #save} has written, or that the script {@code
   * pipeline_json.py} has made of a torchvision pipeline.
   *
   * @param path the file, or the model's directory, in which the file is {@code pipeline.json}
   * @param own classes of the program's own transforms that the file may name; see {@link
   *     io.feedline.transform.Transforms#fromJson}
   * @param <T> the input of the pipeline, which the file does not state: {@code Object} if the
   *     pipeline begins with {@code DecodeImage}
   * @throws FormatException if the file is damaged, or names a transform that is not known
   * @throws IOException if the file is missing, or cannot be read
   * @throws IllegalArgumentException if the pipeline draws random numbers
   */
  public static <T> Preprocessor<T> load(Path path, Class<?>... own) throws IOException {
    PipelineFile file = PipelineFile.read(path, own);
    @SuppressWarnings("unchecked") // The caller states T, which the file does not contain.
    RandomTransform<T, ?> transform = (RandomTransform<T, ?>) file.transform();
    Preprocessor<T> preprocessor = of(transform);
    return preprocessor.withClasses(file.classes());
  }

  /**
   * Writes the pipeline and the classes beside a model, for {@link #load}.
   *
   * @param path the file to write or replace; or the model's directory, in which the file is {@code
   *     pipeline.json}
   * @return the file
   * @throws IllegalArgumentException if a transform cannot be written, such as a lambda; the
   *     message says which and why
   * @throws IOException if the file cannot be written
   */
  public Path save(Path path) throws IOException {
    return new PipelineFile(transform, classes).write(path);
  }

  /**
   * Returns this preprocessor with the names of the model's classes.
   *
   * @param newClasses by number from 0, in the order of the dataset that the model was trained on
   */
  public Preprocessor<T> withClasses(List<String> newClasses) {
    return new Preprocessor<>(transform, newClasses);
  }

  /** Returns the names of the classes by number. Unmodifiable; empty if none are known. */
  public List<String> classes() {
    return classes;
  }

  /** Returns the pipeline. */
  public Transform<? super T, ?> transform() {
    return transform;
  }

  /**
   * Returns a batch of inputs, collated as a loader collates samples. The first axis of each tensor
   * counts the inputs. The tensors are in direct memory, and valid until the batch is closed.
   *
   * @param inputs one or more
   * @return the batch, which the caller closes; its indices count the inputs from 0
   * @throws IOException if an input cannot be read or decoded, a {@link FormatException} if it is
   *     damaged; the message says which of several inputs
   * @throws IllegalArgumentException if there are no inputs, or their rows differ in shape
   */
  public Batch batch(List<? extends T> inputs) throws IOException {
    Slot slot = takeSlot();
    try {
      write(inputs, slot, null);
    } catch (Throwable failure) {
      giveBack(slot);
      throw failure;
    }
    Map<String, Object> entries = slot.entries(inputs.size(), true);
    long[] indices = LongStream.range(0, inputs.size()).toArray();
    return Batch.of(entries, indices, indices.length, 0, 0, () -> giveBack(slot));
  }

  /**
   * Returns the tensor of one input, without a batch axis, in heap memory of its own.
   *
   * @throws IOException if the input cannot be read or decoded
   * @throws IllegalArgumentException if the pipeline's result is not exactly one tensor
   */
  public Tensor row(T input) throws IOException {
    Slot slot = new Slot(bytes -> new GivenMemory(ByteBuffer.allocate(bytes)));
    write(List.of(input), slot, null);
    Map<String, Object> entries = slot.entries(1, false);
    if (entries.size() == 1 && entries.values().iterator().next() instanceof Tensor row) {
      return row;
    }
    throw notOneTensor(entries.keySet());
  }

  /**
   * Writes one input into memory of the caller.
   *
   * @param row the tensor to write, with the dtype and shape of the pipeline's result, without a
   *     batch axis; {@link Tensor#of(io.feedline.batch.DType, Shape, ByteBuffer)} makes a tensor
   *     over any memory. After a failure its content is arbitrary
   * @throws IOException if the input cannot be read or decoded
   * @throws IllegalArgumentException if the pipeline's result has another dtype or shape, or is not
   *     exactly one tensor
   */
  public void writeRow(T input, Tensor row) throws IOException {
    write(List.of(input), row, row.shape());
  }

  /**
   * Writes inputs into memory of the caller.
   *
   * @param batch the tensor to write, whose first axis has the length of {@code inputs}; otherwise
   *     as in {@link #writeRow}
   * @throws IOException if an input cannot be read or decoded; the message says which of several
   * @throws IllegalArgumentException if the pipeline's result has another dtype or shape, or is not
   *     exactly one tensor; or the first axis has another length
   */
  public void writeBatch(List<? extends T> inputs, Tensor batch) throws IOException {
    long[] lengths = batch.shape().lengths();
    if (lengths.length == 0 || lengths[0] != inputs.size()) {
      throw new IllegalArgumentException(
          "%s are a batch whose first axis is %1$s, found %s: slice the tensor"
              .formatted(Counts.of(inputs.size(), "input"), batch));
    }
    write(inputs, batch, Shape.of(Arrays.copyOfRange(lengths, 1, lengths.length)));
  }

  private void write(List<? extends T> inputs, Tensor target, Shape row) throws IOException {
    Slot slot = new Slot(bytes -> new GivenMemory(target.bytes()));
    write(inputs, slot, new Column.OfTensor("tensor", target.dtype(), row));
  }

  private void write(List<? extends T> inputs, Slot slot, Column.@Nullable OfTensor expected)
      throws IOException {
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("there must be 1 or more inputs, were none");
    }
    RowCollator.Plan<Object> plan = null;
    for (int row = 0; row < inputs.size(); row++) {
      try {
        Object sample = Objects.requireNonNull(transform.apply(inputs.get(row)), "the sample");
        if (plan == null) {
          plan = collator.plan(sample);
          requireColumn(expected, plan.layout());
          slot.arrange(plan.layout(), inputs.size());
        }
        if (!plan.accepts(sample)) {
          RowCollator.Layout found = collator.plan(sample).layout();
          throw new IllegalArgumentException(
              LayoutDifference.between(plan.layout(), found, "input 0"));
        }
        plan.write(sample, slot.row(row));
      } catch (Exception failure) {
        throw failed(failure, inputs.size() == 1 ? "" : "input " + row);
      }
    }
  }

  private static void requireColumn(Column.@Nullable OfTensor expected, RowCollator.Layout layout) {
    if (expected == null) {
      return;
    }
    if (layout.columns().size() != 1
        || !(layout.columns().get(0) instanceof Column.OfTensor column)) {
      throw notOneTensor(layout.columns());
    }
    if (column.dtype() != expected.dtype() || !column.shape().equals(expected.shape())) {
      throw new IllegalArgumentException(
          "the pipeline gives %s %s, the tensor has %s %s for an input"
              .formatted(column.dtype(), column.shape(), expected.dtype(), expected.shape()));
    }
  }

  private static IllegalArgumentException notOneTensor(Object columns) {
    return new IllegalArgumentException(
        "the pipeline gives %s, where one tensor is expected: batch(...) takes samples of any kind"
            .formatted(columns));
  }

  private IOException failed(Exception failure, String place) throws IOException {
    if (failure instanceof IOException unreadable) {
      return place.isEmpty() ? unreadable : FormatException.at(place, unreadable);
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    if (failure instanceof RuntimeException unchecked && place.isEmpty()) {
      throw unchecked;
    }
    String message =
        place.isEmpty() ? "" + failure.getMessage() : place + ": " + failure.getMessage();
    throw failure instanceof IllegalArgumentException
        ? new IllegalArgumentException(message, failure)
        : new IllegalStateException(message, failure);
  }

  private Slot takeSlot() {
    synchronized (free) {
      Slot slot = free.poll();
      return slot == null ? new Slot(HostAllocator.direct()) : slot;
    }
  }

  private void giveBack(Slot slot) {
    slot.recycle();
    synchronized (free) {
      if (free.size() < Runtime.getRuntime().availableProcessors()) {
        // The last closed slot first: its memory is the likeliest to be in the processor's cache.
        free.push(slot);
      }
    }
  }

  /**
   * Returns the pipeline and the number of classes, for example {@code Preprocessor(Resize(256),
   * CenterCrop(224), classes=10)}.
   */
  @Override
  public String toString() {
    return "Preprocessor(%s, classes=%d)".formatted(transform, classes.size());
  }

  private record GivenMemory(ByteBuffer buffer) implements HostAllocator.HostMemory {
    @Override
    public void close() {}
  }
}
