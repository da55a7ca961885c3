package io.feedline.gpu;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.RandomAccessDataset;
import ai.djl.training.dataset.Sampler;
import ai.djl.translate.TranslateException;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Feedline dataset of the samples of a DJL {@link RandomAccessDataset}, such as its MNIST,
 * CIFAR-10 or {@code ArrayDataset}:
 *
 * <pre>{@code
 * Dataset<Map<String, Tensor>> mnist =
 *     DjlSamples.of(Mnist.builder().optUsage(TRAIN).setSampling(1, false).build());
 * DataLoader.builder(mnist).batchSize(64).shuffle(true).build();
 * }</pre>
 *
 * <p>A sample is a map with the tensors {@code data} and {@code label}. Several data or label
 * tensors are called {@code data.0}, {@code data.1} and {@code label.0}, {@code label.1}. Without
 * labels a sample has only the data. The tensors are copies in heap memory. The DJL dataset's own
 * transforms are applied; its sampling, batch size and prefetching are not used. Its random
 * transforms draw from DJL's generator, so their samples differ from run to run; a random transform
 * given to {@link Dataset#map} makes the same samples in each run.
 *
 * <p>Each sample is read with a manager of its own, on the CPU, by the default engine; the manager
 * is closed before the sample is returned. The caller closes the DJL dataset and its arrays after
 * the last read.
 *
 * <p>Thread-safe. DJL does not promise that its datasets are thread-safe, so {@link #of} lets one
 * thread at a time read; {@link #ofThreadSafe} lets all threads read. Only {@link #ofThreadSafe}
 * lets workers make samples in parallel, which matters for slow samples such as decoded images.
 */
public final class DjlSamples implements Dataset<Map<String, Tensor>> {

  private final RandomAccessDataset dataset;
  private final long size;

  /** The lock that a reading thread holds; null if several threads may read at once. */
  private final @Nullable Object lock;

  private DjlSamples(RandomAccessDataset dataset, Object lock)
      throws IOException, TranslateException {
    this.dataset = Objects.requireNonNull(dataset, "dataset");
    this.lock = lock;
    dataset.prepare();
    this.size = dataset.size();
  }

  /**
   * Prepares a dataset that one thread at a time may read, and returns its samples. Preparing may
   * download the dataset.
   *
   * @throws IOException if it cannot be prepared
   * @throws TranslateException if it cannot be prepared
   */
  public static DjlSamples of(RandomAccessDataset dataset) throws IOException, TranslateException {
    return new DjlSamples(dataset, new Object());
  }

  /**
   * Prepares a dataset that several threads may read at once, and returns its samples. Preparing
   * may download the dataset.
   *
   * @param dataset thread-safe, with its transforms, once it is prepared
   * @throws IOException if it cannot be prepared
   * @throws TranslateException if it cannot be prepared
   */
  public static DjlSamples ofThreadSafe(RandomAccessDataset dataset)
      throws IOException, TranslateException {
    return new DjlSamples(dataset, null);
  }

  /** Returns the DJL dataset whose samples these are. */
  public RandomAccessDataset dataset() {
    return dataset;
  }

  @Override
  public long size() {
    return size;
  }

  /**
   * Reads a sample.
   *
   * @throws IndexOutOfBoundsException if the index is not from 0 to {@code size() - 1}
   * @throws IOException if the DJL dataset cannot read it
   * @throws TranslateException if a transform of the dataset fails
   * @throws IllegalArgumentException if an array has a type that tensors do not have, or the DJL
   *     dataset's batchifier makes a batch of one sample whose first axis does not have length 1
   */
  @Override
  public Map<String, Tensor> get(long index) throws IOException, TranslateException {
    Objects.checkIndex(index, size);
    if (lock == null) {
      return read(index);
    }
    synchronized (lock) {
      return read(index);
    }
  }

  /** Reads a batch of one sample, because DJL applies the transforms only when it makes a batch. */
  private Map<String, Tensor> read(long index) throws IOException, TranslateException {
    Map<String, Tensor> sample = new LinkedHashMap<>();
    try (NDManager manager = NDManager.newBaseManager(Device.cpu())) {
      Batch batch = dataset.getData(manager, new OneIndex(index)).iterator().next();
      put(sample, "data", batch.getData());
      put(sample, "label", batch.getLabels());
    }
    return sample;
  }

  private static void put(Map<String, Tensor> sample, String name, NDList arrays) {
    for (int i = 0; i < arrays.size(); i++) {
      String column = arrays.size() == 1 ? name : name + "." + i;
      sample.put(column, onlyRow(arrays.get(i), column));
    }
  }

  private static Tensor onlyRow(NDArray array, String column) {
    DType dtype = DataTypes.of(array.getDataType(), column);
    long[] lengths = array.getShape().getShape();
    if (lengths.length == 0 || lengths[0] != 1) {
      throw new IllegalArgumentException(
          "'%s' has shape %s as a batch of one sample; the DJL dataset's batchifier must stack, so that the first axis has length 1"
              .formatted(column, array.getShape()));
    }
    return Tensor.of(
        dtype,
        Shape.of(Arrays.copyOfRange(lengths, 1, lengths.length)),
        inHeapMemory(array.toByteBuffer()));
  }

  private static ByteBuffer inHeapMemory(ByteBuffer bytes) {
    return bytes.isDirect()
        ? ByteBuffer.allocate(bytes.remaining()).order(ByteOrder.nativeOrder()).put(bytes).flip()
        : bytes;
  }

  @Override
  public String name() {
    return "DjlSamples(" + dataset.getClass().getSimpleName() + ")";
  }

  @Override
  public String toString() {
    return name();
  }

  private record OneIndex(long index) implements Sampler {
    @Override
    public Iterator<List<Long>> sample(RandomAccessDataset dataset) {
      return List.of(List.of(index)).iterator();
    }

    @Override
    public int getBatchSize() {
      return 1;
    }
  }
}
