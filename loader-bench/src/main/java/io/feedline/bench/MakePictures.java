package io.feedline.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Makes a folder of many small JPEGs, to measure the packing of more samples than there are
 * photographs. The same arguments give the same files, and no two files are the same.
 *
 * <pre>
 * java -cp loader-bench/target/benchmarks.jar io.feedline.bench.MakePictures DIR --pictures 200000
 * </pre>
 */
@Command(
    name = "MakePictures",
    usageHelpWidth = 100,
    showDefaultValues = true,
    header = "Makes DIR/CLASS/PICTURE.jpg, the same ones each time, all of them different.")
public final class MakePictures extends BenchCommand {

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The directory to make; it must not exist yet.")
  private Path directory;

  @Option(names = "--pictures", description = "How many.", defaultValue = "200000")
  private int pictures;

  @Option(names = "--classes", description = "In how many classes.", defaultValue = "100")
  private int classes;

  @Option(names = "--size", description = "Width and height in pixels.", defaultValue = "64")
  private int size;

  public static void main(String[] args) {
    System.exit(new MakePictures().commandLine().execute(args));
  }

  @Override
  public Integer call() throws IOException {
    requireAtLeast(1, "--pictures", pictures);
    requireAtLeast(1, "--classes", classes);
    requireAtLeast(1, "--size", size);
    if (Files.exists(directory)) {
      throw wrong("there is something already: " + directory);
    }
    for (int label = 0; label < classes; label++) {
      Files.createDirectories(ofClass(label));
    }
    try {
      IntStream.range(0, pictures).parallel().forEach(this::make);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    log().println("%s: %d pictures in %d classes".formatted(directory, pictures, classes));
    return 0;
  }

  private Path ofClass(int label) {
    return directory.resolve(String.format(Locale.ROOT, "class-%03d", label));
  }

  private void make(int number) {
    Path file = ofClass(number % classes).resolve(String.format(Locale.ROOT, "%07d.jpg", number));
    try {
      GeneratedFolder.writeJpeg(GeneratedFolder.image(number, size, size), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
