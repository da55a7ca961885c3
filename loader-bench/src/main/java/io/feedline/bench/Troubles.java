package io.feedline.bench;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.RunRecord;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Tests {@link Bottleneck} on twenty loaders, each with one problem.
 *
 * <pre>
 * java -Xmx160m -cp loader-bench/target/benchmarks.jar io.feedline.bench.Troubles
 * </pre>
 *
 * <p>Prints a Markdown table: the problem, the first two proposed changes, and the service level's
 * sentence. The problem with the garbage collector needs the small heap.
 */
@Command(
    name = "troubles",
    description = "Runs loaders that have one trouble each, and prints what is said of them.")
public final class Troubles extends BenchCommand {

  private static final int BATCH = 8;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "How long each loader runs. Default: ${DEFAULT-VALUE}.")
  private double seconds = 2.5;

  @Option(
      names = "--records",
      paramLabel = "DIR",
      description = "Where the run records go, for feedline report.")
  private Path records;

  /** Keeps the JIT compiler from removing work and garbage. */
  @SuppressWarnings("UnusedVariable")
  private volatile long sink;

  public static void main(String[] args) {
    System.exit(new Troubles().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (records != null) {
      Files.createDirectories(records);
    }
    print("| trouble | what to change | service level |");
    print("|---|---|---|");
    for (Map.Entry<String, DataLoaderBuilder<?>> each : loaders().entrySet()) {
      run(each.getKey(), each.getValue().batchSize(BATCH));
    }
    return 0;
  }

  private Map<String, DataLoaderBuilder<?>> loaders() {
    Map<String, DataLoaderBuilder<?>> loaders = new LinkedHashMap<>();
    Dataset<Long> slow = samples(index -> sleep(5));
    loaders.put("slow reads", of(slow, 2));
    loaders.put("slow reads, no workers", of(slow, 0));
    loaders.put("slow reads, AUTO", of(slow, 2).autoWorkers());
    loaders.put("computing reads, one worker", of(samples(index -> spin(2)), 1));
    Dataset<Long> cheap = samples(index -> {});
    loaders.put("named transform computes", of(cheap.map("augment", this::computed), 2));
    loaders.put("named transform waits", of(cheap.map("tokenize", this::waited), 2));
    loaders.put("class of a transform", of(cheap.map(new Slow()), 2));
    loaders.put("lambda", of(cheap.map(value -> computed(value)), 2));
    loaders.put("batch transform waits", of(cheap, 2).batchTransform((batch, random) -> sleep(20)));
    loaders.put(
        "batch transform computes", of(cheap, 2).batchTransform((batch, random) -> spin(10)));
    loaders.put(
        "one slow sample in 500", of(samples(index -> sleep(index % 500 == 499 ? 300 : 0.5)), 2));
    loaders.put("slow consumer", of(samples(index -> sleep(0.5)), 2));
    loaders.put("bursts, no room", of(samples(index -> sleep(1)), 2).prefetch(2));
    ReentrantLock lock = new ReentrantLock();
    loaders.put("lock around get", of(samples(index -> locked(lock)), 4));
    loaders.put(
        "lock in map",
        of(
            cheap.map(
                "locked",
                value -> {
                  locked(lock);
                  return value;
                }),
            4));
    loaders.put(
        "stream in turns", DataLoader.builder(IterableDataset.of(this::counting)).numWorkers(4));
    loaders.put("garbage", of(samples(index -> garbage()), 2));
    loaders.put("empty samples", of(cheap, 2));
    loaders.put(
        "start-up alone",
        of(Dataset.of(2 * BATCH, this::read), 2)
            .prefetchNextEpoch(false)
            .prefetchFirstEpoch(false));
    loaders.put("brief", of(samples(index -> sleep(2)), 2));
    return loaders;
  }

  /** Returns the work of the consumer after each batch. */
  private IntConsumer consumer(String trouble) {
    return switch (trouble) {
      case "one slow sample in 500" -> batch -> sleep(3);
      case "slow consumer" -> batch -> sleep(20);
      case "bursts, no room" -> batch -> sleep(batch % 8 == 7 ? 60 : 0);
      default -> batch -> {};
    };
  }

  private void run(String trouble, DataLoaderBuilder<?> builder) throws IOException {
    IntConsumer consumer = consumer(trouble);
    double most = trouble.equals("brief") ? seconds / 8 : seconds;
    long end = System.nanoTime() + (long) (1e9 * most);
    RunRecord record;
    try (DataLoader<?> loader = builder.name(trouble).build()) {
      int batches = 0;
      while (System.nanoTime() - end < 0) {
        for (Batch batch : loader) {
          batch.close();
          consumer.accept(batches++);
          if (System.nanoTime() - end >= 0) {
            break;
          }
        }
      }
      record = loader.runRecord();
    }
    if (records != null) {
      Files.writeString(
          records.resolve(trouble.replaceAll("[ ,]+", "-") + ".json"), record.toJson());
    }
    String changes =
        record.bottleneck().advice().stream()
            .limit(2)
            .map(Bottleneck.Advice::change)
            .collect(Collectors.joining("; "));
    print(
        "| %s | %s | %s |"
            .formatted(trouble, changes, record.serviceLevel().map(Object::toString).orElse("")));
  }

  private static DataLoaderBuilder<Long> of(Dataset<Long> samples, int workers) {
    return DataLoader.builder(samples).numWorkers(workers);
  }

  private static Dataset<Long> samples(LongConsumer work) {
    return Dataset.of(
        1_000_000,
        index -> {
          work.accept(index);
          return index;
        });
  }

  private Iterator<Long> counting() {
    return Stream.iterate(0L, value -> value + 1).map(this::read).iterator();
  }

  private Long read(long index) {
    sleep(2);
    return index;
  }

  private Long waited(Long value) {
    sleep(5);
    return value;
  }

  private Long computed(Long value) {
    spin(2);
    return value;
  }

  /** A transform without a name; its class must identify it. */
  private final class Slow implements Transform<Long, Long> {
    @Override
    public Long apply(Long value) {
      return computed(value);
    }
  }

  private static void locked(ReentrantLock lock) {
    lock.lock();
    try {
      sleep(2);
    } finally {
      lock.unlock();
    }
  }

  private void garbage() {
    List<byte[]> arrays = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      arrays.add(new byte[100_000]);
    }
    sink = arrays.size();
  }

  private void spin(double millis) {
    long end = System.nanoTime() + (long) (1e6 * millis);
    long turns = 0;
    while (System.nanoTime() - end < 0) {
      turns++;
    }
    sink = turns;
  }

  private static void sleep(double millis) {
    long end = System.nanoTime() + (long) (1e6 * millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
