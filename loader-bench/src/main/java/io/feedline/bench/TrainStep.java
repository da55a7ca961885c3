package io.feedline.bench;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.DType;
import io.feedline.batch.HostAllocator;
import io.feedline.bench.StepFigures.Round;
import io.feedline.bench.nvml.GpuMonitor;
import io.feedline.bench.nvml.GpuMonitor.NvmlException;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.DeviceStats;
import io.feedline.gpu.Normalization;
import io.feedline.gpu.PinnedAllocator;
import io.feedline.gpu.internal.Cuda;
import io.feedline.transform.RandomTransform;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.LongStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures how much longer a training step takes because its batch comes from Feedline.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.TrainStep --device gpu --data DIR
 * </pre>
 *
 * <p>Blocks of training steps with DJL take turns: steps with the loader's batches, and steps that
 * reuse one batch. {@link StepTurns} describes how a step is measured although the GPU works
 * asynchronously. One line of JSON goes to standard output, a table to standard error. {@code
 * peers/train_step.py} trains the same network with PyTorch and its DataLoader, and prints the same
 * line.
 *
 * <p>Exit code 0; 2 for options or data that make no sense, or where DJL cannot use the device; 1
 * where an image cannot be read.
 */
@Command(
    name = "TrainStep",
    sortOptions = false,
    usageHelpWidth = 100,
    header =
        "Measures what a loader costs a training step: steps with it, steps without, in turns.",
    footer = {
      "",
      "The figures of a line:",
      "  transfer, memory       how batches went to the device, and out of what kind of host"
          + " memory",
      "  fallback               why they did not go through a copying stream although they went to"
          + " a",
      "                         GPU; null where they did, or there is none",
      "  copy_gb_per_second     how fast, as the loader measured it; null where nothing was copied",
      "  step_ms                time of a step with the loader's batches: of a block of steps,"
          + " begun",
      "                         with an idle device and ended by reading the last loss, divided by",
      "                         their number. Median over the rounds; _min and _max: extremes",
      "  synthetic_step_ms      the same with one batch that is reused",
      "  ratio                  of the two, by round; the median, _min and _max",
      "  images_per_second      at step_ms",
      "  images_per_cpu_second  images / CPU time of the whole process during the loader's blocks,",
      "                         training loop, garbage collector and compiler included",
      "  synthetic_...          both again for the one batch: the difference is the loader's",
      "  next_p50_us next_p99_us  how long next() took in the loader's blocks, by nearest rank. A",
      "                         loop that is ahead of the GPU waits for it here, too",
      "  ready_p50_us ready_p99_us  how long next() took with an idle device when the loader had"
          + " had",
      "                         more than the time that a batch takes it; it gives arrays on the"
          + " device",
      "  gpu_busy_percent       share of the time of --busy-seconds' stretch in which the GPU"
          + " computed,",
      "                         as the driver tells; synthetic_gpu_busy_percent: with the one"
          + " batch",
      "  busy_seconds           time of the shorter of the two stretches",
      "  busy_source            samples: the means are over the driver's samples; polls: over what"
          + " it",
      "                         said each quarter of a second",
      "  busy_unknown           why these four are null; null where they are not",
      "  loss                   of the last step; not to be compared, since images are shuffled",
      "",
      "Everything is float32 by PyTorch's own defaults. On a CPU, training and loader compete for",
      "the processors, and the ratio tells of that."
    })
public final class TrainStep extends BenchCommand {
  private static final int CLASSES = 1000;
  private static final Duration WATCHED = Duration.ofSeconds(30);

  enum Target {
    CPU,
    GPU;

    Device device() {
      return this == GPU ? Device.gpu() : Device.cpu();
    }

    /** Throws the command's exception for wrong options if DJL cannot use the device. */
    void require(BenchCommand command) {
      try {
        DeviceLoader.requireDevice(device());
      } catch (EngineException | IllegalStateException e) {
        String reason =
            e instanceof EngineException ? e.getMessage() + ", " + e.getCause() : e.getMessage();
        throw command.wrong(
            "--device %s: %s; loader-bench/README.md says how DJL finds PyTorch's libraries"
                .formatted(this, reason),
            e);
      }
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
      names = "--model",
      paramLabel = "NAME",
      defaultValue = "resnet50",
      description = "torchvision's ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private ResidualNetwork model;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = {
        "Images: DIR/CLASS/IMAGE, or DIR/train/CLASS/IMAGE; RandomResizedCrop and",
        "RandomHorizontalFlip. Without it: noise that lies in memory as pixels of the image size,",
        "of which nothing is to be read or decoded, and RandomHorizontalFlip."
      })
  private Path data;

  @Option(
      names = "--pictures",
      paramLabel = "N",
      defaultValue = "512",
      description = "Of noise, without --data. Default: ${DEFAULT-VALUE}.")
  private int images;

  @Option(
      names = "--image-size",
      paramLabel = "N",
      defaultValue = "224",
      description = "Columns and rows, 32 or more. Default: ${DEFAULT-VALUE}.")
  private int imageSize;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "128",
      description = "Images of a step. Default: ${DEFAULT-VALUE}.")
  private int batchSize;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Worker threads; 0 means the training's own. Default: the processors.")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--prefetch",
      paramLabel = "N",
      defaultValue = "2",
      description = "Batches that workers prepare ahead. Default: ${DEFAULT-VALUE}.")
  private int prefetch;

  @Option(
      names = "--pin-memory",
      description = "Batches in page-locked memory: a PinnedAllocator for the loader. For a GPU.")
  private boolean pinMemory;

  @Option(
      names = "--normalize-on-device",
      description = {
        "Images cross as bytes and become floats on the device; otherwise workers normalize."
      })
  private boolean normalizeOnDevice;

  @Option(
      names = "--prefetch-to-device",
      paramLabel = "N",
      defaultValue = "2",
      description = {
        "Batches on a GPU, or on their way, before they are asked for. Default:",
        "${DEFAULT-VALUE}."
      })
  private int prefetchToDevice;

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "20",
      description = "Of a block. Default: ${DEFAULT-VALUE}.")
  private int steps;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Blocks of each kind that count. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "2",
      description = "Blocks of each kind before that. Default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--asks",
      paramLabel = "N",
      defaultValue = "100",
      description = "How often next() is timed when a batch is ready. Default: ${DEFAULT-VALUE}.")
  private int asks;

  @Option(
      names = "--busy-seconds",
      paramLabel = "N",
      description = {
        "After the rounds, a stretch of steps of each kind, N seconds or more, over which the",
        "utilisation of the GPU is taken: the driver measures once to six times a second, and a",
        "block is too short for that. 0: none. Default: 30 where the GPU tells it."
      })
  private Integer busySeconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Of the order and the random transforms. Default: ${DEFAULT-VALUE}.")
  private long seed;

  public static void main(String... args) {
    System.exit(new TrainStep().commandLine().execute(args));
  }

  @Override
  public Integer call() throws IOException {
    checkOptions();
    target.require(this);
    Engine.getInstance().setRandomSeed((int) seed);
    try (GpuWatch gpu = watch();
        Source<LabeledImage> source = samples();
        Training training = Training.begin(model.block(CLASSES), imageSize, target.device());
        PinnedAllocator pinned = pinMemory ? PinnedAllocator.of(target.device()) : null;
        DataLoader<LabeledImage> host =
            hostLoader(
                source.samples(), pinMemory ? pinned : HostAllocator.direct(), watched(gpu));
        DeviceLoader loader = deviceLoader(host, training)) {
      fallbackWarning(loader.stats()).ifPresent(log()::println);
      log().flush();
      report(measure(training, loader, gpu), loader);
    }
    return CommandLine.ExitCode.OK;
  }

  private void checkOptions() {
    requireAtLeast(1, "--pictures", images);
    requireAtLeast(ResidualNetwork.SMALLEST_IMAGE, "--image-size", imageSize);
    requireAtLeast(2, "--batch-size", batchSize); // the last stage may have one pixel per image
    requireAtLeast(0, "--workers", workers);
    requireAtLeast(1, "--prefetch", prefetch);
    requireAtLeast(1, "--prefetch-to-device", prefetchToDevice);
    requireAtLeast(1, "--steps", steps);
    requireAtLeast(1, "--rounds", rounds);
    requireAtLeast(0, "--warm-up", warmUp);
    requireAtLeast(1, "--asks", asks);
    if (pinMemory && target == Target.CPU) {
      throw wrong("--pin-memory needs --device gpu: on the CPU nothing is copied");
    }
    if (busySeconds != null) {
      requireAtLeast(0, "--busy-seconds", busySeconds);
      if (busySeconds > 0 && target == Target.CPU) {
        throw wrong("--busy-seconds needs --device gpu: on the CPU there is none to watch");
      }
    }
  }

  private Source<LabeledImage> samples() {
    if (data == null) {
      Dataset<LabeledImage> noise = NoiseImages.create(images, imageSize, CLASSES);
      return new Source<>(transformed(noise, RandomHorizontalFlip.of(0.5)), noise);
    }
    Path train = data.resolve("train");
    try {
      ImageDataset stored = ImageDataset.open(Files.isDirectory(train) ? train : data);
      int classes = stored.classes().size();
      if (classes > CLASSES) {
        stored.close();
        throw wrong("--data has %d classes, the network %d".formatted(classes, CLASSES));
      }
      return new Source<>(
          transformed(
              stored, RandomResizedCrop.of(imageSize).andThen(RandomHorizontalFlip.of(0.5))),
          stored);
    } catch (IOException | IllegalStateException e) {
      throw wrong("cannot open --data: " + e.getMessage(), e);
    }
  }

  private Dataset<LabeledImage> transformed(
      Dataset<LabeledImage> images, RandomTransform<Image, Image> geometry) {
    RandomTransform<Image, Image> transform =
        normalizeOnDevice
            ? geometry.andThen(ToTensor.of(DType.UINT8))
            : geometry.andThen(Normalize.imagenet());
    return images.map(
        (sample, random) -> sample.withImage(transform.apply(sample.image(), random)));
  }

  /** Makes a loader with one long epoch, so that the cost of beginning an epoch is not measured. */
  private DataLoader<LabeledImage> hostLoader(
      Dataset<LabeledImage> samples, HostAllocator allocator, Duration watched) {
    long batches = StepTurns.batchesNeeded(lead(), steps, warmUp + rounds, watched, asks);
    long repeats = (batches * batchSize + samples.size() - 1) / samples.size();
    DataLoaderBuilder<LabeledImage> builder =
        DataLoader.builder(samples.repeat(repeats))
            .batchSize(batchSize)
            .dropLast(true)
            .shuffle(true)
            .seed(seed)
            .numWorkers(workers)
            .allocator(allocator);
    return workers == 0 ? builder.build() : builder.prefetch(prefetch).build();
  }

  private DeviceLoader deviceLoader(DataLoader<LabeledImage> host, Training training) {
    DeviceLoader.Builder builder =
        DeviceLoader.builder(host).manager(training.manager()).prefetchToDevice(prefetchToDevice);
    if (normalizeOnDevice) {
      builder.normalizeOnDevice(Normalization.imagenet(StepTurns.IMAGE));
    }
    return builder.build();
  }

  /** Returns how many batches may be prepared ahead, with the batch that is being made. */
  private int lead() {
    return 1 + (workers == 0 ? 0 : prefetch) + (target == Target.GPU ? prefetchToDevice : 0);
  }

  /** Returns a watch of the GPU; it measures nothing if the GPU cannot be watched. */
  private GpuWatch watch() {
    if (target == Target.CPU) {
      return GpuWatch.none("trained on the CPU");
    }
    if (busySeconds != null && busySeconds == 0) {
      return GpuWatch.none("--busy-seconds 0");
    }
    try {
      return GpuWatch.of(GpuMonitor.open(target.device().getDeviceId()));
    } catch (NvmlException e) {
      return GpuWatch.none(e.getMessage());
    }
  }

  /** Returns how long the GPU is watched; zero without a watch. */
  private Duration watched(GpuWatch gpu) {
    if (gpu.silence().isPresent()) {
      return Duration.ZERO;
    }
    return busySeconds == null ? WATCHED : Duration.ofSeconds(busySeconds);
  }

  /** Returns a warning to print before the measurement, so that the user can stop it. */
  static Optional<String> fallbackWarning(DeviceStats stats) {
    return stats
        .fallback()
        .map(
            reason ->
                "WARNING: no copying stream: each batch is copied by DJL while training waits; "
                    + reason);
  }

  private StepFigures measure(Training training, DeviceLoader loader, GpuWatch gpu) {
    StepTurns turns = new StepTurns(training, loader.iterator(), lead(), steps);
    for (int number = 0; number < warmUp; number++) {
      turns.round(number, nanos -> {});
    }
    LongStream.Builder waits = LongStream.builder();
    List<Round> counted = new ArrayList<>();
    for (int number = 0; number < rounds; number++) {
      counted.add(turns.round(number, waits));
    }
    double loss = turns.loss();
    Utilization utilization = utilization(turns, gpu);
    double slowest = counted.stream().mapToDouble(Round::ratio).max().orElseThrow();
    return new StepFigures(
        batchSize,
        counted,
        Percentiles.of(waits.build().toArray()),
        turns.ask(asks, 1 + (int) Math.ceil(slowest)),
        utilization,
        loss);
  }

  /** Measures the utilization. If the GPU stops reporting, only this figure is missing. */
  private Utilization utilization(StepTurns turns, GpuWatch gpu) {
    if (gpu.silence().isPresent()) {
      return Utilization.unknown(gpu.silence().get());
    }
    try {
      return turns.watch(gpu, watched(gpu));
    } catch (NvmlException e) {
      return Utilization.unknown(e.getMessage());
    }
  }

  private void report(StepFigures figures, DeviceLoader loader) throws IOException {
    Machine machine = Machine.here();
    Engine engine = Engine.getInstance();
    String on = target == Target.GPU ? Cuda.load().deviceName(0) : machine.processor();
    DeviceStats stats = loader.stats();
    PrintWriter log = log();
    log.printf(
        "machine: %s%n%s on %s by %s %s%n%s%n%s%n%s%n%d rounds of %d steps: median (smallest -"
            + " greatest)%n%n%s%n",
        machine,
        model,
        on,
        engine.getEngineName(),
        engine.getVersion(),
        loader,
        stats,
        figures.utilization(),
        rounds,
        steps,
        figures.toTable());
    log.flush();
    JsonLine line =
        new JsonLine()
            .put("loader", "feedline")
            .put("model", model.toString())
            .put("device", target.toString())
            .put("device_name", on)
            .put("engine", "DJL " + engine.getEngineName() + " " + engine.getVersion())
            .put("runtime", "JDK " + machine.jdk())
            .put("processor", machine.processor())
            .put("processors", machine.processors())
            .put("data", data == null ? "noise" : data.toString())
            .put("image_size", imageSize)
            .put("batch_size", batchSize)
            .put("workers", workers)
            .put("transfer", stats.transfer().name().toLowerCase(Locale.ROOT))
            .put("memory", stats.memory())
            .put("fallback", stats.fallback())
            .put("normalize_on_device", normalizeOnDevice)
            .put("prefetch_to_device", target == Target.GPU ? prefetchToDevice : 0)
            .put("copy_gb_per_second", stats.bytes() == 0 ? Double.NaN : stats.gigabytesPerSecond())
            .put("steps", steps);
    print(figures.addTo(line));
  }
}
