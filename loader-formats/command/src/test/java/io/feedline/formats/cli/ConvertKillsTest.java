package io.feedline.formats.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.Trees;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that converts is killed at random moments, SIGKILL where there are signals, and the
 * command is given again: the output is whole or not there, and at last it has the bytes of a
 * conversion that nothing has interrupted. {@code -Dfeedline.kills=100} kills each kind of output
 * as many times, and prints how far the killed processes had come.
 */
@Tag("once")
class ConvertKillsTest {

  private static final int KILLS = Integer.getInteger("feedline.kills", 1);

  /** More than a database commits at once, where there is time for it. */
  private static final int IMAGES = KILLS > 1 ? 6000 : 1200;

  @TempDir private static Path directory;
  private static Path source;

  private final Random random = new Random(11);

  /** The number of processes that were killed, and of those that had begun to write. */
  private int kills;

  private int killsWithin;

  /** The number of processes that began behind what another one had written. */
  private int continued;

  @BeforeAll
  static void makeAFolder() throws IOException {
    source = directory.resolve("source");
    Random random = new Random(5);
    BufferedImage image = new BufferedImage(96, 64, BufferedImage.TYPE_INT_RGB);
    StoreFormat folder = StoreFormat.named("imagefolder");
    try (StoreWriter<EncodedImage> writer =
        folder.create(source, Packing.of(List.of("ant", "bee", "cow"), IMAGES))) {
      for (int i = 0; i < IMAGES; i++) {
        for (int j = 0; j < 100; j++) {
          image.setRGB(random.nextInt(96), random.nextInt(64), random.nextInt());
        }
        ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
        ImageIO.write(image, "jpg", jpeg);
        writer.write(new EncodedImage("%04d".formatted(i), jpeg.toByteArray(), i * 3 / IMAGES));
      }
      writer.commit();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--to webdataset --shard-size 200K",
        "--to webdataset --coefficients --shards 20",
        "--to tfrecord --shards 20",
        "--to tfrecord --shard-size 200K",
        "--to mds --shard-size 200K",
        "--to mds --shard-size 200K --to-option compression=zstd --to-option hashes=sha1",
        "--to recordio",
        "--to recordio --raw --resize 32",
        "--to zip",
        "--to lmdb",
        "--to imagefolder"
      })
  void shouldGiveTheStoreOfAnUninterruptedConversion(String options) throws Exception {
    List<String> format = Arrays.asList(options.split(" "));
    Path whole = directory.resolve("whole " + options);
    long begun = System.nanoTime();
    runToItsEnd(whole, format);
    long nanos = System.nanoTime() - begun;
    Path output = directory.resolve("output " + options);
    int outputs = 0;
    while (kills < KILLS) {
      if (convertAndKill(output, format, nanos)) {
        requireSame(output, whole, format);
        Trees.delete(directory, output.getFileName().toString());
        outputs++;
      }
    }
    if (!Files.exists(output)) {
      runToItsEnd(output, format);
    }
    requireSame(output, whole, format);
    Trees.delete(directory, "output");
    if (System.getProperty("feedline.kills") != null) {
      System.out.printf(
          "%-80s %d kills, %d of them while it wrote; %d runs continued; %d outputs, all the same%n",
          options, kills, killsWithin, continued, outputs + 1);
    }
  }

  /**
   * Gives the command, and kills its process unless it ends before.
   *
   * @return whether the output is there
   */
  private boolean convertAndKill(Path output, List<String> format, long nanos) throws Exception {
    Path journal = output.resolveSibling(output.getFileName() + ".partial.journal");
    Process process = start(output, format);
    boolean ended = process.waitFor((long) (random.nextDouble() * nanos), TimeUnit.NANOSECONDS);
    if (!ended) {
      process.destroyForcibly().waitFor();
      kills++;
    } else {
      assertThat(process.exitValue()).as(Files.readString(err())).isZero();
    }
    if (Files.readString(err()).contains("continuing at")) {
      continued++;
    }
    if (!ended && Files.exists(journal)) {
      killsWithin++;
    }
    return Files.exists(output);
  }

  private static void requireSame(Path output, Path whole, List<String> format) throws IOException {
    StoreFormat named = StoreFormat.named(format.get(1));
    if (named.name().equals("lmdb")) {
      // Where a database has its pages depends on how often it was written to the disk.
      assertThat(contents(named, output)).isEqualTo(contents(named, whole));
    } else {
      assertThat(Trees.files(output)).isEqualTo(Trees.files(whole));
    }
  }

  private static List<String> contents(StoreFormat format, Path path) throws IOException {
    List<String> contents = new ArrayList<>();
    try (ImageStore store = format.open(path, StoreOptions.NONE)) {
      for (int i = 0; i < store.size(); i++) {
        EncodedImage image = store.read(i);
        contents.add(
            "%s %d %d".formatted(image.key(), image.label(), Arrays.hashCode(image.bytes())));
      }
    }
    return contents;
  }

  private static void runToItsEnd(Path output, List<String> format) throws Exception {
    int code = start(output, format).waitFor();
    assertThat(code).as(Files.readString(err())).isZero();
  }

  /** The standard error of the last process. */
  private static Path err() {
    return directory.resolve("err");
  }

  private static Process start(Path output, List<String> format) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                Feedline.class.getName(),
                "convert",
                source.toString(),
                output.toString()));
    command.addAll(format);
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(err().toFile())
        .start();
  }
}
