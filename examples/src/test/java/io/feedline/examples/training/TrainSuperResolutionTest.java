package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.examples.shared.GeneratedPairs;
import io.feedline.formats.report.RunReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("once")
class TrainSuperResolutionTest extends TrainingFixture {

  private static final String NUMBER = "[0-9.]+";

  private int run(String... args) {
    return run(TrainSuperResolution::commandLine, args);
  }

  /** Two steps on patches of few pairs, and whatever else is asked for. */
  private int runTiny(String... more) {
    List<String> args =
        new ArrayList<>(List.of("--generate-pairs=4", "--generate-dir=" + shared, "--patch=12"));
    args.addAll(List.of("--batch-size=8", "--max-steps=2", "--epochs=1", "--print-freq=1"));
    args.addAll(List.of("--workers=2", "--progress=lines"));
    args.addAll(List.of(more));
    return run(args.toArray(String[]::new));
  }

  @Test
  void shouldWriteTheRecordThatAReportIsMadeOf() throws Exception {
    Path record = temp.resolve("run.json");
    Path page = temp.resolve("report.html");

    assertThat(runTiny("--report=" + record)).as(err::toString).isZero();

    RunReport.ofJson(Files.readString(record)).writeTo(page);
    assertThat(Files.readString(page)).contains("TrainSuperResolution", "2 batches, 16 samples in");
  }

  @Test
  void shouldReportWhereTheTimeGoes() {
    assertThat(runTiny()).isZero();

    assertThat(errors()).isEmpty();
    String pair = " %1$s \\(%1$s\\)".formatted(NUMBER);
    assertThat(lines())
        .anyMatch(line -> line.matches("PairFolder.*: 4 pairs, 16 patches of each in an epoch"))
        .anyMatch(
            line ->
                line.matches(
                    "Epoch: \\[0\\]\\[1/2\\]  Data%1$s  Compute%1$s  Loss%1$s  Bicubic%1$s  PSNR%1$s"
                        .formatted(pair)))
        .anyMatch(
            line ->
                line.matches(
                    (" \\* epoch 0: loss %1$s, PSNR %1$s dB \\(bicubic %1$s dB\\), %1$s s, %1$s%%"
                            + " of it waiting for data, %1$s samples/s, batch load .*")
                        .formatted(NUMBER)));
  }

  @Test
  void shouldLearnToEnlarge() {
    int exitCode = runTiny("--max-steps=40", "--patches=40", "--epochs=3", "--print-freq=40");

    assertThat(exitCode).isZero();
    List<Double> losses =
        lines().stream()
            .filter(line -> line.startsWith(" * epoch"))
            .map(line -> Double.valueOf(line.replaceAll(".*loss ([0-9.]+),.*", "$1")))
            .toList();
    assertThat(losses).hasSize(3);
    assertThat(losses.get(2)).isLessThan(losses.get(0) / 2);
  }

  /** The databases hold the folders' images, so the same patches come out. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void shouldTrainOnDatabasesAsOnFolders(int scale) {
    assertThat(runTiny("--scale=" + scale)).isZero();
    List<String> onFolders = inputPsnrs();
    out.getBuffer().setLength(0);

    assertThat(runTiny("--scale=" + scale, "--lmdb", "--workers=0")).isZero();

    assertThat(lines()).anyMatch(line -> line.startsWith("LmdbDataset.pairs("));
    assertThat(inputPsnrs()).isNotEmpty().isEqualTo(onFolders);
  }

  /** On the CPU the device's floats are the host's. */
  @ParameterizedTest
  @ValueSource(strings = {"--normalize-on-device", "--pin-memory", "--prefetch-to-device=1"})
  void shouldTrainAlikeWhateverTheWayToTheDevice(String option) {
    assertThat(runTiny()).isZero();
    List<String> losses = losses();
    out.getBuffer().setLength(0);

    assertThat(runTiny(option)).isZero();

    assertThat(errors()).isEmpty();
    assertThat(losses()).isNotEmpty().isEqualTo(losses);
  }

  private List<String> losses() {
    return lines().stream()
        .filter(line -> line.startsWith("Epoch"))
        .map(line -> line.replaceAll(".*(Loss [0-9.]+).*(PSNR [0-9.]+).*", "$1 $2"))
        .toList();
  }

  /** Returns the PSNRs of the inputs, which do not depend on the network. */
  private List<String> inputPsnrs() {
    return lines().stream()
        .filter(line -> line.startsWith(" * epoch"))
        .map(line -> line.replaceAll(".*\\(bicubic ([0-9.]+) dB\\).*", "$1"))
        .toList();
  }

  @Test
  void shouldTrainOnGivenFolders() throws Exception {
    Path made = new GeneratedPairs(shared, 3, 2, 5).make();

    assertThat(runTiny("--data=" + made)).isZero();
    assertThat(runTiny("--low=" + made.resolve("low"), "--high=" + made.resolve("high"))).isZero();

    assertThat(lines()).filteredOn(line -> line.contains(": 3 pairs")).hasSize(2);
  }

  @Test
  void shouldNameAnImageThatDoesNotFit() throws Exception {
    Path made = new GeneratedPairs(shared, 2, 2, 6).make();
    Path low = made.resolve("low").resolve("0001x2.png");
    Files.copy(made.resolve("high").resolve("0001.png"), low, StandardCopyOption.REPLACE_EXISTING);

    assertThat(runTiny("--data=" + made)).isEqualTo(1);

    assertThat(errors()).startsWith("Error: ").contains(low.toString(), "scale 2");
  }

  @Test
  void shouldSayHowFastItWouldBeIfDataCostNothing() {
    assertThat(runTiny("--headspace", "--max-steps=7")).isZero();

    assertThat(errors()).isEmpty();
    assertThat(lines()).filteredOn(line -> line.startsWith(" * epoch 0: loss ")).hasSize(2);
    assertThat(lines().get(lines().size() - 1))
        .matches(" \\* headspace: .* samples/s, .* of the time is spent on data\\. .*");
  }

  @Test
  void shouldEndInOrderWhenStopped() {
    stop.request();

    assertThat(runTiny()).isEqualTo(StopSignal.EXIT_CODE);
    assertThat(out.toString()).contains("Stopped: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--scale=5 | --scale must be 2, 3 or 4, was 5",
        "--patch=47 | --patch must be a multiple of the scale 2, was 47",
        "--patches=0 | --patches must be 1 or more, was 0",
        "--generate-pairs=0 | --generate-pairs must be 1 or more, was 0",
        "--low=x | --low and --high must be given together",
        "--data=x --low=y --high=z | --data must not be given with --low and --high",
        "--lr=NaN | --lr must be more than 0, was NaN",
      })
  void shouldRefuseOptionsThatDoNotWork(String options, String message) {
    assertThat(run(options.split(" ", -1))).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void shouldNameAFolderThatIsNotThere() {
    assertThat(runTiny("--data=" + temp)).isEqualTo(1);
    assertThat(err.toString()).contains(temp.resolve("low").toString());
  }
}
