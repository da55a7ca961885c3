package io.feedline.bench;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.DType;
import io.feedline.batch.HostAllocator;
import io.feedline.batch.Tensor;
import io.feedline.bench.TrainStep.Target;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.mixing.CutMix;
import io.feedline.formats.image.mixing.MixUp;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomErasing;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import io.feedline.gpu.PinnedAllocator;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the time of {@code transformOnDevice}, and how much its results differ from the host's.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.DeviceTransforms --device gpu
 * </pre>
 *
 * <p>Images of noise are copied as bytes, normalized on the device to float32 and to float16, and
 * then mixed or erased there. The first batches are compared with those of a loader that does the
 * same on the host, in float32. Then each batch is transformed n times or 2n times, in turns. The
 * difference is the time of the transform without that of the batch.
 *
 * <p>One line of JSON for each transform and type goes to standard output, the same as a table to
 * standard error. Exit code 0; 2 for options that make no sense, or where DJL cannot use the
 * device; 1 if a result differs from the host's by more than rounding.
 */
@Command(
    name = "DeviceTransforms",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Measures what transforms of batches cost on a device, and compares their results.",
    footer = {
      "",
      "The figures of a line:",
      "  batch_ms   what a batch takes longer, calls and kernels; median over the rounds; _min, _max",
      "  off_by     the largest difference from the host's float32, in units in the last place of",
      "             the largest value: 0 is expected of float32, and at most 4 of float16"
    })
public final class DeviceTransforms extends BenchCommand {
  private static final int CLASSES = 1000;
  private static final String LABEL = "label";
  private static final int COMPARED = 3;
  private static final double ROUNDING = 4;

  /**
   * The last bit of a half, in units of the last bit of a float: a float has 24 significant bits, a
   * half 11.
   */
  private static final int HALF_ULP = 1 << 13;

  /** The transforms, with the defaults of their classes. */
  private enum Kind {
    MIXUP,
    CUTMIX,
    ERASING;

    BatchTransform transform() {
      return switch (this) {
        case MIXUP -> MixUp.of(CLASSES);
        case CUTMIX -> CutMix.of(CLASSES);
        case ERASING -> RandomErasing.of().onBatches(StepTurns.IMAGE);
      };
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "gpu",
      description = "gpu, the first, or cpu. Default: ${DEFAULT-VALUE}.")
  private Target target;

  @Option(
      names = "--image-size",
      paramLabel = "N",
      defaultValue = "224",
      description = "Columns and rows, 8 or more. Default: ${DEFAULT-VALUE}.")
  private int imageSize;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "128",
      description = "Images, 2 or more. Default: ${DEFAULT-VALUE}.")
  private int batchSize;

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "20",
      description = "How often a transform is applied to a batch. Default: ${DEFAULT-VALUE}.")
  private int times;

  @Option(
      names = "--batches",
      paramLabel = "N",
      defaultValue = "10",
      description = "Of a turn. Default: ${DEFAULT-VALUE}.")
  private int batches;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "Turns of both kinds that count, after one. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  public static void main(String... args) {
    System.exit(new DeviceTransforms().commandLine().execute(args));
  }

  @Override
  public Integer call() throws IOException {
    requireAtLeast(8, "--image-size", imageSize);
    requireAtLeast(2, "--batch-size", batchSize);
    requireAtLeast(1, "--times", times);
    requireAtLeast(1, "--batches", batches);
    requireAtLeast(1, "--rounds", rounds);
    target.require(this);
    Dataset<LabeledImage> noise = NoiseImages.create(4 * batchSize, imageSize, CLASSES);
    log()
        .printf(
            "machine: %s%n%d rounds: median (smallest - greatest)%n%n"
                + "| transform | type | ms a batch | off by |%n|---|---|---|---|%n",
            Machine.here(), rounds);
    boolean right = true;
    for (Kind kind : Kind.values()) {
      for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16)) {
        right &= measure(noise, kind, dtype) <= ROUNDING;
      }
    }
    return right ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** A transform that is applied several times; the thread that uses it sets the number. */
  private static final class Repeated implements BatchTransform {
    private final BatchTransform transform;
    private int times = 1;

    Repeated(BatchTransform transform) {
      this.transform = transform;
    }

    @Override
    public void apply(MutableBatch batch, RandomGenerator random) throws Exception {
      for (int time = 0; time < times; time++) {
        transform.apply(batch, random);
      }
    }
  }

  /** Prints the figures of a transform; returns the difference of its result from the host's. */
  private double measure(Dataset<LabeledImage> noise, Kind kind, DType dtype) throws IOException {
    Normalize host = Normalize.imagenet();
    Normalization normalization =
        Normalization.builder(StepTurns.IMAGE, host.mean(), host.std()).dtype(dtype).build();
    Repeated repeated = new Repeated(kind.transform());
    long repeats = COMPARED + 2L * (1 + rounds) * batches;
    try (PinnedAllocator pinned =
            target == Target.GPU ? PinnedAllocator.of(target.device()) : null;
        DataLoader<LabeledImage> bytes =
            loader(noise, ToTensor.of(DType.UINT8), repeats)
                .allocator(pinned == null ? HostAllocator.direct() : pinned)
                .build();
        DataLoader<LabeledImage> floats =
            loader(noise, host, repeats).batchTransform(kind.transform()).build();
        DeviceLoader loader =
            DeviceLoader.builder(bytes)
                .device(target.device())
                .normalizeOnDevice(normalization)
                .transformOnDevice(repeated)
                .build()) {
      TrainStep.fallbackWarning(loader.stats()).ifPresent(log()::println);
      Iterator<DeviceBatch> found = loader.iterator();
      double offBy = offBy(found, floats.iterator(), dtype);
      double[] millis = new double[rounds];
      for (int round = -1; round < rounds; round++) {
        double once = millis(found, repeated, times);
        double twice = millis(found, repeated, 2 * times);
        if (round >= 0) {
          millis[round] = (twice - once) / times / batches;
        }
      }
      report(kind, dtype, Spread.of(millis), offBy);
      return offBy;
    }
  }

  private DataLoaderBuilder<LabeledImage> loader(
      Dataset<LabeledImage> noise, Transform<Image, Image> transform, long batches) {
    long repeats = (batches * batchSize + noise.size() - 1) / noise.size();
    return DataLoader.builder(
            noise.repeat(repeats).map(sample -> sample.withImage(transform.apply(sample.image()))))
        .batchSize(batchSize)
        .numWorkers(2)
        .prefetch(2);
  }

  /** Runs a turn of batches until the last one is finished; returns milliseconds per batch. */
  private double millis(Iterator<DeviceBatch> found, Repeated repeated, int applied) {
    repeated.times = applied;
    long begin = System.nanoTime();
    for (int left = batches; left > 0; left--) {
      try (DeviceBatch batch = found.next()) {
        if (left == 1) {
          // This read waits for everything that is queued.
          batch.tensor(StepTurns.IMAGE).get(0, 0, 0, 0).toByteBuffer();
        }
      }
    }
    return (System.nanoTime() - begin) / 1e6;
  }

  private static double offBy(Iterator<DeviceBatch> found, Iterator<Batch> expected, DType dtype) {
    double most = 0;
    for (int number = 0; number < COMPARED; number++) {
      try (DeviceBatch device = found.next();
          Batch host = expected.next()) {
        int unit = dtype == DType.FLOAT16 ? HALF_ULP : 1;
        most =
            Math.max(
                most, offBy(device.tensor(StepTurns.IMAGE), host.tensor(StepTurns.IMAGE), unit));
        if (host.tensor(LABEL).dtype() == DType.FLOAT32) {
          most = Math.max(most, offBy(device.tensor(LABEL), host.tensor(LABEL), 1));
        }
      }
    }
    return most;
  }

  private static double offBy(NDArray found, Tensor expected, int unit) {
    float[] values = found.toType(DataType.FLOAT32, false).toFloatArray();
    float[] right = expected.toFloatArray();
    if (values.length != right.length) {
      return Double.POSITIVE_INFINITY;
    }
    double most = 0;
    float largest = 0;
    for (int i = 0; i < right.length; i++) {
      most = Math.max(most, Math.abs((double) values[i] - right[i]));
      largest = Math.max(largest, Math.abs(right[i]));
    }
    return most / Math.ulp(largest) / unit;
  }

  private void report(Kind kind, DType dtype, Spread millis, double offBy) throws IOException {
    Machine machine = Machine.here();
    Engine engine = Engine.getInstance();
    log().printf(Locale.ROOT, "| %s | %s | %s | %.2f |%n", kind, dtype, millis.toString(3), offBy);
    log().flush();
    print(
        new JsonLine()
            .put("transform", kind.toString())
            .put("dtype", dtype.name())
            .put("device", target.toString())
            .put("engine", "DJL " + engine.getEngineName() + " " + engine.getVersion())
            .put("runtime", "JDK " + machine.jdk())
            .put("processor", machine.processor())
            .put("image_size", imageSize)
            .put("batch_size", batchSize)
            .put("rounds", rounds)
            .put("batch_ms", millis)
            .put("off_by", offBy));
  }
}
