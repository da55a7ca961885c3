package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.stats.RunRecord;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs each program that compares Feedline with something else for a moment, so that none can rot.
 * It measures nothing.
 */
class ProgramsTest {

  /** Answers as the half in torchvision does, without torchvision. */
  private static final String PEER =
      """
      import sys
      print("ready a library made up", flush=True)
      for line in sys.stdin:
          words = line.split()
          if words[0] == "dump":
              open(words[3], "wb").write(bytes(4 * 3 * 224 * 224))
              print("dumped " + words[3], flush=True)
          else:
              print("100 0.05", flush=True)
      """;

  private static final String[] SHORT = {"--rounds=1", "--warm-up=0", "--seconds=0.0001"};

  @AutoClose private static GeneratedFolder images;
  @TempDir private static Path directory;
  private static Path packed;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(4, 320, 240);
    packed = directory.resolve("packed");
    try (ImageDataset from = ImageFolder.of(images.root());
        StoreWriter<EncodedImage> writer =
            StoreFormat.named("lmdb").create(packed, Packing.of(from.classes(), 4))) {
      // A database is in the order of its keys.
      for (int i = 0; i < 4; i++) {
        writer.write(from.encoded(i).withKey("image " + i));
      }
      writer.commit();
    }
  }

  private static Run run(BenchCommand program, String... args) {
    String[] all =
        Stream.of(new String[] {"--data=" + images.root()}, args, SHORT)
            .flatMap(Stream::of)
            .toArray(String[]::new);
    return succeeded(program, all);
  }

  private static Run succeeded(BenchCommand program, String... args) {
    Run run = Run.of(program.commandLine(), args);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  @Test
  void shouldCompareKindsOfWorkWithC() throws IOException {
    assumeThat(NativeProgram.JPEG_REFERENCE.missing()).isEmpty();
    Run run = run(new AgainstNative(), "--resize=both", "--decode", "--scan-index=both");
    assertThat(run.out()).hasSize(2 * Work.values().length);

    Run records = run(new AgainstNative(), "--packed=" + packed);
    assertThat(records.out())
        .satisfiesExactly(
            files -> assertThat(files).contains("\"form\":\"files\"", "\"scan_index\":\"off\""),
            record -> assertThat(record).contains("\"form\":\"packed\"", "\"ratio\":"));
  }

  @Test
  void shouldCompareRandomReadsWithC() throws IOException {
    assumeThat(NativeProgram.LMDB_RANDOM_READ.missing()).isEmpty();
    Run run =
        succeeded(
            new LmdbRandomRead(),
            "--data=" + packed,
            "--rounds=1",
            "--warm-up=0",
            "--seconds=0.001");
    assertThat(run.out()).hasSize(3).allMatch(line -> line.contains("\"values\":4,"));
  }

  @Test
  void shouldCompareTwoStores() {
    Run run =
        succeeded(
            new StoresInTurns(),
            "--base=" + images.root(),
            "--other=" + packed,
            "--rounds=1",
            "--seconds=0.01",
            "--compared=3");
    assertThat(run.out()).singleElement().asString().contains("\"equal_crops\":12", "\"ratio\":");
  }

  @Test
  void shouldCompareTwoBuilds() {
    String ours =
        new File(BuildsInTurns.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .toString();
    String build =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.equals(ours) && Files.exists(Path.of(entry)))
            .collect(Collectors.joining(File.pathSeparator));
    Run run =
        succeeded(
            new BuildsInTurns(),
            "--build=before=" + build,
            "--build=now=" + build,
            "--samples=100",
            "--warm-up=0",
            "--rounds=1");
    assertThat(run.out()).hasSize(2);
    assertThat(run.out().get(1)).contains("\"build\":\"now\"", "\"base\":\"before\"");
  }

  @Test
  void shouldReadABucketInTurnsWithTheSameFiles() {
    Run run =
        succeeded(
            new RemoteStores(),
            "--data=" + images.root(),
            "--batch-size=2",
            "--rounds=2",
            "--cache-percent=0,1000",
            "--server=--latency=1");
    assertThat(run.out()).isNotEmpty().allMatch(line -> line.contains("\"requests\":"));
    assertThat(run.out()).anyMatch(line -> line.contains("\"requests\":0,"));
  }

  @Test
  @EnabledIf("io.feedline.bench.Python#isThere")
  void shouldCompareTransformsAndRequestsWithTorchvision() throws IOException {
    String peer = "--peer=" + Files.writeString(directory.resolve("peer.py"), PEER);
    String python = "--python=" + Python.command();

    Run transforms = run(new Transforms(), python, peer);
    assertThat(transforms.out()).hasSameSizeAs(Transforms.transforms().keySet());
    assertThat(Files.readString(Path.of("peers", "transforms.py")))
        .contains(
            Transforms.transforms().keySet().stream()
                .map(name -> "    \"" + name + "\": v2.")
                .toList());

    Run requests = run(new Serving(), python, peer);
    assertThat(requests.out()).hasSize(2 + 8);
    assertThat(requests.out().get(2)).contains("\"torchvision\":2000", "\"by_djl\":");
  }

  @Test
  void shouldShrinkWholePhotographsAndByDraft() throws IOException {
    Path list =
        Files.writeString(directory.resolve("list"), images.root().resolve("even/0.jpg") + "\n");
    for (String way : new String[] {"whole", "draft"}) {
      Path samples = directory.resolve(way);
      String lines = "run %s 64 0.0001%ndump %s 64 0 %s%n".formatted(way, way, samples);
      Run run =
          succeeded(new Photographs(new BufferedReader(new StringReader(lines))), "--list=" + list);
      assertThat(run.out()).hasSize(3);
      assertThat(samples).hasSize(3 * 64 * 85);
    }
  }

  @Test
  void shouldFindTheSamePicturesInAnotherStore() {
    Path pictures = directory.resolve("pictures");
    succeeded(new MakePictures(), pictures.toString(), "--pictures=12", "--classes=3", "--size=16");
    assertThat(succeeded(new SameSamples(), pictures.toString(), pictures.toString()).out())
        .containsExactly("12 samples are the same, in the same order");
    Run other =
        Run.of(new SameSamples().commandLine(), pictures.toString(), images.root().toString());
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(String.join("\n", other.out())).contains("only in " + pictures);
  }

  @Test
  void shouldSayAChangeForEachTrouble() throws IOException {
    Path records = directory.resolve("records");
    Run run = succeeded(new Troubles(), "--seconds=0.02", "--records=" + records);
    List<String> rows = run.out().subList(2, run.out().size());
    assertThat(rows).hasSize(20).allMatch(row -> row.matches("\\| .+ \\| .+ \\| .*\\|"));
    try (Stream<Path> written = Files.list(records)) {
      assertThat(written).hasSize(20);
    }
    assertThat(RunRecord.ofJson(Files.readString(records.resolve("slow-reads-AUTO.json"))).name())
        .isEqualTo("slow reads, AUTO");
  }
}
