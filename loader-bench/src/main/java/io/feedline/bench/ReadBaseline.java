package io.feedline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the files per second that this machine opens, reads whole and closes.
 *
 * <p>The upper limit for every dataset of one file per sample. The files are in the page cache, so
 * it is the operating system and the JDK that are measured, not the disk; {@code -t 2} reads on two
 * threads.
 *
 * <pre>
 * mvn -Pbench -pl loader-bench -am -DskipTests verify -Dbench=ReadBaseline \
 *     -Djmh.args="-p data=DIR -t 1"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReadBaseline {
  private List<Path> files;
  private int next;

  /**
   * Lists the files and reads each once, so that they are cached.
   *
   * @param folder the images
   * @throws IOException if they cannot be read
   */
  @Setup(Level.Trial)
  public void open(BenchData folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder.root())) {
      files = tree.filter(Files::isRegularFile).sorted().toList();
    }
    if (files.isEmpty()) {
      throw new IOException("no files below " + folder.root());
    }
    for (Path file : files) {
      Files.readAllBytes(file);
    }
  }

  /**
   * Reads the next file.
   *
   * @throws IOException if it cannot be read
   */
  @Benchmark
  public byte[] read() throws IOException {
    next = next + 1 == files.size() ? 0 : next + 1;
    return Files.readAllBytes(files.get(next));
  }
}
