package io.feedline.gpu;

import io.feedline.batch.BatchTransform;
import io.feedline.gpu.internal.Cuda;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** The options of all that takes a loader's batches to devices; not thread-safe. */
final class DeviceOptions {
  private final List<Normalization> normalizations = new ArrayList<>();
  private BatchTransform transform;
  private int prefetch = DeviceGroup.Options.DEFAULT_PREFETCH;
  private Supplier<Cuda> driver;

  void normalize(Normalization normalization) {
    normalizations.add(Objects.requireNonNull(normalization, "normalization"));
  }

  void transform(BatchTransform transform) {
    this.transform = Objects.requireNonNull(transform, "transform");
  }

  void prefetch(int batches) {
    this.prefetch = batches;
  }

  void driver(Supplier<Cuda> driver) {
    this.driver = driver;
  }

  DeviceGroup.Options options(List<String> columns) {
    return new DeviceGroup.Options(columns, normalizations, transform, prefetch, driver);
  }
}
