package io.feedline.gpu;

import io.feedline.batch.BatchTransform;
import io.feedline.gpu.internal.Cuda;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The common options of {@link DeviceLoader} and {@link DjlDataset}. Not thread-safe.
 *
 * @param <B> the builder itself
 */
abstract sealed class DeviceOptions<B extends DeviceOptions<B>>
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
   * Adds a column of images that is copied to the device as bytes and becomes floats there. Call
   * this method once for each such column. Default: no column is converted.
   *
   * <p>The batch's column of floats is new memory with each {@link DeviceLoader.Transfer}, and the
   * column of bytes is closed. With {@link DeviceLoader.Transfer#VIEW} the batch still keeps its
   * slot, since the other columns are views of it.
   *
   * <p>{@code next()} throws {@link IllegalArgumentException} and closes the batch if the batch has
   * no such column, or the column has another type, rank or number of channels.
   */
  public B normalizeOnDevice(Normalization normalization) {
    normalizations.add(Objects.requireNonNull(normalization, "normalization"));
    return self();
  }

  /**
   * Sets the transform of each batch on the device, after {@link #normalizeOnDevice}: {@code
   * MixUp}, {@code CutMix}, {@code RandomErasing.onBatches}, {@code BatchTransform.oneOf}, and any
   * transform that changes rows only by the methods of {@link BatchTransform.MutableBatch}. If the
   * loader itself has no transform of batches, this transform draws the same random numbers as it
   * would in the loader, and makes the same batches, up to rounding. Labels become probabilities.
   * Default: no transform.
   *
   * <p>The GPU carries out the transform in its computing stream; the consumer does not wait for
   * it. Rows are mixed across devices: a row's neighbor may be on another device. For a label that
   * is not a class, the CPU throws an error that names the label; a GPU reports an error of CUDA.
   *
   * <p>{@code next()} throws {@link IllegalArgumentException} if the batch has no such column, or
   * the column has another type or shape, and {@link UnsupportedOperationException} if the
   * transform asks for host memory. The batch is then closed.
   */
  public B transformOnDevice(BatchTransform transform) {
    this.transform = Objects.requireNonNull(transform, "transform");
    return self();
  }

  /**
   * Sets the largest number of batches that are on the GPU, or being copied to the GPU, before the
   * consumer takes them. The GPU keeps memory for this number of batches, in addition to the open
   * batches. Default 2, so that one batch is copied while another is used. The consumer waits for
   * the GPU once it is this number of batches plus two ahead of the GPU. Without effect unless the
   * transfer is {@link DeviceLoader.Transfer#STREAM}.
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
