package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.examples.shared.GeneratedFolder;
import io.feedline.examples.shared.LocalObjectStore;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TrainResNet50Test extends TrainingFixture {

  private static Path images;

  @BeforeAll
  static void makeImages() throws Exception {
    images = new GeneratedFolder(shared, 4, 1, 3).make();
  }

  private int run(String... args) {
    return run(TrainResNet50::commandLine, args);
  }

  /** Two steps of a small network, and whatever else is asked for. */
  private int runTiny(Path data, String... more) {
    List<String> args =
        new ArrayList<>(List.of("--model", "resnet18", "--image-size", "32", "--batch-size", "4"));
    args.addAll(List.of("--max-steps", "2", "--epochs", "1", "--print-freq", "1"));
    args.addAll(List.of("--workers", "2", "--data", data.toString()));
    args.addAll(List.of("--checkpoint-dir", temp.resolve("saved").toString()));
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  /** In a JVM of its own, as a service is. */
  @Test
  void shouldServeWhatItTrained() throws Exception {
    assertThat(runTiny(images)).as(err.toString()).isZero();
    Path output = temp.resolve("served.txt");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Dai.djl.offline=true",
            "-cp",
            System.getProperty("java.class.path"),
            "io.feedline.examples.serving.PredictImages",
            temp.resolve("saved").toString(),
            images.resolve("val").toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
    assertThat(Files.readString(output))
        .contains("resnet18 of 10 classes: 10 images, 10 rows equal to the validation's, accuracy");
  }

  @Test
  void shouldReportInTheTermsOfTheImageNetScript() {
    int exitCode = runTiny(images);

    assertThat(errors()).isEmpty();
    assertThat(exitCode).isZero();
    String number = "[0-9.]+";
    String pair = " %s \\(%s\\)".formatted(number, number);
    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches("Data preparation time: " + number + " s: 40 images .*"))
        .anyMatch(
            line ->
                line.matches("Model loading time: " + number + " s: resnet18 .*18 layers, 0.9 M.*"))
        .anyMatch(
            line ->
                line.matches(
                    "Epoch: \\[0\\]\\[1/2\\]  Time%1$s  Data%1$s  Loss%1$s  Prec@1%1$s  Prec@5%1$s"
                        .formatted(pair)))
        .anyMatch(
            line ->
                line.matches(
                    (" \\* epoch 0: loss %1$s, %1$s s, %1$s%% of it waiting for data, %1$s"
                            + " images/s, batch load p50 %1$s ms p99 %1$s ms")
                        .formatted(number)))
        .anyMatch(
            line -> line.matches(" \\* Prec@1 %1$s Prec@5 %1$s \\(validation.*".formatted(number)));
  }

  @Test
  void shouldTrainAlikeFromAnObjectStore() throws Exception {
    assertThat(runTiny(images)).as(err::toString).isZero();
    List<String> losses = losses();
    out.getBuffer().setLength(0);
    try (LocalObjectStore server = new LocalObjectStore()) {
      server.put("textures", "small", images);
      URI bucket = URI.create("s3://textures");
      Map<String, Object> options =
          Map.of(
              "endpoint",
              server.endpoint().toString(),
              "credentials",
              LocalObjectStore.CREDENTIALS);
      try (FileSystem files = FileSystems.newFileSystem(bucket, options)) {
        Path data = files.getPath("small");

        assertThat(runTiny(Path.of(data.toUri()))).as(err::toString).isZero();
      }
    }

    assertThat(out.toString()).contains("s3://textures/small/train and s3://textures/small/val");
    assertThat(losses()).isNotEmpty().isEqualTo(losses);
    assertThat(out + errors())
        .doesNotContain(
            LocalObjectStore.CREDENTIALS.accessKeyId(),
            LocalObjectStore.CREDENTIALS.secretAccessKey());
  }

  @Test
  void shouldWriteAReport() throws Exception {
    Path page = temp.resolve("report.html");

    assertThat(runTiny(images, "--report", page.toString())).as(err::toString).isZero();

    assertThat(out.toString()).contains("Wrote the report " + page);
    assertThat(Files.readString(page))
        .startsWith("<!doctype html>")
        .contains("<h1>train</h1>", "2 batches, 8 samples in ")
        .containsPattern("<th scope=\"row\">program</th><td[^>]*>TrainResNet50</td>")
        .containsPattern("<th scope=\"row\">workers</th><td[^>]*>\\d+</td>")
        .containsPattern("<th scope=\"row\">image-size</th><td[^>]*>32</td>");
  }

  @ParameterizedTest
  @CsvSource({
    "--cache=TEMP/cache --cache-size=1000, --cache for --data: a cache is for data that is not on",
    "--report=TEMP/none/report.html, --report: there is no directory for TEMP/none/report.html",
    "--resume, --resume: no checkpoint of resnet18 in TEMP/saved",
  })
  void shouldRefuseWhatCannotBe(String options, String message) {
    String[] args = options.replace("TEMP", temp.toString()).split(" ", -1);

    assertThat(runTiny(images, args)).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(errors()).contains(message.replace("TEMP", temp.toString()));
    assertThat(out.toString()).doesNotContain("Epoch");
  }

  @Test
  @Tag("once")
  void shouldSayWhatItIsDoingFromTheBeginningOn() {
    assertThat(runTiny(images, "--generate-dir=" + temp)).isZero();

    assertThat(err.toString().lines().map(line -> line.replaceFirst("^\\[ *[0-9.]+ s\\] ", "")))
        .filteredOn(line -> !line.startsWith("still "))
        .containsExactly(
            "checking the options",
            "loading PyTorch",
            "opening the images in " + images,
            "data: 50 images in 10 classes",
            "making the network resnet18",
            "starting the first epoch",
            "loading the first batch",
            "training on the first batch",
            "loading the first batch to validate");
    err.getBuffer().setLength(0);

    String[] tiny = {
      "--model=resnet18", "--image-size=32", "--generate-images=5", "--max-steps=1", "--epochs=1"
    };
    List<String> args = new ArrayList<>(List.of(tiny));
    args.add("--generate-dir=" + temp);
    args.add("--checkpoint-dir=" + temp.resolve("saved"));
    assertThat(run(args.toArray(String[]::new))).isZero();
    Path made = temp.resolve("textures-10x(4+1)-seed0");
    assertThat(err.toString()).contains("] generating 50 images in " + made);
    assertThat(run(args.toArray(String[]::new))).isZero();
    assertThat(err.toString()).contains("] using the images that were generated before: " + made);
  }

  @Test
  @Tag("once")
  void shouldLearnFromGeneratedImages() {
    int exitCode =
        run(
            "--model=resnet18",
            "--image-size=32",
            "--generate-images=5",
            "--batch-size=8",
            "--epochs=6",
            "--workers=2",
            "--lr=0.02",
            "--generate-dir=" + shared);

    assertThat(exitCode).isZero();
    List<Double> losses =
        out.toString()
            .lines()
            .filter(line -> line.startsWith(" * epoch"))
            .map(line -> Double.valueOf(line.replaceAll(".*loss ([0-9.]+),.*", "$1")))
            .toList();
    assertThat(losses).hasSize(6);
    assertThat(losses.get(5)).isLessThan(losses.get(0) * 0.8);
  }

  /** On the CPU the device's normalization equals the host's to the last bit. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--normalize-on-device",
        "--pin-memory",
        "--prefetch-to-device=3",
        "--workers=0",
        "--workers=auto"
      })
  void shouldTrainAlikeWhateverTheWayToTheDevice(String option) {
    assertThat(runTiny(images)).isZero();
    List<String> losses = losses();
    out.getBuffer().setLength(0);

    assertThat(runTiny(images, option)).isZero();

    assertThat(errors()).isEmpty();
    assertThat(losses()).isNotEmpty().isEqualTo(losses);
    assertThat(out.toString()).contains(" on cpu(), batches: VIEW").doesNotContain("page-locked");
  }

  /** Returns the losses of each step, and of the validation. */
  private List<String> losses() {
    return out.toString()
        .lines()
        .filter(line -> line.matches("(Epoch|Test).*Loss.*"))
        .map(line -> line.replaceAll(".*(Loss [0-9.]+).*", "$1"))
        .toList();
  }

  @Test
  void shouldResumeAtTheNextEpoch() throws Exception {
    String checkpoints = "--checkpoint-dir=" + temp;
    assertThat(runTiny(images, checkpoints)).isZero();
    assertThat(files(temp))
        .containsExactly("pipeline.json", "resnet18-0000.momentum", "resnet18-0000.params");

    assertThat(runTiny(images, checkpoints, "--resume", "--epochs=2", "--precision=float16"))
        .isZero();

    assertThat(errors()).isEmpty();
    assertThat(out.toString()).contains("Resumed after epoch 0", "in float16", "Epoch: [1][0/2]");
    assertThat(files(temp))
        .containsExactly(
            "pipeline.json",
            "resnet18-0000.momentum",
            "resnet18-0000.params",
            "resnet18-0001.momentum",
            "resnet18-0001.params");
    assertThat(Files.readAllBytes(temp.resolve("resnet18-0001.params")))
        .isNotEqualTo(Files.readAllBytes(temp.resolve("resnet18-0000.params")));

    assertThat(runTiny(images, checkpoints, "--resume", "--epochs=2")).isZero();
    assertThat(out.toString()).contains("All 2 epochs are trained already");

    assertThat(runTiny(images, checkpoints)).isZero();
    assertThat(files(temp))
        .containsExactly("pipeline.json", "resnet18-0000.momentum", "resnet18-0000.params");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--max-steps=10", "--headspace"})
  void shouldNameABrokenImage(String option) throws Exception {
    Path broken = temp.resolve("broken");
    copy(images, broken);
    for (int texture = 0; texture < 10; texture++) {
      Files.write(broken.resolve("train/texture-" + texture + "/0001.jpg"), new byte[] {1, 2, 3});
    }

    assertThat(runTiny(broken, option)).isEqualTo(1);

    assertThat(errors()).startsWith("Error: ").contains(broken.toString(), "0001.jpg");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--max-steps=2", "--headspace"})
  void shouldEndInOrderWhenStopped(String option) throws Exception {
    stop.request();

    assertThat(runTiny(images, option)).isEqualTo(StopSignal.EXIT_CODE);

    assertThat(out.toString()).contains("Stopped: ").doesNotContain("headspace", "replayed");
    assertThat(temp.resolve("saved"))
        .satisfiesAnyOf(
            saved -> assertThat(saved).doesNotExist(),
            saved -> assertThat(saved).isEmptyDirectory());
  }

  @Test
  void shouldExplainItself() {
    assertThat(run("--help")).isEqualTo(CommandLine.ExitCode.OK);
    assertThat(out.toString())
        .contains("--data", "--model", "resnet152", "--resume", "--decoder", "--print-freq")
        .contains("--pin-memory", "--prefetch-to-device", "--normalize-on-device", "--precision")
        .contains("--headspace")
        .contains("Default: resnet50");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--image-size=31 | --image-size must be 32 or more, was 31",
        "--batch-size=0 | --batch-size must be 1 or more, was 0",
        "--epochs=0 | --epochs must be 1 or more, was 0",
        "--max-steps=0 | --max-steps must be 1 or more, was 0",
        "--workers=-1 | --workers must be 0 or more, was -1",
        "--workers=many | is neither a number nor auto",
        "--lr=0 | --lr must be more than 0, was 0.0",
        "--momentum=1 | --momentum must be 0 or more and below 1, was 1.0",
        "--weight-decay=-1 | --weight-decay must be 0 or more, was -1.0",
        "--prefetch-to-device=0 | --prefetch-to-device must be 1 or more, was 0",
        "--print-freq=0 | --print-freq must be 1 or more, was 0",
        "--model=vgg | Invalid value for option '--model'",
        "--precision=bfloat16 | Invalid value for option '--precision'",
        "--decoder=magic | Invalid value for option '--decoder'",
        "--epochs=x | Invalid value for option '--epochs'",
        "--data=/nowhere | --data: /nowhere: there is no such file or directory",
        "--cache=dir | --cache and --cache-size must be given together",
        "--cache-size=-1 --cache=dir | --cache-size must be 0 or more, was -1",
        "--cache=dir --cache-size=9 | --cache is for data that is named",
        "--data=http://[ | this URI is not a path",
        "--nonsense | Unknown option: '--nonsense'",
      })
  void shouldRefuseOptionsThatDoNotWork(String options, String message) {
    assertThat(run(options.split(" ", -1))).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void shouldRunTheWholeEpochBehindABar() {
    assertThat(runTiny(images, "--progress=bar", "--workers=0")).isZero();
    assertThat(out.toString()).contains(" * epoch 0: loss").doesNotContain("[1/2]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--workers=2", "--workers=0", "--normalize-on-device", "--pin-memory"})
  @Tag("once")
  void shouldSayHowFastItWouldBeIfDataCostNothing(String option) throws Exception {
    assertThat(runTiny(images, "--headspace", "--max-steps=8", option)).isZero();

    assertThat(errors()).isEmpty();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines)
        .filteredOn(line -> line.startsWith(" * epoch 0: loss "))
        .as("an epoch with the loader, one with replayed batches")
        .hasSize(2);
    assertThat(lines)
        .containsSubsequence("With batches as they are loaded:", "With batches that are replayed:")
        .filteredOn(line -> line.startsWith("Epoch: [0][7/8]"))
        .hasSize(2);
    assertThat(lines.get(lines.size() - 1))
        .matches(
            (" \\* headspace: %1$s images/s with this loader; with free data the training would run"
                    + " at %1$s images/s, %1$s times as fast: %1$s%% of the time is spent on data\\. .*")
                .formatted("[0-9.]+"));
    assertThat(out.toString()).doesNotContain("Test: ", "Saved");
    assertThat(temp.resolve("saved")).doesNotExist();
  }

  private static List<String> files(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws Exception {
    try (Stream<Path> tree = Files.walk(from)) {
      for (Path each : tree.toList()) {
        Files.copy(each, to.resolve(from.relativize(each)));
      }
    }
  }
}
