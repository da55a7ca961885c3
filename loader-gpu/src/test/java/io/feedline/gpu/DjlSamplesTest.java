package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.dataset.ArrayDataset;
import ai.djl.training.dataset.RandomAccessDataset;
import ai.djl.training.dataset.Record;
import ai.djl.translate.Batchifier;
import ai.djl.util.Progress;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.LoaderException;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DjlSamplesTest {

  private static final int SIZE = 12;

  private final NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");

  @AfterEach
  void close() {
    manager.close();
  }

  /** Rows (0, 1), (2, 3), ... with the labels 100, 101, ... */
  private ArrayDataset.Builder rows() {
    NDArray data = manager.arange(2f * SIZE).reshape(SIZE, 2);
    NDArray labels = manager.arange(100, 100 + SIZE, 1, DataType.INT64);
    return new ArrayDataset.Builder().setData(data).optLabels(labels).setSampling(5, true);
  }

  @Nested
  class OneAtATime extends DatasetContract<Map<String, Tensor>> {
    @Override
    protected Dataset<Map<String, Tensor>> dataset() throws Exception {
      return DjlSamples.of(rows().build());
    }
  }

  @Nested
  class AllAtOnce extends DatasetContract<Map<String, Tensor>> {
    @Override
    protected Dataset<Map<String, Tensor>> dataset() throws Exception {
      return DjlSamples.ofThreadSafe(rows().build());
    }
  }

  @Test
  void shouldGiveTheRowsAndTheirLabels() throws Exception {
    DjlSamples samples = DjlSamples.of(rows().build());

    Map<String, Tensor> sample = samples.get(3);

    assertThat(samples.size()).isEqualTo(SIZE);
    assertThat(sample).containsOnlyKeys("data", "label");
    assertThat(sample.get("data").toFloatArray()).containsExactly(6, 7);
    assertThat(sample.get("label").shape()).isEqualTo(Shape.SCALAR);
    assertThat(sample.get("label").toLongArray()).containsExactly(103);
    assertThat(samples.name()).isEqualTo("DjlSamples(ArrayDataset)");
    assertThat(samples.dataset()).isInstanceOf(ArrayDataset.class);
  }

  @Test
  void shouldNameSeveralArraysByTheirPositions() throws Exception {
    NDArray data = manager.arange(2f * SIZE).reshape(SIZE, 2, 1);
    NDArray more = manager.arange(SIZE);
    DjlSamples samples =
        DjlSamples.of(new ArrayDataset.Builder().setData(data, more).setSampling(1, false).build());

    assertThat(samples.get(1)).containsOnlyKeys("data.0", "data.1");
    assertThat(samples.get(1).get("data.0").shape()).isEqualTo(Shape.of(2, 1));
  }

  @Test
  void shouldRefuseTypesThatTensorsDoNotHave() {
    assertThatThrownBy(() -> DataTypes.of(DataType.UINT32, "label"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'label'", "uint32");
    for (DType dtype : DType.values()) {
      if (dtype != DType.UINT16 && dtype != DType.INT16 && dtype != DType.BFLOAT16) {
        assertThat(DataTypes.of(DataTypes.of(dtype, "x"), "x")).isEqualTo(dtype);
      }
    }
  }

  @Test
  void shouldApplyTheTransformsAndLimitsOfTheDjlDataset() throws Exception {
    DjlSamples samples =
        DjlSamples.of(
            rows()
                .addTransform(array -> array.mul(10))
                .addTargetTransform(array -> array.add(1))
                .optLimit(4)
                .build());

    assertThat(samples.size()).isEqualTo(4);
    assertThat(samples.get(2).get("data").toFloatArray()).containsExactly(40, 50);
    assertThat(samples.get(2).get("label").toLongArray()).containsExactly(103);
    DjlSamples part = DjlSamples.of(rows().build().subDataset(4, 7));
    assertThat(part.size()).isEqualTo(3);
    assertThat(part.get(2).get("label").toLongArray()).containsExactly(106);
  }

  private static final class Watched extends RandomAccessDataset {
    private final UnaryOperator<Record> fault;
    private final CountDownLatch two = new CountDownLatch(2);
    private final Set<NDManager> managers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger readers = new AtomicInteger();
    private final AtomicInteger mostReaders = new AtomicInteger();
    private final boolean waits;
    private boolean prepared;

    Watched(Builder builder) {
      super(builder);
      this.fault = builder.fault;
      this.waits = builder.waits;
    }

    @Override
    public Record get(NDManager manager, long index) throws IOException {
      if (!prepared) {
        throw new IOException("not prepared");
      }
      managers.add(manager);
      mostReaders.accumulateAndGet(readers.incrementAndGet(), Math::max);
      try {
        if (waits) {
          two.countDown();
          two.await();
        }
        return fault.apply(new Record(new NDList(manager.create((float) index)), new NDList()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } finally {
        readers.decrementAndGet();
      }
    }

    @Override
    protected long availableSize() {
      return prepared ? 8 : 0;
    }

    @Override
    public void prepare(Progress progress) {
      prepared = true;
    }

    static final class Builder extends BaseBuilder<Builder> {
      private UnaryOperator<Record> fault = record -> record;
      private boolean waits;

      @Override
      protected Builder self() {
        return this;
      }

      Watched build() {
        return new Watched(setSampling(1, false));
      }
    }
  }

  private static void readAll(DjlSamples samples, int workers) {
    try (DataLoader<Map<String, Tensor>> loader =
        DataLoader.builder(samples).batchSize(2).numWorkers(workers).build()) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("data").toFloatArray())
              .containsExactly((float) batch.indices()[0], (float) batch.indices()[1]);
        }
      }
    }
  }

  @Test
  void shouldLetOneThreadReadUnlessAllMayAndCloseWhatItReads() throws Exception {
    Watched alone = new Watched.Builder().build();
    readAll(DjlSamples.of(alone), 2);
    assertThat(alone.mostReaders).hasValue(1);
    assertThat(alone.managers).hasSizeGreaterThanOrEqualTo(8).noneMatch(NDManager::isOpen);

    Watched.Builder together = new Watched.Builder();
    together.waits = true;
    Watched watched = together.build();
    // Ends only if two threads read at once.
    readAll(DjlSamples.ofThreadSafe(watched), 2);
    assertThat(watched.mostReaders).hasValue(2);
  }

  @Test
  void shouldCloseItsManagerWhenReadingFails() throws Exception {
    Watched.Builder builder = new Watched.Builder();
    builder.fault =
        record -> {
          throw new IllegalStateException("broken");
        };
    Watched watched = builder.build();

    assertThatThrownBy(() -> readAll(DjlSamples.of(watched), 1))
        .isInstanceOf(LoaderException.class)
        .hasMessageContainingAll("DjlSamples(Watched)", "sample 0", "broken");
    assertThat(watched.managers).isNotEmpty().noneMatch(NDManager::isOpen);
  }

  @Test
  void shouldSayThatABatchifierMustStack() throws Exception {
    Batchifier joining =
        new Batchifier() {
          @Override
          public NDList batchify(NDList[] inputs) {
            return new NDList(NDArrays.concat(inputs[0]));
          }

          @Override
          public NDList[] unbatchify(NDList inputs) {
            throw new UnsupportedOperationException();
          }
        };
    DjlSamples samples = DjlSamples.of(rows().optDataBatchifier(joining).build());

    assertThatThrownBy(() -> samples.get(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'data'", "(2)", "batchifier must stack");
  }
}
