package io.feedline.bench;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares the rate at which one thread reads images from an LMDB database in random order with
 * that of a thread of C.
 *
 * <pre>
 * java -jar loader-formats/command/target/feedline.jar convert FOLDER DATABASE --to lmdb
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.LmdbRandomRead --data DATABASE
 * </pre>
 *
 * <p>Nothing is decoded. Each of three modes is compared with a mode of {@link
 * NativeProgram#LMDB_RANDOM_READ}:
 *
 * <table>
 *   <caption>What is done with a value</caption>
 *   <tr><th>mode</th><th>Feedline</th><th>C</th></tr>
 *   <tr><td>copy</td><td>{@link ImageStore#view}, copied into an array that is used again</td>
 *       <td>copies into a buffer that is used again</td></tr>
 *   <tr><td>touch</td><td>{@link ImageStore#view}, read in pieces of 4 KiB, as decoders do</td>
 *       <td>reads a word of each cache line where it lies: the limit</td></tr>
 *   <tr><td>array</td><td>{@link ImageStore#read}: a new array, label and key</td>
 *       <td>copies into a buffer that is used again</td></tr>
 * </table>
 *
 * <p>All modes take turns. A turn reads values in a new random order until its thread has used some
 * CPU time. A line of JSON for each mode goes to standard output, a table to standard error. Exit
 * code 0; 2 for options or data that make no sense, or where there is no C compiler or LMDB's
 * header; 1 where a value cannot be read.
 */
@Command(
    name = "LmdbRandomRead",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Compares one thread of Feedline with one of C, reading an LMDB database at random.",
    footer = {
      "",
      "The figures of a line:",
      "  mode                   copy: to memory that is used again; touch: Feedline reads pieces of",
      "                         4 KiB, C a word of each cache line; array: Feedline makes a new",
      "                         array, C copies",
      "  ratio                  median over the rounds of Feedline's values per CPU-second divided",
      "                         by C's; ratio_min and ratio_max are the extremes",
      "  feedline_values_per_cpu_second, c_values_per_cpu_second",
      "                         medians; CPU time is that of the one thread that works",
      "",
      "Needs a C compiler and LMDB's header (Debian: gcc, liblmdb-dev)."
    })
public final class LmdbRandomRead extends BenchCommand {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "A database of images: the directory with data.mdb in it.")
  private Path data;

  @Mixin private final Turns turns = new Turns(3, 0.5);

  private final SplittableRandom random = new SplittableRandom(0);

  private static final int PIECE = 4096;

  /** The sum of the bytes read, so that the JIT compiler cannot remove the reads. */
  private long sum;

  private byte[] buffer = new byte[PIECE];

  /** The way in which Feedline uses a value. */
  private interface Look {
    /** Returns a byte of the value. */
    byte at(ImageStore images, int index) throws IOException;
  }

  /**
   * A mode of both sides, and its results.
   *
   * @param ofC the name of C's mode
   * @param feedline Feedline's turns, one for each of C's turns
   */
  private record Mode(String name, String ofC, Look look, List<Timing> feedline, List<Timing> c) {
    Mode(String name, String ofC, Look look) {
      this(name, ofC, look, new ArrayList<>(), new ArrayList<>());
    }
  }

  public static void main(String... args) {
    System.exit(new LmdbRandomRead().commandLine().execute(args));
  }

  @Override
  public Integer call() throws IOException {
    turns.check(this);
    List<Mode> modes =
        List.of(
            new Mode("copy", "copy", this::copy),
            new Mode("touch", "touch", this::touch),
            new Mode("array", "copy", LmdbRandomRead::array));
    try (ImageStore images = open();
        ScratchDirectory scratch = ScratchDirectory.create("feedline-lmdb-random-read");
        NativeProcess c = NativeProgram.LMDB_RANDOM_READ.start(this, scratch.path(), data)) {
      int[] order = IntStream.range(0, Math.toIntExact(images.size())).toArray();
      for (int round = -turns.warmUp; round < turns.rounds; round++) {
        takeTurns(modes, images, order, c, round);
      }
      report(modes, images, c);
    }
    return CommandLine.ExitCode.OK;
  }

  private ImageStore open() {
    try {
      return StoreFormat.named("lmdb").open(data, StoreOptions.NONE);
    } catch (IOException | IllegalStateException e) {
      throw wrong("cannot open --data: " + e.getMessage(), e);
    }
  }

  /** Takes one turn of Feedline for each turn of C; C is first in every second round. */
  private void takeTurns(
      List<Mode> modes, ImageStore images, int[] order, NativeProcess c, int round)
      throws IOException {
    for (Mode mode : modes) {
      boolean cFirst = round % 2 == 0;
      Timing before = cFirst ? c.run(mode.ofC(), turns.seconds) : null;
      Timing feedline = read(mode.look(), images, order);
      Timing theirs = cFirst ? before : c.run(mode.ofC(), turns.seconds);
      if (round >= 0) {
        mode.feedline().add(feedline);
        mode.c().add(theirs);
      }
    }
  }

  private static byte array(ImageStore images, int index) throws IOException {
    byte[] image = images.read(index).bytes();
    return image[image.length / 2];
  }

  private byte copy(ImageStore images, int index) throws IOException {
    try (StoredImage image = view(images, index)) {
      int length = image.length();
      if (buffer.length < length) {
        buffer = new byte[2 * length];
      }
      image.read(0, buffer, 0, length);
      return buffer[length / 2];
    }
  }

  private byte touch(ImageStore images, int index) throws IOException {
    byte seen = 0;
    try (StoredImage image = view(images, index)) {
      int length = image.length();
      for (int at = 0; at < length; at += PIECE) {
        image.read(at, buffer, 0, Math.min(PIECE, length - at));
        seen += buffer[0];
      }
    }
    return seen;
  }

  private StoredImage view(ImageStore images, int index) throws IOException {
    return images
        .view(index)
        .orElseThrow(() -> wrong("--data has a layout whose images cannot be read in place"));
  }

  private Timing read(Look look, ImageStore images, int[] order) throws IOException {
    long values = 0;
    double used = 0;
    do {
      shuffle(order); // not measured, as in C
      long start = THREADS.getCurrentThreadCpuTime();
      for (int index : order) {
        sum += look.at(images, index);
      }
      values += order.length;
      used += (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    } while (used < turns.seconds);
    return new Timing(values, used);
  }

  private void shuffle(int[] order) {
    for (int i = order.length - 1; i > 0; i--) {
      int k = random.nextInt(i + 1);
      int index = order[i];
      order[i] = order[k];
      order[k] = index;
    }
  }

  private void report(List<Mode> modes, ImageStore images, NativeProcess c) throws IOException {
    PrintWriter log = log();
    Machine machine = Machine.here();
    // The report is VALUES MEAN_BYTES LIBRARY; the database's own metadata count as a value, too.
    String[] loaded = c.loaded().split(" ", 3);
    log.printf("machine: %s%n", machine);
    log.printf(
        "data: %d images, mean value %s bytes; C: %s%n", images.size(), loaded[1], loaded[2]);
    log.printf("%d rounds: median (smallest - greatest); checksum %d%n%n", turns.rounds, sum);
    log.println("| values per CPU-second | Feedline | C | Feedline/C by round |");
    log.println("|---|---|---|---|");
    for (Mode mode : modes) {
      Spread feedline = Spread.ofRates(mode.feedline());
      Spread theirs = Spread.ofRates(mode.c());
      Spread ratio = Spread.ofRatios(mode.feedline(), mode.c());
      log.printf(
          Locale.ROOT,
          "| %s | %s | %s | **%s** |%n",
          mode.name(),
          feedline.toString(0),
          theirs.toString(0),
          ratio.toString(3));
      print(
          new JsonLine()
              .put("data", data.toString())
              .put("values", images.size())
              .put("mean_bytes", Double.parseDouble(loaded[1]))
              .put("jdk", machine.jdk())
              .put("processor", machine.processor())
              .put("processors", machine.processors())
              .put("c", loaded[2])
              .put("mode", mode.name())
              .put("rounds", turns.rounds)
              .put("ratio", ratio)
              .put("feedline_values_per_cpu_second", feedline.median())
              .put("c_values_per_cpu_second", theirs.median()));
    }
    log.flush();
  }
}
