package io.feedline.bench;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Repeats the loading of experiments that articles on data loading report: how batch size, workers
 * and the way of storing matter. Prints one line of JSON for each setting; {@code
 * peers/articles.py} does the same with PyTorch, and {@code results/measure articles} runs both and
 * makes tables and charts of the lines.
 *
 * <pre>
 * java -cp loader-bench/target/benchmarks.jar io.feedline.bench.Articles \
 *     --experiment workers --small DIR --packed DIR --latency-ms 20 --seconds 3
 * </pre>
 *
 * <p>A setting is loaded for some seconds, epoch after epoch; counted is from its first batch on.
 * {@code fetch_ms} is what comes before each epoch: a store that is one file is fetched in pieces
 * of 8 MiB, each of which waits as long as a read of a small file does.
 */
@Command(
    name = "Articles",
    sortOptions = false,
    usageHelpWidth = 100,
    header =
        "Repeats the loading of articles' experiments and prints one line of JSON per setting.")
public final class Articles extends BenchCommand {

  private static final long MEBIBYTE = 1 << 20;

  /** What is fetched at once of a store that is one file, as readers of object stores do. */
  private static final long PIECE = 8 * MEBIBYTE;

  private static final int SMALL_BATCH = 32;

  private enum Experiment {
    /** Patch pairs: batch sizes and workers on PNG files, JPEG files, and LMDB of LZ4 tensors. */
    BATCHES,
    /**
     * Workers on small files that wait for each read, and on one store that is fetched in pieces.
     */
    WORKERS,
    /** 1 and 7 workers on images, and on tensors that were preprocessed ahead. */
    AHEAD
  }

  @Option(
      names = "--experiment",
      required = true,
      paramLabel = "NAME",
      description = "One of ${COMPLETION-CANDIDATES}.")
  private Experiment experiment;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "DIR",
      description = "batches, ahead: images; workers: small images.")
  private Path data;

  @Option(
      names = "--packed",
      required = true,
      paramLabel = "DIR",
      description = {
        "batches: where the pairs are made, unless they are there; workers: the small images as",
        "WebDataset; ahead: the images as an LMDB database of tensors, by PackTensors."
      })
  private Path packed;

  @Option(
      names = "--latency-ms",
      paramLabel = "N",
      defaultValue = "20",
      description = "workers: how long each read waits. Default: ${DEFAULT-VALUE}.")
  private int latencyMillis;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "2",
      description = "How long each setting is loaded. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--pairs",
      paramLabel = "N",
      defaultValue = "100",
      description = "batches: how many pairs are made. Default: ${DEFAULT-VALUE}.")
  private int pairs;

  /** The command itself. */
  public static void main(String... args) {
    System.exit(new Articles().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    requireAtLeast(0, "--latency-ms", latencyMillis);
    requireAtLeast(1, "--pairs", pairs);
    if (!(seconds > 0)) {
      throw wrong("--seconds must be more than 0, was " + seconds);
    }
    switch (experiment) {
      case BATCHES -> batches();
      case WORKERS -> workers();
      case AHEAD -> ahead();
    }
    return CommandLine.ExitCode.OK;
  }

  private static ImageDataset images(Path path) throws IOException {
    return ImageDataset.of(StoreFormat.of(path).open(path, StoreOptions.NONE));
  }

  private void batches() throws Exception {
    ArticlePairs made = new ArticlePairs(packed);
    try (ImageDataset images = images(data)) {
      made.make(images, pairs);
    }
    for (String format : List.of("png", "jpg", "lmdb")) {
      try (Source<?> source = made.open(format)) {
        Dataset<?> patches = source.samples();
        warmUp(patches);
        for (int workers : new int[] {0, 1, 2, 4}) {
          for (int batch : new int[] {8, 16, 32, 64, 128}) {
            report(format, batch, workers, patches, Duration.ZERO);
          }
        }
      }
    }
  }

  private void workers() throws Exception {
    Duration latency = Duration.ofMillis(latencyMillis);
    try (ImageDataset files = images(data);
        ImageDataset store = images(packed)) {
      Dataset<LabeledImage> near = trained(files).samples();
      warmUp(near);
      for (int workers : new int[] {0, 1, 2, 4, 8, 16, 32}) {
        report("files", SMALL_BATCH, workers, new Far<>(near, latency), Duration.ZERO);
      }
      long bytes = 0;
      for (long i = 0; i < store.size(); i++) {
        bytes += store.encoded(i).bytes().length;
      }
      Duration fetched = latency.multipliedBy((bytes + PIECE - 1) / PIECE);
      for (int workers : new int[] {0, 1, 2}) {
        report("webdataset", SMALL_BATCH, workers, trained(store).samples(), fetched);
      }
    }
  }

  private void ahead() throws Exception {
    try (ImageDataset files = images(data);
        Source<?> tensors = TensorFormat.LMDB_TENSORS.open(packed)) {
      Dataset<LabeledImage> decoded = trained(files).samples();
      warmUp(decoded);
      warmUp(tensors.samples());
      for (int workers : new int[] {1, 7}) {
        report("decoded", SMALL_BATCH, workers, decoded, Duration.ZERO);
        report("ahead", SMALL_BATCH, workers, tensors.samples(), Duration.ZERO);
      }
    }
  }

  private static Source<LabeledImage> trained(ImageDataset images) throws IOException {
    return new Recipe(Pipeline.TRAIN, Filter.ANTIALIAS, DecodeOptions.DEFAULT, ScanIndexing.AUTO)
        .of(images);
  }

  /** Samples each of which is read from far away: the worker waits for it. */
  private record Far<T>(Dataset<T> near, Duration latency) implements Dataset<T> {

    @Override
    public long size() {
      return near.size();
    }

    @Override
    public T get(long index) throws Exception {
      return get(index, new SampleContext(0, 0, index));
    }

    @Override
    public T get(long index, SampleContext context) throws Exception {
      await(latency);
      return near.get(index, context);
    }
  }

  private static void await(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** So that the JVM has compiled what is measured. */
  private void warmUp(Dataset<?> samples) {
    load(samples, SMALL_BATCH, Runtime.getRuntime().availableProcessors(), 3 * seconds);
  }

  private void report(String store, int batch, int workers, Dataset<?> samples, Duration fetch) {
    Loaded loaded = load(samples, batch, workers, seconds);
    out()
        .println(
            new JsonLine()
                .put("library", "feedline")
                .put("experiment", experiment.name().toLowerCase(Locale.ROOT))
                .put("store", store)
                .put("batch_size", batch)
                .put("workers", workers)
                .put("latency_ms", experiment == Experiment.WORKERS ? latencyMillis : 0)
                .put("samples", samples.size())
                .put("fetch_ms", fetch.toMillis())
                .put("images_per_second", loaded.perSecond())
                .put("images_per_cpu_second", loaded.perCpuSecond()));
    out().flush();
  }

  /** How fast a setting was loaded. */
  private record Loaded(double perSecond, double perCpuSecond) {}

  private static Loaded load(Dataset<?> samples, int batch, int workers, double seconds) {
    long most = (long) (seconds * 1e9);
    long images = 0;
    long begun = 0;
    long cpu = 0;
    long now = 0;
    try (DataLoader<?> loader =
        DataLoader.builder(samples)
            .batchSize(batch)
            .numWorkers(workers)
            .shuffle(true)
            .dropLast(true)
            .build()) {
      while (images == 0 || now - begun < most) {
        BatchIterator epoch = loader.iterator();
        while (epoch.hasNext() && (images == 0 || now - begun < most)) {
          try (Batch taken = epoch.next()) {
            now = System.nanoTime();
            if (begun == 0) {
              begun = now;
              cpu = ProcessMeter.cpuNanos();
            } else {
              images += taken.size();
            }
          }
        }
      }
    }
    return new Loaded(images * 1e9 / (now - begun), images * 1e9 / (ProcessMeter.cpuNanos() - cpu));
  }
}
