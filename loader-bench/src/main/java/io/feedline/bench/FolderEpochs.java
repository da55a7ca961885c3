package io.feedline.bench;

import io.feedline.Batch;
import io.feedline.DataLoader;
import io.feedline.formats.image.ImageFolder;
import io.feedline.formats.image.LabeledImage;
import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many images per second come out of a folder of JPEGs, from end to end?
 *
 * <p>The score {@code batch} counts batches per second, {@code images} images. For a comparison
 * with another loader use {@link Throughput} and {@code peers/compare} instead.
 *
 * <pre>
 * mvn -Pbench -pl loader-bench -am -DskipTests verify -Dbench=FolderEpochs \
 *     -Djmh.args="-p data=DIR -p workers=2 -prof io.feedline.bench.ProcessCpuProfiler"
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class FolderEpochs {
  /** What is done to the images. */
  @Param public Pipeline pipeline;

  /** The samples of a batch. */
  @Param({"8", "128"})
  public int batchSize;

  /** The worker threads; with 0 the consumer makes the batches. */
  @Param({"0", "2"})
  public int workers;

  private DataLoader<LabeledImage> loader;
  private Iterator<Batch> epoch;

  /** How many images came. */
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Counters {
    /** Since the iteration began. */
    public long images;
  }

  /**
   * Lists the folder.
   *
   * @param folder the images
   * @throws IOException if it cannot be listed
   */
  @Setup(Level.Trial)
  public void open(BenchData folder) throws IOException {
    loader =
        DataLoader.builder(pipeline.of(ImageFolder.of(folder.root()), true))
            .batchSize(batchSize)
            .numWorkers(workers)
            .shuffle(pipeline.shuffle())
            .build();
    epoch = loader.iterator();
  }

  /** Ends the workers. */
  @TearDown(Level.Trial)
  public void close() {
    loader.close();
  }

  /** The next batch, of the next epoch where one ends. */
  @Benchmark
  public void batch(Counters counters) {
    if (!epoch.hasNext()) {
      epoch = loader.iterator();
    }
    try (Batch batch = epoch.next()) {
      counters.images += batch.size();
    }
  }
}
