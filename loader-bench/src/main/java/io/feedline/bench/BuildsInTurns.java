package io.feedline.bench;

import com.sun.management.ThreadMXBean;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Compares the CPU time that two builds of Feedline take for the same epochs, such as this one and
 * the commit before it.
 *
 * <pre>
 * git worktree add ../before HEAD~1
 * (cd ../before &amp;&amp; mvn -ntp -pl loader-bench -am -DskipTests package)
 * java -Xms256m -Xmx512m -XX:+UseSerialGC -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.BuildsInTurns --build before=../before/loader-bench/target/benchmarks.jar \
 *     --build now=loader-bench/target/benchmarks.jar
 * </pre>
 *
 * <p>All builds run in one JVM, each in its own class loader, and take turns of one epoch. So other
 * programs on the machine affect all builds alike. JIT compilation differs from JVM to JVM; run the
 * command several times.
 *
 * <p>Exit code 0; 1 if a build cannot be loaded or lacks a method that is called; 2 for options
 * that make no sense.
 */
@Command(
    name = "BuildsInTurns",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Compares the CPU time of builds of Feedline, by epochs that they take in turns.",
    footer = {
      "",
      "The figures of a line, one for each build:",
      "  ns_per_sample   CPU time of all Java threads, the garbage collector left out: median over",
      "                  the rounds; ns_least is the least",
      "  ratio           median over the rounds of that time divided by the first build's in the",
      "                  same round; ratio_of_least is that of the least times, which what others",
      "                  do disturbs least",
      "  bytes_per_batch what the thread allocates on the heap; null with workers"
    })
public final class BuildsInTurns extends BenchCommand {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Option(
      names = "--build",
      paramLabel = "NAME=CLASSPATH",
      required = true,
      description = "A build; twice or more. The first is the one that others are divided by.")
  private Map<String, String> builds = new LinkedHashMap<>();

  @Option(
      names = "--data",
      paramLabel = "PATH",
      description =
          "Images, of which tensors are made as for training. Default: the empty loader, whose"
              + " samples are one boxed number.")
  private Path data;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "32768",
      description = "Of an empty loader's epoch. Default: ${DEFAULT-VALUE}.")
  private int samples;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      defaultValue = "256",
      description = "Default: ${DEFAULT-VALUE}.")
  private int batchSize;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "0",
      description = "Default: ${DEFAULT-VALUE}.")
  private int workers;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "300",
      description = "Epochs of each before any counts. Default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "300",
      description = "Epochs of each that count. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  public static void main(String... args) {
    System.exit(new BuildsInTurns().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    requireAtLeast(1, "--samples", samples);
    requireAtLeast(1, "--batch-size", batchSize);
    requireAtLeast(0, "--workers", workers);
    requireAtLeast(0, "--warm-up", warmUp);
    requireAtLeast(1, "--rounds", rounds);
    if (builds.size() < 2) {
      throw wrong("--build must be given twice or more, each with a name of its own");
    }
    List<Turns> turns = new ArrayList<>();
    try {
      for (Map.Entry<String, String> build : builds.entrySet()) {
        turns.add(new Turns(build.getKey(), build.getValue()));
      }
      for (int round = -warmUp; round < rounds; round++) {
        // Each build is first, last, and after each other build, equally often.
        for (int i = 0; i < turns.size(); i++) {
          int turn = Math.floorMod(round % 2 == 0 ? round / 2 + i : round / 2 - i, turns.size());
          turns.get(turn).take(round);
        }
      }
    } finally {
      for (Turns each : turns) {
        each.close();
      }
    }
    print(turns);
    return CommandLine.ExitCode.OK;
  }

  private void print(List<Turns> turns) throws IOException {
    Machine machine = Machine.here();
    log().printf("machine: %s%n", machine);
    log().println("| build | ns per sample | by the first, by round | least by least |");
    log().println("|---|---|---|---|");
    Turns first = turns.get(0);
    for (Turns each : turns) {
      Spread nanos = Spread.of(each.nanos);
      double[] ratios =
          IntStream.range(0, rounds).mapToDouble(i -> each.nanos[i] / first.nanos[i]).toArray();
      double ratioOfLeast = nanos.least() / Spread.of(first.nanos).least();
      log()
          .printf(
              "| %s | %s | %s | %s |%n",
              each.name,
              nanos.toString(1),
              Spread.of(ratios).toString(3),
              String.format(Locale.ROOT, "%.3f", ratioOfLeast));
      print(
          new JsonLine()
              .put("build", each.name)
              .put("base", first.name)
              .put("data", data == null ? "empty" : data.toString())
              .put("batch_size", batchSize)
              .put("workers", workers)
              .put("jdk", machine.jdk())
              .put("processor", machine.processor())
              .put("rounds", rounds)
              .put("ns_per_sample", nanos.median())
              .put("ns_least", nanos.least())
              .put("ratio", Spread.of(ratios).median())
              .put("ratio_of_least", ratioOfLeast)
              .put("bytes_per_batch", workers == 0 ? Spread.of(each.bytes).median() : Double.NaN));
    }
    log().flush();
  }

  /** A build, and the results of its turns. */
  private final class Turns implements Closeable {
    private final String name;
    private final BuildLoader classes;
    private final Closeable epochs;
    private final double[] nanos = new double[rounds];
    private final double[] bytes = new double[rounds];

    Turns(String name, String classPath) throws Exception {
      this.name = name;
      this.classes = new BuildLoader(urls(name, classPath));
      Closeable made = null;
      try {
        made =
            (Closeable)
                classes
                    .loadClass(BuildEpochs.class.getName())
                    .getConstructor(Path.class, long.class, int.class, int.class)
                    .newInstance(data, (long) samples, batchSize, workers);
      } catch (InvocationTargetException e) {
        throw e.getCause() instanceof Exception cause ? cause : cannotLoad(name, e.getCause());
      } catch (ReflectiveOperationException | LinkageError e) {
        throw cannotLoad(name, e);
      } finally {
        if (made == null) {
          classes.close();
        }
      }
      this.epochs = made;
    }

    private static IOException cannotLoad(String name, Throwable cause) {
      return new IOException(
          "the build %s cannot be loaded: its class path lacks what an epoch needs, %s; expected the benchmarks.jar of a checkout"
              .formatted(name, cause),
          cause);
    }

    /** Iterates over an epoch; with a negative round, the epoch does not count. */
    void take(int round) {
      long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
      long before = cpuNanos();
      long count = ((LongSupplier) epochs).getAsLong();
      long used = cpuNanos() - before;
      if (round >= 0) {
        nanos[round] = (double) used / count;
        double batches = Math.ceil((double) count / batchSize);
        bytes[round] = (THREADS.getCurrentThreadAllocatedBytes() - bytesBefore) / batches;
      }
    }

    @Override
    public void close() throws IOException {
      try (classes) {
        epochs.close();
      }
    }
  }

  /** Returns the CPU time of all threads; only the build whose turn it is uses any. */
  private static long cpuNanos() {
    long sum = 0;
    for (long nanos : THREADS.getThreadCpuTime(THREADS.getAllThreadIds())) {
      sum += Math.max(0, nanos);
    }
    return sum;
  }

  private URL[] urls(String name, String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (!Files.exists(Path.of(entry))) {
        throw wrong("--build %s: there is no %s".formatted(name, entry));
      }
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** A class loader with the classes of one build, and with this build's {@link BuildEpochs}. */
  private static final class BuildLoader extends URLClassLoader {
    private static final List<Class<?>> OURS = List.of(BuildEpochs.class, Pipeline.class);

    BuildLoader(URL[] build) {
      super(build, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (OURS.stream().noneMatch(ours -> isOrIsInside(name, ours))) {
        return super.findClass(name);
      }
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = BuildEpochs.class.getClassLoader().getResourceAsStream(file)) {
        byte[] code = in.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    private static boolean isOrIsInside(String name, Class<?> outer) {
      return name.equals(outer.getName()) || name.startsWith(outer.getName() + "$");
    }
  }
}
