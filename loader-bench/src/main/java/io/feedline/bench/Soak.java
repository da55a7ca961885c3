package io.feedline.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.ErrorPolicy;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.data.LoaderException;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Tests whether anything grows while a process trains for hours: memory, threads, file descriptors,
 * disk.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -Xmx512m -XX:+UseSerialGC \
 *     -Dorg.slf4j.simpleLogger.defaultLogLevel=error -cp loader-bench/target/benchmarks.jar io.feedline.bench.Soak --minutes 60
 * </pre>
 *
 * <p>Three consumers train at once on the same images: in a folder, in an LMDB database, and in an
 * object store behind a cache on disk that has room for a third of them. Each opens one loader
 * after another, with numbers of workers, batch sizes and error policies drawn at random: some
 * images are broken, some epochs are stopped early, and some loaders are closed in the middle of an
 * epoch, which another loader resumes. Each epoch must deliver each good image once. A row must
 * have the same bytes in all epochs and all stores.
 *
 * <p>Between rounds, when no loader is open, the resources of the process are measured. Exit code
 * 0; 1 if a resource grew from the second quarter of the rounds to the last quarter, or if an epoch
 * delivered wrong images or rows.
 */
@Command(
    name = "Soak",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Trains on three stores at once, and fails where memory, threads, files or disk grow.",
    footer = {
      "",
      "One line of JSON for each round, after all loaders were closed:",
      "  minute, lives, batches, samples   since the start",
      "  errors, resumptions, breaks       tolerated samples and failed epochs; loaders that went on"
          + " for",
      "                                    another one; epochs that nobody finished",
      "  requests                          that the object store was sent",
      "  heap_mb, direct_mb, rss_mb        after a garbage collection",
      "  threads, peak_threads             now, and the most in the round",
      "  descriptors                       open files and connections",
      "  disk_mb                           of data, cache and indexes"
    })
public final class Soak extends BenchCommand {
  private static final int WIDTH = 160;
  private static final int HEIGHT = 120;

  /** The number of images of which one is broken. */
  private static final int BROKEN_EVERY = 40;

  /** The seed of the random crops, the same in all epochs, so that their rows can be compared. */
  private static final long SEED = 30;

  private static final double MEBIBYTE = 1 << 20;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "60",
      description = "How long. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(
      names = "--round",
      paramLabel = "S",
      defaultValue = "20",
      description =
          "The seconds after which loaders are closed, to look. Default: ${DEFAULT-VALUE}.")
  private double roundSeconds;

  @Option(
      names = "--images",
      paramLabel = "N",
      defaultValue = "400",
      description = "How many there are. Default: ${DEFAULT-VALUE}.")
  private int images;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "0",
      description = "Of the lives. Default: ${DEFAULT-VALUE}.")
  private long seed;

  private final LongAdder lives = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder samples = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder resumptions = new LongAdder();
  private final LongAdder breaks = new LongAdder();

  /** The checksum of each image's row; 0 until the row is first computed. */
  private AtomicLongArray rows;

  /** A way to open the images of a store; the caller closes the result. */
  private interface Lane {
    Opened open(SplittableRandom random) throws IOException;
  }

  /** Images, and the file system through which they are read, which is closed after them. */
  private record Opened(ImageDataset images, Closeable through) implements Closeable {
    @Override
    public void close() throws IOException {
      through.close();
    }
  }

  /** The resources of the process, measured between two rounds. */
  private record Sample(
      double heap, double direct, double rss, double threads, double descriptors, double disk) {}

  /**
   * A resource that must not grow.
   *
   * @param relative the fraction by which it may grow
   * @param absolute the growth that is allowed in addition, for the JVM's own needs
   */
  private record Limit(
      String figure, ToDoubleFunction<Sample> of, double relative, double absolute) {

    /** Describes how much the resource grew; empty if it did not grow. */
    String judge(List<Sample> samples) {
      double before = least(samples.subList(samples.size() / 4, samples.size() / 2));
      double last = least(samples.subList(samples.size() * 3 / 4, samples.size()));
      return last > before * (1 + relative) + absolute
          ? "%s grew from %.1f to %.1f%n".formatted(figure, before, last)
          : "";
    }

    /** Returns the smallest value: a leak raises it, but uncollected garbage does not. */
    private double least(List<Sample> samples) {
      return samples.stream().mapToDouble(of).min().orElse(0);
    }
  }

  private static final List<Limit> LIMITS =
      List.of(
          new Limit("heap, MB", Sample::heap, 0.05, 4),
          new Limit("direct memory, MB", Sample::direct, 0, 1),
          new Limit("resident memory, MB", Sample::rss, 0.1, 24),
          new Limit("threads", Sample::threads, 0, 2),
          new Limit("descriptors", Sample::descriptors, 0, 4),
          // The cache is full; evictions may leave it below its bound.
          new Limit("disk, MB", Sample::disk, 0.05, 1));

  public static void main(String... args) {
    System.exit(new Soak().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    requireAtLeast(BROKEN_EVERY, "--images", images);
    if (!(minutes > 0 && roundSeconds > 0)) {
      throw wrong("--minutes and --round must be above 0, were " + minutes + ", " + roundSeconds);
    }
    rows = new AtomicLongArray(images);
    try (GeneratedFolder folder = GeneratedFolder.create(images, WIDTH, HEIGHT);
        ScratchDirectory scratch = ScratchDirectory.create("feedline-soak")) {
      // The user's own indexes are not used.
      System.setProperty("feedline.indexes", scratch.path().resolve("indexes").toString());
      breakSome(folder.root());
      Path database = pack(folder.root(), scratch.path().resolve("database"));
      try (ObjectServer.Child objects =
          ObjectServer.Child.start(
              List.of("--data", folder.root().toString(), "--latency=2", "--tail=50"))) {
        Path cached = scratch.path().resolve("cache");
        long cacheBytes = bytes(folder.root()) / 3;
        List<Lane> lanes =
            List.of(
                random ->
                    new Opened(
                        ImageFolder.of(folder.root())
                            .withCacheBytes(random.nextInt(2) * cacheBytes),
                        () -> {}),
                random ->
                    new Opened(
                        ImageDataset.open(database)
                            .withScanIndexBytes(random.nextInt(2) * cacheBytes),
                        () -> {}),
                random -> remote(objects, cached, cacheBytes));
        return rounds(lanes, objects, List.of(folder.root(), scratch.path()));
      }
    }
  }

  /** Truncates some images, so that decoding finds them broken. */
  private void breakSome(Path root) throws IOException {
    try (ImageDataset folder = ImageFolder.of(root)) {
      for (int i = 0; i < images; i++) {
        if (isBroken(i)) {
          byte[] whole = Files.readAllBytes(folder.path(i));
          Files.write(folder.path(i), Arrays.copyOf(whole, whole.length / 2));
        }
      }
    }
  }

  private static boolean isBroken(int index) {
    return index % BROKEN_EVERY == BROKEN_EVERY / 2;
  }

  /** Packs the images in the folder's order, so that an index is the same image in all stores. */
  private static Path pack(Path root, Path database) throws IOException {
    try (ImageDataset folder = ImageFolder.of(root);
        StoreWriter<EncodedImage> writer =
            StoreFormat.named("lmdb")
                .create(database, Packing.of(folder.classes(), folder.size()))) {
      for (long i = 0; i < folder.size(); i++) {
        writer.write(folder.encoded(i).withKey(String.format(Locale.ROOT, "%08d", i)));
      }
      writer.commit();
    }
    return database;
  }

  private static Opened remote(ObjectServer.Child objects, Path cached, long cacheBytes)
      throws IOException {
    FileSystem bucket =
        RemoteFileSystem.s3(ObjectServer.BUCKET).endpoint(objects.endpoint()).anonymous().build();
    DiskCache cache =
        DiskCache.at(cached)
            .cacheBytes(cacheBytes)
            .eviction(DiskCache.Eviction.LEAST_RECENTLY_USED)
            .build();
    FileSystem through = cache.inFrontOf(bucket.getPath("/")).getFileSystem();
    return new Opened(
        ImageDataset.open(through.getPath("/")),
        () -> {
          through.close();
          bucket.close();
        });
  }

  private int rounds(List<Lane> lanes, ObjectServer.Child objects, List<Path> directories)
      throws Exception {
    List<Sample> seen = new ArrayList<>();
    ExecutorService consumers = Executors.newFixedThreadPool(lanes.size());
    long start = System.nanoTime();
    long end = start + (long) (minutes * Duration.ofMinutes(1).toNanos());
    try {
      for (int round = 0; System.nanoTime() < end; round++) {
        ManagementFactory.getThreadMXBean().resetPeakThreadCount();
        long roundEnd =
            Math.min(
                end, System.nanoTime() + (long) (roundSeconds * Duration.ofSeconds(1).toNanos()));
        SplittableRandom random = new SplittableRandom(seed + round);
        List<Future<?>> running = new ArrayList<>();
        for (Lane lane : lanes) {
          SplittableRandom own = random.split();
          running.add(consumers.submit(() -> lead(lane, own, roundEnd)));
        }
        for (Future<?> each : running) {
          each.get();
        }
        seen.add(look(start, objects, directories));
      }
    } finally {
      consumers.shutdownNow();
    }
    StringBuilder grown = new StringBuilder();
    LIMITS.forEach(limit -> grown.append(limit.judge(seen)));
    log().print(grown);
    log().flush();
    return grown.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  /** Runs one epoch after another until {@code end} by {@link System#nanoTime}, at least one. */
  private Void lead(Lane lane, SplittableRandom random, long end) throws Exception {
    do {
      try (Opened opened = lane.open(random);
          Source<LabeledImage> source = Recipe.TRAINING.of(opened.images())) {
        live(source, random);
      }
      lives.increment();
    } while (System.nanoTime() < end);
    return null;
  }

  private static <T> DataLoaderBuilder<T> workers(
      DataLoaderBuilder<T> loader, SplittableRandom random) {
    return random.nextInt(3) == 0 ? loader.autoWorkers() : loader.numWorkers(random.nextInt(4));
  }

  /** Runs one epoch with one loader, or with several of which each resumes the last one. */
  private void live(Source<LabeledImage> source, SplittableRandom random) {
    BitSet delivered = new BitSet();
    boolean failing = random.nextInt(3) == 0;
    boolean done = false;
    LoaderState state = null;
    while (!done) {
      try (DataLoader<LabeledImage> loader =
          workers(DataLoader.builder(source.samples()), random)
              .batchSize(1 + random.nextInt(48))
              .shuffle(true)
              .seed(SEED)
              .errorPolicy(failing ? ErrorPolicy.fail() : ErrorPolicy.skip())
              .build()) {
        if (state != null) {
          loader.resume(state);
          resumptions.increment();
        }
        try (BatchIterator iterator = loader.iterator()) {
          // Checkpoints are taken here: after a failed batch, its other samples would be lost.
          state = loader.state();
          for (int left = 1 + random.nextInt(20); left > 0 && !done; left--) {
            done = !iterator.hasNext();
            if (!done) {
              step(iterator, delivered);
              state = loader.state();
            }
          }
        } catch (LoaderException broken) {
          errors.increment();
          failing = false;
        }
        if (!done && random.nextInt(4) == 0) {
          breaks.increment();
          return;
        }
      }
    }
    for (int i = 0; i < images; i++) {
      if (delivered.get(i) == isBroken(i)) {
        throw new IllegalStateException(
            "%s delivered image %d: %s".formatted(source.opened().name(), i, delivered.get(i)));
      }
    }
    errors.add(images - delivered.cardinality());
  }

  /** Computes a checksum of each row, in place of a training step. */
  private void step(BatchIterator iterator, BitSet delivered) {
    try (Batch batch = iterator.next()) {
      ByteBuffer pixels = batch.tensor("image").bytes();
      int rowBytes = pixels.remaining() / batch.size();
      long[] indices = batch.indices();
      for (int row = 0; row < indices.length; row++) {
        int index = Math.toIntExact(indices[row]);
        CRC32C crc = new CRC32C();
        crc.update(pixels.slice(pixels.position() + row * rowBytes, rowBytes));
        long checksum = crc.getValue() + 1;
        if (delivered.get(index)) {
          throw new IllegalStateException("image " + index + " was delivered twice");
        }
        if (!rows.compareAndSet(index, 0, checksum) && rows.get(index) != checksum) {
          throw new IllegalStateException("image " + index + " is not what it was");
        }
        delivered.set(index);
      }
      samples.add(indices.length);
      batches.increment();
    }
  }

  private Sample look(long start, ObjectServer.Child objects, List<Path> directories)
      throws IOException {
    // A thread of the JVM frees direct memory some time after a garbage collection.
    long before;
    do {
      before = directBytes();
      System.gc();
    } while (directBytes() < before);
    var threads = ManagementFactory.getThreadMXBean();
    long disk = 0;
    for (Path directory : directories) {
      disk += bytes(directory);
    }
    Sample sample =
        new Sample(
            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBIBYTE,
            directBytes() / MEBIBYTE,
            ProcessMeter.rssMebibytes().orElse(0),
            threads.getThreadCount(),
            ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0,
            disk / MEBIBYTE);
    print(
        new JsonLine()
            .put("minute", (System.nanoTime() - start) / 60e9)
            .put("lives", lives.sum())
            .put("batches", batches.sum())
            .put("samples", samples.sum())
            .put("errors", errors.sum())
            .put("resumptions", resumptions.sum())
            .put("breaks", breaks.sum())
            .put("requests", objects.count().requests())
            .put("heap_mb", sample.heap)
            .put("direct_mb", sample.direct)
            .put("rss_mb", sample.rss)
            .put("threads", (long) sample.threads)
            .put("peak_threads", threads.getPeakThreadCount())
            .put("descriptors", (long) sample.descriptors)
            .put("disk_mb", sample.disk));
    return sample;
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> tree = Files.walk(directory)) {
      long bytes = 0;
      for (Path file : (Iterable<Path>) tree.filter(Files::isRegularFile)::iterator) {
        bytes += Files.size(file);
      }
      return bytes;
    }
  }
}
