package io.feedline.gpu;

import io.feedline.batch.BatchTransform;
import io.feedline.gpu.internal.Cuda;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The options of all that takes a loader's batches to devices. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract sealed class DeviceOptions<B extends DeviceOptions<B>>
    permits DeviceLoader.Builder, DjlDataset.Builder {

  private final List<Normalization> normalizations = new ArrayList<>();
  private BatchTransform transform;
  private int prefetch = DeviceGroup.Options.DEFAULT_PREFETCH;
  private Supplier<Cuda> driver;

  DeviceOptions() {}

  @SuppressWarnings("unchecked")
  private B self() {
    return (B) this;
  }

  /**
   * Adds a column of images that crosses to the device as bytes and is made floats there; called
   * once for each such column. Default: all columns are delivered as they are.
   *
   * <p>The column that the batch then has is new memory, whatever the {@link
   * DeviceLoader.Transfer}; its bytes are gone. With {@link DeviceLoader.Transfer#VIEW} the batch
   * keeps its slot nevertheless, since the other columns are views of it.
   *
   * <p>The loop gets {@link IllegalArgumentException} for a batch that has no such column, or
   * another type, rank or number of channels there; the batch is closed.
   */
  public B normalizeOnDevice(Normalization normalization) {
    normalizations.add(Objects.requireNonNull(normalization, "normalization"));
    return self();
  }

  /**
   * Sets the transform of each batch on the device, after {@link #normalizeOnDevice}: {@code
   * MixUp}, {@code CutMix}, {@code RandomErasing.onBatches}, {@code BatchTransform.oneOf} of them,
   * and others that change rows by the methods of {@link BatchTransform.MutableBatch}. It draws the
   * same numbers as a loader's only {@code batchTransform}, and gives the same batches, up to
   * rounding; labels become probabilities. Default: nothing.
   *
   * <p>The GPU carries it out in its computing stream; the consumer does not wait for it. Several
   * devices mix as one: a row gets its neighbor from another device. A label that is not a class is
   * an error that names it on the CPU, and an error of CUDA on a GPU.
   *
   * <p>The loop gets {@link IllegalArgumentException} for a batch that has no such column, or
   * another type or shape there, and {@link UnsupportedOperationException} if the transform asks
   * for host memory; the batch is closed.
   */
  public B transformOnDevice(BatchTransform transform) {
    this.transform = Objects.requireNonNull(transform, "transform");
    return self();
  }

  /**
   * Sets how many batches may be on a GPU, or on their way to it, before they are asked for; the
   * GPU keeps memory for as many, beside that of the batches that are open. Default 2, so that one
   * batch is copied while another is used. The consumer gets at most that many batches and two more
   * ahead of the GPU; then it waits for the GPU. Without effect where batches do not go ahead of
   * the consumer: see {@link DeviceLoader.Transfer}.
   *
   * @param batches 1 or more
   */
  public B prefetchToDevice(int batches) {
    this.prefetch = batches;
    return self();
  }

  B driver(Supplier<Cuda> driver) {
    this.driver = driver;
    return self();
  }

  DeviceGroup.Options options(List<String> columns) {
    return new DeviceGroup.Options(columns, normalizations, transform, prefetch, driver);
  }
}
