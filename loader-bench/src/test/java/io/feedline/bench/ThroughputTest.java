package io.feedline.bench;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.jpeg.index.internal.ScanIndexFile;
import io.feedline.formats.lmdb.LmdbTensors;
import io.feedline.formats.lmdb.LmdbTensors.StoredTensor;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThroughputTest {
  private static final String[] KEYS =
      ("epoch images seconds cpu_seconds images_per_second images_per_cpu_second"
              + " jvm_to_first_batch_ms first_batch_ms p50_ms p99_ms max_ms peak_rss_mb")
          .split(" ", -1);

  /** A flat object whose values are numbers as RFC 8259 has them, or null. */
  private static final Pattern FIELD =
      Pattern.compile("\"([a-z0-9_]+)\":(null|-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?)");

  private static final Pattern OBJECT =
      Pattern.compile("\\{" + FIELD.pattern() + "(?:," + FIELD.pattern() + ")*}");

  @AutoClose private static GeneratedFolder images;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(10, 48, 32);
  }

  private static Run run(String... args) {
    return reading("", args);
  }

  private static Run reading(String input, String... args) {
    return Run.of(new Throughput(new BufferedReader(new StringReader(input))).commandLine(), args);
  }

  /** A line as numbers; null is NaN. */
  private static Map<String, Double> figures(Run run, int line) {
    assertThat(run.out().get(line)).matches(OBJECT);
    return FIELD
        .matcher(run.out().get(line))
        .results()
        .collect(
            toMap(
                field -> field.group(1),
                field ->
                    field.group(2).equals("null")
                        ? Double.NaN
                        : Double.parseDouble(field.group(2))));
  }

  private static void requireImages(int count, String... args) {
    Run run = run(args);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(figures(run, run.out().size() - 1)).containsEntry("images", (double) count);
  }

  private static String data() {
    return images.root().toString();
  }

  @ParameterizedTest
  @CsvSource({"train, 0", "train, 2", "val, 0", "VAL, 1", "train, auto"})
  void shouldPrintALineOfFiguresForEachEpoch(String pipeline, String workers) {
    Run run =
        run(
            "--data=" + data(),
            "--pipeline=" + pipeline,
            "--workers=" + workers,
            "--batch-size=4",
            "--epochs=2",
            "--repeat=3");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(2);
    for (int epoch = 0; epoch < 2; epoch++) {
      Map<String, Double> figures = figures(run, epoch);
      assertThat(figures).containsOnlyKeys(KEYS);
      assertThat(figures).containsEntry("epoch", (double) epoch).containsEntry("images", 30.0);
      assertThat(figures.get("seconds")).isPositive();
      assertThat(figures.get("images_per_second"))
          .isCloseTo(30 / figures.get("seconds"), withinPercentage(0.001));
      assertThat(figures.get("cpu_seconds")).isNotNegative();
      assertThat(figures.get("first_batch_ms")).isPositive();
      assertThat(figures.get("p50_ms")).isNotNegative();
      assertThat(figures.get("p99_ms")).isGreaterThanOrEqualTo(figures.get("p50_ms"));
      assertThat(figures.get("max_ms")).isGreaterThanOrEqualTo(figures.get("p99_ms"));
      assertThat(figures.get("max_ms") / 1000).isLessThan(figures.get("seconds"));
    }
  }

  @Test
  void shouldCountTheVeryFirstBatchFromTheStartOfTheJvmAndHaveNoWaitsOfASingleBatch() {
    Run run = run("--data=" + data(), "--epochs=2", "--workers=0");
    Map<String, Double> first = figures(run, 0);
    assertThat(first.get("jvm_to_first_batch_ms")).isGreaterThan(first.get("first_batch_ms"));
    assertThat(figures(run, 1)).containsEntry("jvm_to_first_batch_ms", Double.NaN);
    for (int epoch = 0; epoch < 2; epoch++) {
      Map<String, Double> figures = figures(run, epoch);
      assertThat(figures.get("first_batch_ms") / 1000).isLessThanOrEqualTo(figures.get("seconds"));
      assertThat(figures).containsEntry("p50_ms", Double.NaN).containsEntry("max_ms", Double.NaN);
    }
  }

  @Test
  void shouldTakeThePartOfThePipeline(@TempDir Path root) throws IOException {
    copyImages(root.resolve("train"), 10);
    copyImages(root.resolve("val"), 4);
    for (String pipeline : new String[] {"train", "val"}) {
      Run run = run("--data=" + root, "--pipeline=" + pipeline, "--epochs=1", "--workers=0");
      assertThat(figures(run, 0)).containsEntry("images", pipeline.equals("train") ? 10.0 : 4.0);
      assertThat(run.err()).contains("taking " + root.resolve(pipeline));
    }
    Path train = root.resolve("other/train");
    copyImages(train, 2);
    run("--data=" + train.getParent(), "--pipeline=val")
        .requireRefused(train.resolveSibling("val").toString());
  }

  /** As many epochs as lines, although more were asked for. */
  @Test
  void shouldWaitForALineBeforeEachEpoch() {
    Run run = reading("go\n\n", "--data=" + data(), "--paced", "--epochs=5");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "--scan-index=off, --resize=antialias",
    "--scan-index=memory, --resize=bilinear",
    "--scan-index=memory, --decoder=feedline",
    "--resize=bilinear, --pipeline=val",
  })
  void shouldDoAsItsOptionsSay(String one, String other) {
    requireImages(10, "--data=" + data(), "--epochs=2", "--batch-size=4", one, other);
  }

  @Test
  void shouldReadTheIndexesBesideTheFolder(@TempDir Path root) throws IOException {
    copyImages(root, 4);
    ImageDataset folder = ImageFolder.of(root);
    try (ScanIndexFile.Writer writer =
        new ScanIndexFile.Writer(
            ScanIndexFile.pathBeside(root), folder.fingerprint(), folder.size())) {
      for (int i = 0; i < folder.size(); i++) {
        writer.add(ScanIndexFile.index(folder.encoded(i).bytes()));
      }
      writer.commit();
    }
    requireImages(4, "--data=" + root, "--scan-index=sidecar", "--epochs=1", "--workers=0");
  }

  @Test
  void shouldReadAFormatByItsNameOrAsItIsFound(@TempDir Path root) throws IOException {
    StoreFormat format = StoreFormat.named("webdataset");
    Path packed = root.resolve("packed." + format.name());
    ImageDataset folder = ImageFolder.of(images.root());
    Packing packing = Packing.of(folder.classes(), folder.size());
    try (StoreWriter<EncodedImage> writer = format.create(packed, packing)) {
      for (int i = 0; i < folder.size(); i++) {
        writer.write(folder.encoded(i));
      }
      writer.commit();
    }
    String data = "--data=" + packed;
    requireImages(10, data, "--epochs=1", "--format=" + format.name(), "--workers=0");
    requireImages(10, data, "--epochs=1", "--workers=2");
  }

  @Test
  void shouldReadTensorsAsTheyAre(@TempDir Path root) throws Exception {
    Path database = root.resolve("tensors");
    assertThat(PackTensors.pack(images.root(), database)).isEqualTo(10);
    try (LmdbTensors tensors = LmdbTensors.of(database)) {
      Map<String, StoredTensor> last = tensors.get(9);
      assertThat(last.get("image").shape()).isEqualTo(Shape.of(224, 224, 3));
      assertThat(last.get("image").dtype()).isEqualTo(DType.UINT8);
      assertThat(last.get("label").read().toLongArray()).containsExactly(1);
    }
    requireImages(10, "--data=" + database, "--format=lmdb-tensors", "--epochs=1", "--workers=2");
    for (String option : new String[] {"--decoder=auto", "--scan-index=off", "--resize=bilinear"}) {
      run("--data=" + database, "--format=lmdb-tensors", option).requireRefused("is for images");
    }
  }

  @Test
  void shouldReadTheArraysOfAnHdf5File() throws Exception {
    Path file = Path.of(ThroughputTest.class.getResource("arrays.h5").toURI());
    for (String format : new String[] {"--format=hdf5", "--format=HDF5-arrays", "--workers=0"}) {
      requireImages(5, "--data=" + file, "--epochs=1", format);
      run("--data=" + file, format, "--resize=bilinear").requireRefused("is for images");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--batch-size, 0, must be 1 or more",
    "--batch-size, many, many",
    "--workers, -1, must be 0 or more",
    "--workers, many, neither a number nor auto",
    "--epochs, 0, must be 1 or more",
    "--repeat, -2, must be 1 or more",
    "--format, csv, must be one of lmdb",
    "--decoder, gd, expected one of",
    "--scan-index, disk, expected one of",
    "--scan-index, sidecar, no scan indexes of these images",
    "--resize, cubic, expected one of",
    "--pipeline, test, expected one of",
    "--cache, anywhere, belong together",
    "--cache-size, 9, belong together",
    "--speed, 9, Unknown option",
  })
  void shouldRefuseOptionsThatMakeNoSense(String option, String value, String reason) {
    run("--data=" + data(), option + "=" + value).requireRefused(option, reason);
  }

  @Test
  void shouldRefuseToReadNothing(@TempDir Path root) throws IOException {
    run("--data=" + data(), "--cache=" + root, "--cache-size=1000000")
        .requireRefused("--cache", "not on this machine");
    run().requireRefused("--data");
    Path absent = root.resolve("absent");
    run("--data=" + absent).requireRefused(absent.toString());
    run("--data=" + root).requireRefused("this directory is empty");
    run("--data=" + root, "--format=imagefolder").requireRefused("no class directories");
    Path file = Files.writeString(root.resolve("file"), "");
    run("--data=" + file).requireRefused("this file is empty");
  }

  @Test
  void shouldFailWithThePathOfAnImageThatCannotBeRead(@TempDir Path root) throws IOException {
    copyImages(root, 2);
    Path broken = root.resolve("even").resolve("broken.jpg");
    Files.writeString(broken, "no JPEG");
    Run run = run("--data=" + root, "--workers=0");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(broken.toString());
  }

  @Test
  void shouldExplainEveryFigure() {
    Run run = run("--help");
    assertThat(run.exitCode()).isZero();
    assertThat(String.join("\n", run.out())).contains(KEYS).contains("--data", "--paced");
  }

  private static void copyImages(Path target, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String name = (i % 2 == 0 ? "even/" : "odd/") + i + ".jpg";
      Path copy = target.resolve(name);
      Files.createDirectories(copy.getParent());
      Files.copy(images.root().resolve(name), copy);
    }
  }
}
