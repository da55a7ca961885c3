package io.feedline.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The images of those benchmarks that read files. */
@State(Scope.Benchmark)
public class BenchData {
  private static final int PICTURES = 256;

  /**
   * A directory that holds a directory for each class, as in {@code -p data=DIR}; if it has a
   * {@code train}, that is meant. Empty: {@value #PICTURES} images of 500 x 375 are generated.
   */
  @Param("")
  public String data;

  private GeneratedFolder generated;
  private Path root;

  /**
   * Finds or generates the images.
   *
   * @throws IOException if they cannot be written
   */
  @Setup(Level.Trial)
  public void open() throws IOException {
    if (data.isEmpty()) {
      generated = GeneratedFolder.create(PICTURES, 500, 375);
      root = generated.root();
    } else {
      Path train = Path.of(data, "train");
      root = Files.isDirectory(train) ? train : Path.of(data);
    }
  }

  /** Deletes what was generated. */
  @TearDown(Level.Trial)
  public void close() {
    if (generated != null) {
      generated.close();
    }
  }

  Path root() {
    return root;
  }
}
