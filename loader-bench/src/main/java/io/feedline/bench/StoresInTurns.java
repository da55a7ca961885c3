package io.feedline.bench;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares the speeds of two stores with the same pixels, such as coefficient records and the JPEGs
 * from which they were made.
 *
 * <pre>
 * feedline convert images jpeg.lmdb --to lmdb
 * feedline convert images records.lmdb --to lmdb --coefficients
 * java --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED \
 *     -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.StoresInTurns --base jpeg.lmdb --other records.lmdb
 * </pre>
 *
 * <p>One thread makes tensors of the same crops from both stores, in turns. JPEGs have their scan
 * indexes, as in all epochs but the first. Before that, tensors of random crops are compared.
 *
 * <p>Exit code 0; 1 if an image cannot be read or two tensors differ; 2 for wrong options or data.
 */
@Command(
    name = "StoresInTurns",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Compares two stores of the same pixels, from encoded bytes to tensor, by one thread.",
    footer = {
      "",
      "The figures of a line:",
      "  equal_crops            how many random crops were compared; they were all equal",
      "  base_bytes other_bytes mean size of an encoded image",
      "  ratio                  median over the rounds of the other store's images per CPU-second",
      "                         divided by the base's; ratio_min and ratio_max are the extremes",
      "  base_images_per_cpu_second, other_images_per_cpu_second",
      "                         medians; CPU time is that of the one thread that works",
      "  ratio_per_second base_images_per_second other_images_per_second",
      "                         the same by the clock on the wall, waits for the disk included"
    })
public final class StoresInTurns extends BenchCommand {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @Option(names = "--base", paramLabel = "PATH", required = true, description = "A store.")
  private Path base;

  @Option(
      names = "--other",
      paramLabel = "PATH",
      required = true,
      description = "A store of as many images, whose pixels are the same.")
  private Path other;

  @Option(
      names = "--in-memory",
      description = "Read both into memory first. Otherwise each turn reads the stores.")
  private boolean inMemory;

  @Option(
      names = "--cold",
      description = {
        "Each turn reads a new copy of its store, which is in no page cache, once, and opens it",
        "first. Index JPEGs before: feedline index. The copies lie in the directory for temporary",
        "files, which must not be in memory. Needs GNU's dd."
      })
  private boolean cold;

  @Option(
      names = "--resize",
      paramLabel = "NAME",
      defaultValue = "antialias",
      description = "antialias, bilinear, or decode: not at all. Default: ${DEFAULT-VALUE}.")
  private Work work;

  @Option(
      names = "--crops",
      paramLabel = "SEED",
      defaultValue = "0",
      description = "Of the crops, as RandomResizedCrop draws. Default: ${DEFAULT-VALUE}.")
  private long cropSeed;

  @Option(
      names = "--compared",
      paramLabel = "N",
      defaultValue = "2",
      description = "Crops of each image that are compared first. Default: ${DEFAULT-VALUE}.")
  private int compared;

  @Mixin private final Turns turns = new Turns(4, 1);

  private ByteBuffer row = ByteBuffer.allocateDirect(0);

  public static void main(String... args) {
    System.exit(new StoresInTurns().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    turns.check(this);
    requireAtLeast(1, "--compared", compared);
    if (cold && inMemory) {
      throw wrong("--cold reads from the disk, which --in-memory does not");
    }
    try (ImageDataset first = open("--base", base);
        ImageDataset second = open("--other", other)) {
      if (first.size() != second.size() || first.size() == 0) {
        throw wrong(
            "--base has %d images and --other %d, expected as many, and some"
                .formatted(first.size(), second.size()));
      }
      return compare(first, second);
    }
  }

  private ImageDataset open(String option, Path path) throws IOException {
    ImageDataset images;
    try {
      images = ImageDataset.open(path);
    } catch (IOException unreadable) {
      throw wrong("cannot open %s: %s".formatted(option, unreadable.getMessage()), unreadable);
    }
    if (!inMemory) {
      return images.withScanIndexBytes(Long.MAX_VALUE);
    }
    try (images) {
      List<String> names = new ArrayList<>();
      List<byte[]> files = new ArrayList<>();
      for (long i = 0; i < images.size(); i++) {
        EncodedImage image = images.encoded(i);
        names.add(image.key());
        files.add(image.bytes());
      }
      return ImageDataset.of(new MemoryImages(path, names, files))
          .withScanIndexBytes(Long.MAX_VALUE);
    }
  }

  private int compare(ImageDataset first, ImageDataset second) throws Exception {
    List<Crop> crops = List.of();
    SplittableRandom random = new SplittableRandom(cropSeed);
    for (int i = 0; i < compared; i++) {
      crops = draw(first, random);
      requireEqual(first, second, crops);
    }
    List<Turn> ofFirst = new ArrayList<>();
    List<Turn> ofSecond = new ArrayList<>();
    for (int round = -turns.warmUp; round < turns.rounds; round++) {
      boolean firstLeads = round % 2 == 0;
      Turn early = firstLeads ? turn(base, first, crops) : turn(other, second, crops);
      Turn late = firstLeads ? turn(other, second, crops) : turn(base, first, crops);
      if (round >= 0) {
        ofFirst.add(firstLeads ? early : late);
        ofSecond.add(firstLeads ? late : early);
      }
    }
    print(first, second, ofFirst, ofSecond);
    return CommandLine.ExitCode.OK;
  }

  /** The work and CPU time of the thread in a turn, and the elapsed seconds. */
  private record Turn(Timing timing, double seconds) {
    double perCpuSecond() {
      return timing.perCpuSecond();
    }

    double perSecond() {
      return timing.items() / seconds;
    }
  }

  private Turn turn(Path path, ImageDataset images, List<Crop> crops) throws Exception {
    if (!cold) {
      return run(() -> images, crops, turns.seconds);
    }
    try (ColdCopy copy = ColdCopy.of(path);
        Opened opened = new Opened(copy.path())) {
      return run(opened::images, crops, 0);
    }
  }

  /** A store that is opened at the first use, and closed later. */
  private static final class Opened implements AutoCloseable {
    private final Path path;
    private ImageDataset images;

    Opened(Path path) {
      this.path = path;
    }

    ImageDataset images() throws IOException {
      if (images == null) {
        images = ImageDataset.open(path);
      }
      return images;
    }

    @Override
    public void close() throws IOException {
      if (images != null) {
        images.close();
      }
    }
  }

  private List<Crop> draw(ImageDataset images, SplittableRandom random) throws Exception {
    List<Crop> crops = new ArrayList<>();
    for (long i = 0; i < images.size(); i++) {
      Image image = images.get(i).image();
      crops.add(Crop.draw(base, image.width(), image.height(), random.split()));
    }
    return crops;
  }

  private void requireEqual(ImageDataset first, ImageDataset second, List<Crop> crops)
      throws Exception {
    for (int i = 0; i < crops.size(); i++) {
      ByteBuffer write = write(first, i, crops.get(i));
      ByteBuffer kept = ByteBuffer.allocate(write.remaining()).put(write).flip();
      if (!write(second, i, crops.get(i)).equals(kept)) {
        throw new IOException(
            "%s and %s differ in %s"
                .formatted(first.describe(i), second.describe(i), crops.get(i).region()));
      }
    }
  }

  /** Makes image after image until this thread has used some CPU time. */
  private Turn run(Callable<ImageDataset> store, List<Crop> crops, double atLeast)
      throws Exception {
    long begun = System.nanoTime();
    long start = THREADS.getCurrentThreadCpuTime();
    ImageDataset images = store.call();
    long made = 0;
    double used;
    do {
      for (int i = 0; i < crops.size(); i++, made++) {
        write(images, i, crops.get(i));
      }
      used = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    } while (used < atLeast);
    return new Turn(new Timing(made, used), (System.nanoTime() - begun) / 1e9);
  }

  private ByteBuffer write(ImageDataset images, int index, Crop crop) throws Exception {
    Image image = work.of(images.get(index).image(), crop);
    int length = Math.toIntExact(image.shape().elements() * image.dtype().bytes());
    if (row.capacity() < length) {
      row = ByteBuffer.allocateDirect(length).order(ByteOrder.nativeOrder());
    }
    row.clear().limit(length);
    image.writeTo(row);
    return row.position(0).limit(length);
  }

  private static Spread spread(List<Turn> turns, ToDoubleFunction<Turn> figure) {
    return Spread.of(turns.stream().mapToDouble(figure).toArray());
  }

  private static Spread ratio(
      List<Turn> ofFirst, List<Turn> ofSecond, ToDoubleFunction<Turn> figure) {
    return Spread.of(
        IntStream.range(0, ofFirst.size())
            .mapToDouble(
                i -> figure.applyAsDouble(ofSecond.get(i)) / figure.applyAsDouble(ofFirst.get(i)))
            .toArray());
  }

  private void printRow(
      String unit, List<Turn> ofFirst, List<Turn> ofSecond, ToDoubleFunction<Turn> figure) {
    log()
        .printf(
            "| %s, %s, %s | %s | %s | **%s** |%n",
            unit,
            work,
            inMemory ? "from memory" : cold ? "from the disk" : "from the store",
            spread(ofFirst, figure).toString(0),
            spread(ofSecond, figure).toString(0),
            ratio(ofFirst, ofSecond, figure).toString(2));
  }

  private void print(
      ImageDataset first, ImageDataset second, List<Turn> ofFirst, List<Turn> ofSecond)
      throws IOException {
    Machine machine = Machine.here();
    Spread ratio = ratio(ofFirst, ofSecond, Turn::perCpuSecond);
    log().printf("machine: %s%n", machine);
    log().println("| images | base | other | other/base by round |");
    log().println("|---|---|---|---|");
    printRow("per CPU-second", ofFirst, ofSecond, Turn::perCpuSecond);
    printRow("per second", ofFirst, ofSecond, Turn::perSecond);
    log().flush();
    print(
        new JsonLine()
            .put("base", base.toString())
            .put("other", other.toString())
            .put("images", first.size())
            .put("base_bytes", meanBytes(first))
            .put("other_bytes", meanBytes(second))
            .put("equal_crops", compared * first.size())
            .put("work", work.toString())
            .put("in_memory", inMemory)
            .put("cold", cold)
            .put("jdk", machine.jdk())
            .put("kernels", machine.kernels())
            .put("processor", machine.processor())
            .put("processors", machine.processors())
            .put("rounds", turns.rounds)
            .put("ratio", ratio)
            .put("base_images_per_cpu_second", spread(ofFirst, Turn::perCpuSecond).median())
            .put("other_images_per_cpu_second", spread(ofSecond, Turn::perCpuSecond).median())
            .put("ratio_per_second", ratio(ofFirst, ofSecond, Turn::perSecond).median())
            .put("base_images_per_second", spread(ofFirst, Turn::perSecond).median())
            .put("other_images_per_second", spread(ofSecond, Turn::perSecond).median()));
  }

  private static double meanBytes(ImageDataset images) throws IOException {
    long bytes = 0;
    for (long i = 0; i < images.size(); i++) {
      bytes += images.encoded(i).bytes().length;
    }
    return (double) bytes / images.size();
  }
}
