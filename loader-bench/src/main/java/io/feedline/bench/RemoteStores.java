package io.feedline.bench;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileSystem;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares reading from an object store, without and with a cache for a part of the data, with
 * reading local files.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.RemoteStores --data DIR --workers 2
 * </pre>
 *
 * <p>The store is an {@link ObjectServer} in another process on this machine; its CPU time is
 * reported separately. Local and remote epochs take turns in one process (local, remote, local), so
 * other load on the machine affects both.
 */
@Command(
    name = "RemoteStores",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Reads images from local files and from an object store in turns.",
    footer = {
      "",
      "One line of JSON for each pair of epochs:",
      "  store, cache_percent, eviction, epoch  what was read, through which cache, counted from 0",
      "  local_images_per_second                from the second batch on, the mean of the local",
      "                                         epochs before and after; null with a cache",
      "  remote_images_per_second, ratio        the same of the remote epoch; and remote / local",
      "  open_ms, first_batch_ms                from asking for the data set until it is open, and",
      "                                         from asking for the epoch until the first batch",
      "  remote_seconds                         all of the remote epoch",
      "  requests, broken_off                   that the store was sent in the epoch; and those of"
          + " which",
      "                                         it could not send all, since a hedge was faster",
      "  remote_megabytes, most_in_flight       of bodies; requests at once",
      "  cpu_ratio, server_cpu_seconds          CPU time of the remote epoch / of the local ones;"
          + " and",
      "                                         of the store's process, which shares the"
          + " processors",
      "  threads, peak_rss_mb                   the most of this process so far"
    })
public final class RemoteStores extends BenchCommand {

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = {
        "A local directory: of images, or one that holds several stores of the same images, each"
            + " in",
        "a directory of its own. Of what has train and val, train is taken."
      })
  private Path data;

  @Option(
      names = "--store",
      paramLabel = "NAME",
      description = "A directory below --data; may be repeated. Default: --data itself.")
  private List<String> stores = List.of("");

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Worker threads. Default: ${DEFAULT-VALUE}.")
  private int workers;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "32",
      description = "Images of a batch. Default: ${DEFAULT-VALUE}.")
  private int batchSize;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many remote epochs. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "2",
      description = "Local and remote epochs before. Default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--cache-percent",
      paramLabel = "N",
      split = ",",
      description = {
        "Instead, reads through a new cache of so many percent of the data's size, each in turn,",
        "once for each way of eviction, and nothing locally."
      })
  private List<Integer> cachePercents = List.of();

  @Option(
      names = "--server",
      paramLabel = "OPTION",
      description = "An option of ObjectServer, such as --server=--latency=100; may be repeated.")
  private List<String> serverOptions = List.of();

  public static void main(String... args) {
    System.exit(new RemoteStores().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    requireAtLeast(0, "--workers", workers);
    requireAtLeast(1, "--batch-size", batchSize);
    requireAtLeast(1, "--rounds", rounds);
    requireAtLeast(0, "--warm-up", warmUp);
    if (!Files.isDirectory(data)) {
      throw wrong("--data must be a local directory, was " + data);
    }
    List<String> server = new ArrayList<>(List.of("--data", data.toString()));
    server.addAll(serverOptions);
    log().println(Machine.here());
    try (ObjectServer.Child objects = ObjectServer.Child.start(server)) {
      for (String store : stores) {
        String part = withTrain(store);
        if (cachePercents.isEmpty()) {
          inTurns(objects, part);
        }
        for (int percent : cachePercents) {
          for (DiskCache.Eviction eviction : DiskCache.Eviction.values()) {
            throughCache(objects, part, percent, eviction);
          }
        }
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private String withTrain(String store) {
    if (!Files.isDirectory(data.resolve(store).resolve("train"))) {
      return store;
    }
    return store.isEmpty() ? "train" : store + "/train";
  }

  private static FileSystem bucket(ObjectServer.Child objects) {
    return RemoteFileSystem.s3(ObjectServer.BUCKET)
        .endpoint(objects.endpoint())
        .anonymous()
        .build();
  }

  private void inTurns(ObjectServer.Child objects, String store) throws IOException {
    try (Reading local = new Reading(data.resolve(store));
        FileSystem bucket = bucket(objects)) {
      for (int i = 0; i < warmUp; i++) {
        local.epoch();
      }
      ObjectServer.Count before = objects.count();
      try (Reading remote = new Reading(bucket.getPath("/" + store))) {
        ObjectServer.Count opened = objects.count();
        log()
            .printf(
                "%s: %d ms and %d requests to open it%n",
                store,
                TimeUnit.NANOSECONDS.toMillis(remote.openNanos),
                opened.requests() - before.requests());
        Epoch localBefore = local.epoch();
        for (int epoch = 0; epoch < warmUp + rounds; epoch++) {
          ObjectServer.Count start = objects.count();
          Epoch far = remote.epoch();
          ObjectServer.Count end = objects.count();
          Epoch localAfter = local.epoch();
          Epoch near = localBefore.meanWith(localAfter);
          localBefore = localAfter;
          print(
              line(store, Optional.empty(), "", epoch, far, start, end, remote)
                  .put("local_images_per_second", near.imagesPerSecond())
                  .put("ratio", far.imagesPerSecond() / near.imagesPerSecond())
                  .put("cpu_ratio", far.cpuNanos / near.cpuNanos)
                  .put("warm_up", epoch < warmUp));
        }
      }
    }
  }

  private void throughCache(
      ObjectServer.Child objects, String store, int percent, DiskCache.Eviction eviction)
      throws IOException {
    try (ScratchDirectory scratch = ScratchDirectory.create("feedline-cache");
        FileSystem bucket = bucket(objects)) {
      DiskCache cache =
          DiskCache.at(scratch.path().resolve("cache"))
              .cacheBytes(size(data.resolve(store)) * percent / 100)
              .eviction(eviction)
              .build();
      try (FileSystem through = cache.inFrontOf(bucket.getPath("/")).getFileSystem()) {
        throughCache(objects, store, percent, eviction, through.getPath("/" + store));
      }
    }
  }

  private void throughCache(
      ObjectServer.Child objects,
      String store,
      int percent,
      DiskCache.Eviction eviction,
      Path cached)
      throws IOException {
    try (Reading remote = new Reading(cached)) {
      for (int epoch = 0; epoch < rounds; epoch++) {
        ObjectServer.Count start = objects.count();
        Epoch far = remote.epoch();
        ObjectServer.Count end = objects.count();
        print(
            line(store, Optional.of(percent), eviction.toString(), epoch, far, start, end, remote));
      }
    }
  }

  /** Returns the disk space of a directory's files, in blocks of 4 KiB. */
  private static long size(Path directory) throws IOException {
    long size = 0;
    try (Stream<Path> tree = Files.walk(directory, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : (Iterable<Path>) tree.filter(Files::isRegularFile)::iterator) {
        size += (Files.size(file) + 4095) / 4096 * 4096;
      }
    }
    return size;
  }

  private JsonLine line(
      String store,
      Optional<Integer> cachePercent,
      String eviction,
      int epoch,
      Epoch far,
      ObjectServer.Count start,
      ObjectServer.Count end,
      Reading remote) {
    JsonLine line = new JsonLine().put("store", store.isEmpty() ? "." : store);
    if (cachePercent.isPresent()) {
      line.put("cache_percent", cachePercent.get()).put("eviction", eviction);
    }
    return line.put("epoch", epoch)
        .put("workers", workers)
        .put("images", far.images)
        .put("remote_images_per_second", far.imagesPerSecond())
        .put("open_ms", remote.openNanos / 1e6)
        .put("first_batch_ms", far.firstNanos / 1e6)
        .put("remote_seconds", (far.firstNanos + far.restNanos) / 1e9)
        .put("requests", end.requests() - start.requests())
        .put("broken_off", end.brokenOff() - start.brokenOff())
        .put("remote_megabytes", (end.bytes() - start.bytes()) / 1e6)
        .put("most_in_flight", end.mostUnderWay())
        .put("server_cpu_seconds", (end.cpuNanos() - start.cpuNanos()) / 1e9)
        .put("cpu_seconds", far.cpuNanos / 1e9)
        .put("threads", ManagementFactory.getThreadMXBean().getPeakThreadCount())
        .put("peak_rss_mb", ProcessMeter.peakRssMebibytes());
  }

  /**
   * The result of an epoch.
   *
   * @param restImages the number of images after the first batch
   * @param restNanos the time from the first batch to the end
   * @param firstNanos the time to the first batch
   * @param cpuNanos the CPU time of the process in the epoch
   */
  private record Epoch(
      long images, long restImages, double restNanos, double firstNanos, double cpuNanos) {

    double imagesPerSecond() {
      return restImages * 1e9 / restNanos;
    }

    Epoch meanWith(Epoch other) {
      return new Epoch(
          images,
          restImages,
          (restNanos + other.restNanos) / 2,
          (firstNanos + other.firstNanos) / 2,
          (cpuNanos + other.cpuNanos) / 2);
    }
  }

  /** A loader of the images at a path, with the recipe of a training. */
  private final class Reading implements AutoCloseable {
    private final Source<LabeledImage> source;
    private final DataLoader<LabeledImage> loader;
    private final long openNanos;

    Reading(Path path) throws IOException {
      long start = System.nanoTime();
      ImageDataset images = ImageDataset.of(StoreFormat.of(path).open(path, StoreOptions.NONE));
      openNanos = System.nanoTime() - start;
      source = Recipe.TRAINING.of(images);
      loader =
          DataLoader.builder(source.samples())
              .batchSize(batchSize)
              .numWorkers(workers)
              .shuffle(true)
              .prefetchNextEpoch(false)
              .build();
    }

    Epoch epoch() {
      long cpu = ProcessMeter.cpuNanos();
      long start = System.nanoTime();
      long first = 0;
      long images = 0;
      long firstImages = 0;
      BatchIterator batches = loader.iterator();
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          images += batch.size();
          if (first == 0) {
            first = System.nanoTime();
            firstImages = images;
          }
        }
      }
      long end = System.nanoTime();
      return new Epoch(
          images, images - firstImages, end - first, first - start, ProcessMeter.cpuNanos() - cpu);
    }

    @Override
    public void close() throws IOException {
      loader.close();
      source.close();
    }
  }
}
