package io.feedline.bench;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads images as a training would, drops them, and prints one line of JSON for each epoch;
 * standard output has nothing else.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.Throughput --data DIR --pipeline train --batch-size 128 --workers 2
 * </pre>
 *
 * <p>{@code --help} defines each figure. {@code peers/torchvision_loader.py} has the same options
 * and prints the same line; {@code peers/compare} runs both in turns.
 *
 * <p>The loader runs with {@code prefetchNextEpoch(false)}, so the figures of an epoch include all
 * work for this epoch, and no work for another. A training would leave this option on, and wait
 * less at the beginning of an epoch.
 *
 * <p>Exit code 0; 2 for options or data that make no sense; 1 where an image cannot be read.
 */
@Command(
    name = "Throughput",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Reads images as a training would and prints one line of JSON for each epoch.",
    footer = {
      "",
      "The figures of a line:",
      "  epoch                  counted from 0",
      "  images                 delivered in this epoch",
      "  seconds                wall time from asking for the epoch to closing its last batch",
      "  cpu_seconds            CPU time of the whole process between the same two moments, user"
          + " and",
      "                         system: all threads, garbage collector and compiler included. The",
      "                         system may count in steps of 10 ms, so let epochs last a second",
      "  images_per_second      images / seconds",
      "  images_per_cpu_second  images / cpu_seconds",
      "  jvm_to_first_batch_ms  epoch 0: from the start of the JVM to the first batch; later: null",
      "  first_batch_ms         from asking for the epoch to its first batch",
      "  p50_ms p99_ms max_ms   how long next() took, by nearest rank over the epoch's batches but",
      "                         the first, which first_batch_ms tells of; null if there is only"
          + " one",
      "  peak_rss_mb            the most memory in RAM at once since the process began, in MiB",
      "                         (VmHWM of Linux; null elsewhere)",
      "",
      "Nothing is done with a batch but to close it. The next epoch is not prepared ahead, so that",
      "an epoch's figures hold all of its own work and none of another's. The first epochs warm up",
      "the JVM: leave them out of comparisons."
    })
public final class Throughput extends BenchCommand {

  @Option(
      names = "--data",
      paramLabel = "PATH",
      required = true,
      description = {
        "The images, in the format's file or directory, or a URI: s3://bucket/prefix.",
        "Where it is a directory that holds a directory train, train and val are two",
        "datasets: the pipeline's is taken."
      })
  private Path data;

  @Option(
      names = "--pipeline",
      paramLabel = "NAME",
      defaultValue = "train",
      description = {
        "train: RandomResizedCrop(224), RandomHorizontalFlip(0.5), Normalize; shuffled.",
        "val: Resize(256), CenterCrop(224), Normalize; in order.",
        "Both give (3, 224, 224). Of the formats of tensors it is only the order: their rows are",
        "taken as they are, uint8 (224, 224, 3), as one normalizes on the device. Default:",
        "${DEFAULT-VALUE}."
      })
  private Pipeline pipeline;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "128",
      description = "Images of a batch. Default: ${DEFAULT-VALUE}.")
  private int batchSize;

  @Option(
      names = "--workers",
      paramLabel = "N|auto",
      converter = WorkersConverter.class,
      description = {
        "Worker threads; 0 means the consumer's own, auto as many as the loader finds best.",
        "Default: the processors."
      })
  private OptionalInt workers = OptionalInt.of(Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--epochs",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many epochs. Default: ${DEFAULT-VALUE}.")
  private int epochs;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = "How often an epoch goes through the data. Default: ${DEFAULT-VALUE}.")
  private int repeat;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      completionCandidates = FormatNames.class,
      description = {
        "How the images are stored: ${COMPLETION-CANDIDATES}.",
        "lmdb-tensors and hdf5-arrays hold arrays, and so does hdf5 where the file's images are",
        "no byte strings; their chunks and compression are what the file has. Default: what",
        "the data look like."
      })
  private String format;

  @Option(
      names = "--decoder",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "The decoder: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private DecodeOptions.Backend decoder;

  @Option(
      names = "--mode",
      paramLabel = "NAME",
      defaultValue = "rgb",
      description = {
        "The channels of pixels: ${COMPLETION-CANDIDATES}. Other channels than three are",
        "normalized by one mean and standard deviation. Default: ${DEFAULT-VALUE}."
      })
  private ImageMode mode;

  @Option(
      names = "--scan-index",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = {
        "Where indexes of the JPEGs are kept: ${COMPLETION-CANDIDATES}.",
        "auto is the library's own choice: the file that 'feedline index DATA' has made beside",
        "the data, or else in memory within a budget. memory: the first epoch makes them.",
        "sidecar: the file must be there. Default: ${DEFAULT-VALUE}."
      })
  private ScanIndexing scanIndex;

  @Option(
      names = "--resize",
      paramLabel = "NAME",
      defaultValue = "antialias",
      description = {
        "The filter that scales them: ${COMPLETION-CANDIDATES}. antialias is a filter as wide as",
        "the reduction, bilinear takes the two nearest rows and columns. Default:",
        "${DEFAULT-VALUE}."
      })
  private Recipe.ResizeFilter resize;

  @Option(
      names = "--elements",
      paramLabel = "NAME",
      defaultValue = "float32",
      description = {
        "What the rows are made of: ${COMPLETION-CANDIDATES}. The first two are normalized;",
        "uint8 is pixels as they are, as one normalizes on the device. Default: ${DEFAULT-VALUE}."
      })
  private Recipe.Elements elements;

  @Option(
      names = "--draft",
      description = {
        "Decode JPEGs that shrink to less than half of their size at a half, a quarter or an",
        "eighth, as Pillow's draft does."
      })
  private boolean draft;

  @Option(
      names = "--read-ahead",
      paramLabel = "N",
      description = {
        "How many reads may be under way ahead of the workers; 0 means none. Default: the",
        "library's own choice, which is none for local files."
      })
  private Integer readAhead;

  @Option(
      names = "--read-latency",
      paramLabel = "MS",
      defaultValue = "0",
      description = {
        "Makes each read of images wait so many milliseconds longer, as if they were far",
        "away. Default: ${DEFAULT-VALUE}."
      })
  private int readLatency;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Of the order and the random transforms. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      description = {
        "Keeps what is read over the network in this directory: a new one, an empty one or that of",
        "a cache. Needs --cache-size. Data that an earlier run has kept there is not read again."
      })
  private Path cache;

  @Option(
      names = "--cache-size",
      paramLabel = "N",
      description = "The bytes of the disk that the cache may take, 0 or more.")
  private Long cacheSize;

  @Option(
      names = "--paced",
      description = {
        "Wait for a line on standard input before each epoch, and end with the",
        "input: for a program that measures several processes in turns."
      })
  private boolean paced;

  private static final String[] IMAGES_ONLY = {
    "--decoder", "--mode", "--scan-index", "--resize", "--elements", "--draft", "--read-latency"
  };

  private final BufferedReader input;

  /** Creates the command, which reads the lines of {@code --paced} from an input. */
  Throughput(BufferedReader input) {
    this.input = input;
  }

  public static void main(String... args) {
    InputStreamReader standardInput = new InputStreamReader(System.in, StandardCharsets.UTF_8);
    System.exit(new Throughput(new BufferedReader(standardInput)).commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    requireAtLeast(1, "--batch-size", batchSize);
    requireAtLeast(0, "--workers", workers.orElse(0));
    requireAtLeast(1, "--epochs", epochs);
    requireAtLeast(1, "--repeat", repeat);
    requireAtLeast(0, "--read-latency", readLatency);
    requireAtLeast(0, "--read-ahead", readAhead == null ? 0 : readAhead);
    checkFormat();
    if (cache != null || cacheSize != null) {
      data = cached();
    }
    PrintWriter log = log();
    try (Source<?> source = open(source(log));
        DataLoader<?> loader = loader(source.samples())) {
      log.printf("reading with %s%non %s%n", loader, Machine.here());
      for (int epoch = 0; epoch < epochs && (!paced || input.readLine() != null); epoch++) {
        print(measure(loader).toJson());
      }
      if (workers.isEmpty()) {
        log.println(loader.stats().tuning());
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private Path cached() {
    if (cache == null || cacheSize == null) {
      throw wrong("--cache and --cache-size belong together");
    }
    try {
      return DiskCache.at(cache).cacheBytes(cacheSize).build().inFrontOf(data);
    } catch (IllegalArgumentException impossible) {
      throw wrong("--cache: " + impossible.getMessage(), impossible);
    }
  }

  private void checkFormat() {
    if (format == null) {
      return;
    }
    format = format.toLowerCase(Locale.ROOT);
    if (!FormatNames.all().contains(format)) {
      throw wrong(
          "--format must be one of %s, was '%s'"
              .formatted(String.join(", ", FormatNames.all()), format));
    }
  }

  private void refuseWhatIsForImages(TensorFormat tensors) {
    for (String option : IMAGES_ONLY) {
      if (isGiven(option)) {
        throw wrong("%s is for images, %s holds tensors".formatted(option, tensors));
      }
    }
  }

  /**
   * Returns the path that the format opens: {@code --data}, or the pipeline's split in this
   * directory.
   */
  private Path source(PrintWriter log) {
    Path part = data.resolve(pipeline.toString());
    if (!Files.isDirectory(data.resolve(Pipeline.TRAIN.toString()))) {
      return data;
    }
    if (!Files.isDirectory(part)) {
      throw wrong("--data has a directory train but none for this pipeline: " + part);
    }
    log.printf("%s has a directory train: taking %s%n", data, part);
    return part;
  }

  private Source<?> open(Path source) {
    try {
      String name = format == null ? StoreFormat.of(source).name() : format;
      Optional<TensorFormat> tensors = TensorFormat.of(name, source);
      if (tensors.isPresent()) {
        refuseWhatIsForImages(tensors.get());
        return tensors.get().open(source);
      }
      DecodeOptions decoding =
          DecodeOptions.DEFAULT.withBackend(decoder).withMode(mode).withFast(draft);
      ImageStore images = StoreFormat.named(name).open(source, StoreOptions.NONE);
      if (readLatency > 0) {
        images = FarStore.of(images, Duration.ofMillis(readLatency));
      }
      return new Recipe(pipeline, resize, decoding, scanIndex, elements)
          .of(ImageDataset.of(images));
    } catch (IOException | IllegalStateException e) {
      throw wrong("cannot open --data: " + e.getMessage(), e);
    }
  }

  private <T> DataLoader<T> loader(Dataset<T> dataset) {
    DataLoaderBuilder<T> builder =
        DataLoader.builder(dataset.repeat(repeat))
            .batchSize(batchSize)
            .shuffle(pipeline.shuffle())
            .seed(seed)
            .prefetchNextEpoch(false);
    if (workers.isPresent()) {
      builder.numWorkers(workers.getAsInt());
    } else {
      builder.autoWorkers();
    }
    if (readAhead != null) {
      builder.readAhead(readAhead);
    }
    return builder.build();
  }

  private static EpochReport measure(DataLoader<?> loader) {
    LongStream.Builder waits = LongStream.builder();
    long images = 0;
    OptionalLong jvmToFirstBatch = OptionalLong.empty();
    long firstBatch = 0;
    long cpuStart = ProcessMeter.cpuNanos();
    long start = System.nanoTime();
    BatchIterator batches = loader.iterator();
    for (boolean first = true; batches.hasNext(); first = false) {
      long asked = System.nanoTime();
      try (Batch batch = batches.next()) {
        long given = System.nanoTime();
        images += batch.size();
        if (!first) {
          waits.add(given - asked);
          continue;
        }
        firstBatch = given - start;
        if (batches.epoch() == 0) {
          jvmToFirstBatch = OptionalLong.of(ProcessMeter.ageNanos());
        }
      }
    }
    long wall = System.nanoTime() - start;
    long cpu = ProcessMeter.cpuNanos() - cpuStart;
    return new EpochReport(
        batches.epoch(),
        images,
        wall,
        cpu,
        jvmToFirstBatch,
        firstBatch,
        Percentiles.of(waits.build().toArray()),
        ProcessMeter.peakRssMebibytes());
  }

  /**
   * The values of {@code --format}: all registered formats of images, and the formats of tensors.
   */
  static final class FormatNames implements Iterable<String> {

    static List<String> all() {
      return Stream.concat(
              StoreFormat.all().stream().map(StoreFormat::name),
              Arrays.stream(TensorFormat.values()).map(TensorFormat::toString))
          .toList();
    }

    @Override
    public Iterator<String> iterator() {
      return all().iterator();
    }
  }

  /** A converter of {@code --workers}: a number, or {@code auto}, which becomes empty. */
  static final class WorkersConverter implements ITypeConverter<OptionalInt> {

    @Override
    public OptionalInt convert(String value) {
      if (value.equalsIgnoreCase("auto")) {
        return OptionalInt.empty();
      }
      try {
        return OptionalInt.of(Integer.parseInt(value));
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + value + "' is neither a number nor auto");
      }
    }
  }
}
