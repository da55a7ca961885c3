package io.feedline.bench;

import io.feedline.formats.lmdb.LmdbImages;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How many images does one thread read from an LMDB database in random order, compared with a
 * thread of C?
 *
 * <pre>
 * java -jar loader-formats/target/feedline.jar convert FOLDER DATABASE --to lmdb
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.LmdbRandomRead --data DATABASE
 * </pre>
 *
 * <p>Nothing is decoded. Feedline's side is {@link ImageStore#read}, which looks up a value, copies
 * its image into an array of its own, and parses label and key: a user is never given memory of the
 * database, which could be gone when they look. So it is compared with both modes of {@link
 * NativeProgram#LMDB_RANDOM_READ}: with its <em>copy</em>, into a buffer that is used again, which
 * is the same task but for the new array; and with its <em>touch</em>, which reads a word of each
 * cache line where it lies and is the limit.
 *
 * <p>The three take turns; each goes through all values in an order that is new each time, until
 * its thread has used some CPU time. A line of JSON for each mode of C goes to standard output, a
 * table to standard error. Exit code 0; 2 for options or data that make no sense, or where there is
 * no C compiler or LMDB's header; 1 where a value cannot be read.
 */
@Command(
    name = "LmdbRandomRead",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Compares one thread of Feedline with one of C, reading an LMDB database at random.",
    footer = {
      "",
      "The figures of a line:",
      "  mode                   what C does with a value; Feedline always copies it to a new array",
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

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Turns of each that count. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "3",
      description = "Turns of each before that. Default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.5",
      description = {
        "CPU time of a turn, at least; a turn goes through all values once or more.",
        "Default: ${DEFAULT-VALUE}."
      })
  private double seconds;

  private final SplittableRandom random = new SplittableRandom(0);

  /** Of what was read, so that the reading cannot be left out. */
  private long sum;

  /**
   * What C does with a value, and what came of it.
   *
   * @param name of C's mode
   * @param feedline Feedline's turn beside each of C's
   * @param c C's turns
   */
  private record Mode(String name, List<Timing> feedline, List<Timing> c) {
    Mode(String name) {
      this(name, new ArrayList<>(), new ArrayList<>());
    }

    static Spread spread(List<Timing> turns) {
      return Spread.of(turns.stream().mapToDouble(Timing::perCpuSecond).toArray());
    }

    Spread ratio() {
      return Spread.of(
          IntStream.range(0, c.size())
              .mapToDouble(i -> feedline.get(i).perCpuSecond() / c.get(i).perCpuSecond())
              .toArray());
    }
  }

  /** The command itself. */
  public static void main(String... args) {
    System.exit(new LmdbRandomRead().commandLine().execute(args));
  }

  @Override
  public Integer call() throws IOException {
    checkOptions();
    List<Mode> modes = List.of(new Mode("copy"), new Mode("touch"));
    try (ImageStore images = open();
        ScratchDirectory scratch = ScratchDirectory.create("feedline-lmdb-random-read");
        NativeProcess c = start(scratch.path())) {
      int[] order = IntStream.range(0, Math.toIntExact(images.size())).toArray();
      for (int round = -warmUp; round < rounds; round++) {
        takeTurns(modes, images, order, c, round);
      }
      report(modes, images, c);
    }
    return CommandLine.ExitCode.OK;
  }

  private void checkOptions() {
    requireAtLeast(1, "--rounds", rounds);
    requireAtLeast(0, "--warm-up", warmUp);
    if (!(seconds > 0 && seconds <= 3600)) {
      throw wrong("--seconds must be above 0 and at most 3600, was " + seconds);
    }
  }

  private ImageStore open() {
    try {
      return new LmdbImages().open(data, StoreOptions.NONE);
    } catch (IOException | IllegalStateException e) {
      throw wrong("cannot open --data: " + e.getMessage(), e);
    }
  }

  private NativeProcess start(Path scratch) throws IOException {
    Optional<String> missing = NativeProgram.LMDB_RANDOM_READ.missing();
    if (missing.isPresent()) {
      throw wrong(missing.get());
    }
    return NativeProcess.start(NativeProgram.LMDB_RANDOM_READ.build(scratch), data);
  }

  /** One turn of Feedline beside each of C's, and C first in every second round. */
  private void takeTurns(
      List<Mode> modes, ImageStore images, int[] order, NativeProcess c, int round)
      throws IOException {
    for (Mode mode : modes) {
      boolean cFirst = round % 2 == 0;
      Timing before = cFirst ? c.run(mode.name(), seconds) : null;
      Timing feedline = read(images, order);
      Timing theirs = cFirst ? before : c.run(mode.name(), seconds);
      if (round >= 0) {
        mode.feedline().add(feedline);
        mode.c().add(theirs);
      }
    }
  }

  private Timing read(ImageStore images, int[] order) throws IOException {
    long values = 0;
    double used = 0;
    do {
      shuffle(order); // not counted, as in C
      long start = THREADS.getCurrentThreadCpuTime();
      for (int index : order) {
        byte[] image = images.read(index).bytes();
        sum += image[image.length / 2];
      }
      values += order.length;
      used += (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    } while (used < seconds);
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
    // VALUES MEAN_BYTES LIBRARY; the database's own metadata are a value, too.
    String[] loaded = c.loaded().split(" ", 3);
    log.printf("machine: %s%n", machine);
    log.printf(
        "data: %d images, mean value %s bytes; C: %s%n", images.size(), loaded[1], loaded[2]);
    log.printf("%d rounds: median (smallest - greatest); checksum %d%n%n", rounds, sum);
    log.println("| values per CPU-second | Feedline, to a new array | C | Feedline/C by round |");
    log.println("|---|---|---|---|");
    for (Mode mode : modes) {
      Spread feedline = Mode.spread(mode.feedline());
      Spread theirs = Mode.spread(mode.c());
      Spread ratio = mode.ratio();
      log.printf(
          Locale.ROOT,
          "| C: %s | %s | %s | **%s** |%n",
          mode.name(),
          feedline.toString(0),
          theirs.toString(0),
          ratio.toString(3));
      out()
          .println(
              new JsonLine()
                  .put("data", data.toString())
                  .put("values", images.size())
                  .put("mean_bytes", Double.parseDouble(loaded[1]))
                  .put("jdk", machine.jdk())
                  .put("processor", machine.processor())
                  .put("processors", machine.processors())
                  .put("c", loaded[2])
                  .put("mode", mode.name())
                  .put("rounds", rounds)
                  .put("ratio", ratio.median())
                  .put("ratio_min", ratio.least())
                  .put("ratio_max", ratio.greatest())
                  .put("feedline_values_per_cpu_second", feedline.median())
                  .put("c_values_per_cpu_second", theirs.median()));
    }
    log.flush();
    out().flush();
  }
}
