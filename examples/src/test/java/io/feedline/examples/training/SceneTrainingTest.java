package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Both programs that train on scenes: {@link TrainSegmentation} and {@link TrainDetection}. */
@Tag("once")
class SceneTrainingTest extends TrainingFixture {

  private static final String NUMBER = "[0-9]\\.[0-9]{3}";

  /** The output of a validation of {@link TrainSegmentation}, without spaces around it. */
  static final String MEAN_IOU =
      "\\* mean IoU %1$s \\(validation; %1$s if all were background\\)".formatted(NUMBER);

  /** The output of a validation of {@link TrainDetection}, without spaces around it. */
  static final String AP50 =
      "\\* AP50 %1$s, precision %1$s and recall %1$s of scores above 0\\.5 \\(validation\\)"
          .formatted(NUMBER);

  private static final Pattern EPOCH = Pattern.compile(" \\* epoch \\d: loss ([0-9.]+), .*");

  static Stream<Arguments> programs() {
    return Stream.of(
        arguments(
            Named.of("TrainSegmentation", program(TrainSegmentation::commandLine)),
            "segmentation",
            MEAN_IOU),
        arguments(
            Named.of("TrainDetection", program(TrainDetection::commandLine)), "detection", AP50));
  }

  private static Function<StopSignal, CommandLine> program(
      Function<StopSignal, CommandLine> program) {
    return program;
  }

  /** A few steps on small images, and whatever else is asked for. */
  private int runTiny(Function<StopSignal, CommandLine> program, String... more) {
    List<String> args =
        new ArrayList<>(List.of("--generate-images=20", "--generate-dir=" + shared));
    args.addAll(List.of("--image-size=32", "--batch-size=8", "--epochs=1", "--max-steps=2"));
    args.addAll(List.of("--workers=2", "--progress=lines", "--out=" + temp.resolve("out")));
    args.addAll(List.of(more));
    return run(program, args.toArray(String[]::new));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldLearnAndDrawWhatItSeesAndPredicts(
      Function<StopSignal, CommandLine> program, String name, String measured) throws IOException {
    assertThat(runTiny(program, "--max-steps=16", "--epochs=3")).as(err::toString).isZero();

    assertThat(errors()).isEmpty();
    assertThat(lines().get(0))
        .endsWith(": 16 scenes to train, 4 to validate, of [disk, square, triangle]");
    assertThat(lines()).filteredOn(line -> line.strip().matches(measured)).hasSize(3);
    List<Double> losses =
        lines().stream()
            .map(EPOCH::matcher)
            .filter(Matcher::matches)
            .map(line -> Double.valueOf(line.group(1)))
            .toList();
    assertThat(losses).hasSize(3);
    assertThat(losses.get(2)).isLessThan(0.9 * losses.get(0));
    // Cells of 224 pixels with 4 around them, four in a row.
    assertThat(picture(name + "-train.png")).isEqualTo(List.of(916, 688));
    assertThat(picture(name + "-predictions.png")).isEqualTo(List.of(916, 460));
  }

  /** Width and height. */
  private List<Integer> picture(String name) throws IOException {
    BufferedImage picture = ImageIO.read(temp.resolve("out").resolve(name).toFile());
    return List.of(picture.getWidth(), picture.getHeight());
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldDrawTheSameScenesForEqualSeeds(Function<StopSignal, CommandLine> program, String name)
      throws IOException {
    Path picture = temp.resolve("out").resolve(name + "-train.png");
    assertThat(runTiny(program)).as(err::toString).isZero();
    byte[] first = Files.readAllBytes(picture);

    assertThat(runTiny(program, "--workers=0")).isZero();
    assertThat(Files.readAllBytes(picture)).isEqualTo(first);
    assertThat(runTiny(program, "--data=" + new GeneratedScenes(shared, 16, 4, 0).make())).isZero();
    assertThat(Files.readAllBytes(picture)).isEqualTo(first);
    assertThat(
            runTiny(program, "--data=" + new GeneratedScenes(shared, 16, 4, 0).make(), "--seed=1"))
        .isZero();
    assertThat(Files.readAllBytes(picture)).as("other crops").isNotEqualTo(first);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldNormalizeOnTheDeviceToTheSameLoss(Function<StopSignal, CommandLine> program) {
    assertThat(runTiny(program, "--max-steps=1", "--workers=0")).as(err::toString).isZero();
    assertThat(runTiny(program, "--max-steps=1", "--workers=0", "--normalize-on-device"))
        .as(err::toString)
        .isZero();

    assertThat(
            lines().stream()
                .map(EPOCH::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(1))
                .toList())
        .hasSize(2)
        .doesNotContain("NaN")
        .satisfies(losses -> assertThat(losses.get(0)).isEqualTo(losses.get(1)));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldSayHowFastItWouldBeIfDataCostNothing(Function<StopSignal, CommandLine> program)
      throws IOException {
    Path record = temp.resolve("run.json");

    assertThat(runTiny(program, "--headspace", "--max-steps=7", "--report=" + record))
        .as(err::toString)
        .isZero();

    assertThat(errors()).isEmpty();
    assertThat(lines()).anyMatch(line -> line.startsWith(" * headspace: "));
    assertThat(Files.readString(record)).contains("image-size", "\"7\"");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldEndInOrderWhenStopped(Function<StopSignal, CommandLine> program) {
    stop.request();

    assertThat(runTiny(program)).isEqualTo(StopSignal.EXIT_CODE);
    assertThat(out.toString()).contains("Stopped: ").doesNotContain("(validation");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldRefuseOptionsThatDoNotWork(Function<StopSignal, CommandLine> program) {
    assertThat(run(program, "--image-size=40")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(run(program, "--crops=0")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(run(program, "--generate-images=4")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(run(program, "--cache=x", "--cache-size=1")).isEqualTo(CommandLine.ExitCode.USAGE);

    assertThat(err.toString())
        .contains(
            "--image-size must be a multiple of 16, was 40",
            "--crops must be 1 or more, was 0",
            "--generate-images must be 5 or more, was 4",
            LoopOptions.CACHE_OF_NOTHING);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void shouldNameADirectoryThatIsNotThere(Function<StopSignal, CommandLine> program) {
    assertThat(runTiny(program, "--data=" + temp)).isEqualTo(1);
    assertThat(errors())
        .startsWith("Error: there is no " + temp.resolve("classes.txt"))
        .contains("beside train and val");
  }
}
