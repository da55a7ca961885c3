package io.feedline.examples.frameworks;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.buffer.DataBuffer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The batches of a loader for {@code MultiLayerNetwork.fit}: arrays over the batches' memory, not
 * copies. An epoch of DL4J is an epoch of the loader. A {@code DataSet} is valid until the next
 * call of {@code next()}, which closes its batch. Not thread-safe. The caller closes this iterator,
 * then the loader.
 */
final class Dl4jBatches implements DataSetIterator, AutoCloseable {
  private static final long serialVersionUID = 1;

  private final transient DataLoader<?> loader;
  private final int batchSize;
  private final String features;
  private final String labels;
  private transient @Nullable BatchIterator epoch;
  private transient @Nullable Batch open;
  private @Nullable DataSetPreProcessor preProcessor;

  /**
   * Creates an iterator over the batches of a loader.
   *
   * @param batchSize the batch size of the loader
   * @param features the name of the batch's tensor of features
   * @param labels the name of the batch's tensor of labels
   */
  Dl4jBatches(DataLoader<?> loader, int batchSize, String features, String labels) {
    this.loader = loader;
    this.batchSize = batchSize;
    this.features = features;
    this.labels = labels;
  }

  /** Returns an array over the tensor's memory; do not use the array after the batch is closed. */
  static INDArray array(Tensor tensor) {
    DataType type =
        switch (tensor.dtype()) {
          case UINT8 -> DataType.UINT8;
          case INT8 -> DataType.INT8;
          case UINT16 -> DataType.UINT16;
          case INT16 -> DataType.INT16;
          case INT32 -> DataType.INT32;
          case INT64 -> DataType.INT64;
          case FLOAT16 -> DataType.FLOAT16;
          case BFLOAT16 -> DataType.BFLOAT16;
          case FLOAT32 -> DataType.FLOAT;
          case FLOAT64 -> DataType.DOUBLE;
          case BOOL -> DataType.BOOL;
        };
    long[] shape = tensor.shape().lengths();
    // createBuffer(ByteBuffer, ...) would copy the memory.
    DataBuffer memory =
        Nd4j.createBuffer(new BytePointer(tensor.bytes()), tensor.shape().elements(), type);
    return Nd4j.create(memory, shape, Nd4j.getStrides(shape, 'c'), 0, 'c', type);
  }

  @Override
  public boolean hasNext() {
    if (epoch == null) {
      epoch = loader.iterator();
    }
    return epoch.hasNext();
  }

  @Override
  public DataSet next() {
    release();
    if (epoch == null) {
      epoch = loader.iterator();
    }
    Batch batch = epoch.next();
    open = batch;
    DataSet data = new DataSet(array(batch.tensor(features)), array(batch.tensor(labels)));
    if (preProcessor != null) {
      preProcessor.preProcess(data);
    }
    return data;
  }

  /** Begins the loader's next epoch. */
  @Override
  public void reset() {
    release();
    epoch = null;
  }

  private void release() {
    if (open != null) {
      open.close();
      open = null;
    }
  }

  @Override
  public void close() {
    reset();
  }

  /** Returns false: DL4J would read ahead and use closed batches. The loader reads ahead itself. */
  @Override
  public boolean asyncSupported() {
    return false;
  }

  @Override
  public boolean resetSupported() {
    return true;
  }

  @Override
  public int batch() {
    return batchSize;
  }

  @Override
  public DataSet next(int size) {
    throw new UnsupportedOperationException("the loader has batches of " + batchSize);
  }

  @Override
  public int inputColumns() {
    throw new UnsupportedOperationException("the first batch has the shapes");
  }

  @Override
  public int totalOutcomes() {
    throw new UnsupportedOperationException("the first batch has the shapes");
  }

  @Override
  public void setPreProcessor(DataSetPreProcessor preProcessor) {
    this.preProcessor = preProcessor;
  }

  @Override
  public @Nullable DataSetPreProcessor getPreProcessor() {
    return preProcessor;
  }

  @Override
  public List<String> getLabels() {
    return List.of();
  }
}
