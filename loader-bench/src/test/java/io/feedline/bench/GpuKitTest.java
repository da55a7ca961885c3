package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The reaction of {@code gpu-kit/run.sh} to each possible end of its steps. Java and Python are
 * scripts here, which write down how they were called.
 */
@EnabledOnOs(OS.LINUX)
class GpuKitTest {
  private static final Path RUN = Path.of("gpu-kit", "run.sh");
  private static final Pattern STEP = Pattern.compile("^step_([a-z-]+)\\(\\)", Pattern.MULTILINE);

  private static final String STREAM = "*TrainStep*) echo '{\"transfer\":\"stream\"}' ;;";

  /** Python's report on its PyTorch; and figures, if it is asked for them. */
  private static final String PYTHON =
      """
      [ "$1" != - ] || cat <<'END'
      torch_home=/none
      torch_abi=1
      PYTORCH_LIBRARY_PATH=/none/lib
      PYTORCH_VERSION=2.11.0
      PYTORCH_FLAVOR=cu130
      nvidia_libraries=
      END
      """;

  @TempDir private Path scratch;
  private Path out;

  @BeforeEach
  void makeKit() throws IOException {
    Path kit = Files.createDirectories(scratch.resolve("kit/lib")).getParent();
    Files.copy(RUN, kit.resolve("run.sh"));
    Files.createFile(kit.resolve("lib/pytorch-engine-0.35.1.jar"));
    Files.createFile(scratch.resolve("libdjl_torch.so"));
    Files.createDirectories(scratch.resolve("work/jre/bin"));
    out = scratch.resolve("out");
    java(STREAM);
    script("python", PYTHON);
  }

  private void script(String name, String lines) throws IOException {
    Path file = scratch.resolve(name);
    String calls = scratch.resolve("calls").toString();
    Files.writeString(file, "#!/bin/sh\necho \"%s\" >>'%s'\n%s".formatted("$*", calls, lines));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Java that does what the first of some cases says that matches its arguments. */
  private void java(String... cases) throws IOException {
    script("work/jre/bin/java", "case \"$*\" in\n" + String.join("\n", cases) + "\nesac\n");
  }

  private Run run(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("bash", scratch.resolve("kit/run.sh").toString()));
    command.addAll(List.of("--out", out.toString(), "--work", scratch + "/work"));
    command.addAll(List.of("--python", scratch + "/python", "--jni", scratch + "/libdjl_torch.so"));
    command.addAll(Arrays.asList(args));
    return Run.of(new ProcessBuilder(command), scratch);
  }

  private List<String> summary() throws IOException {
    return Files.readAllLines(out.resolve("summary.txt")).stream()
        .map(line -> line.replaceAll(" \\([0-9]+ s\\)$", ""))
        .toList();
  }

  private List<String> calls(String... words) throws IOException {
    return Files.readAllLines(scratch.resolve("calls")).stream()
        .filter(call -> Arrays.stream(words).allMatch(call::contains))
        .toList();
  }

  @Test
  void shouldRunTheFirstStepsInTheirOrder() throws Exception {
    Run run = run();
    assertThat(run.exitCode()).as(String.join("\n", run.out())).isZero();
    assertThat(summary())
        .containsExactly(
            "probe: ok",
            "copies: ok",
            "jni: ok",
            "driver: ok",
            "torch: ok",
            "stream: ok",
            "train: ok",
            "train-torch: ok",
            "table: ok");
    assertThat(calls("-Dfeedline.gpu.required=true", "GpuTests cuda-")).hasSize(3);
    assertThat(calls("TrainStep", "--device gpu", "--pin-memory --normalize-on-device"))
        .isNotEmpty();
    assertThat(Files.readAllLines(out.resolve("steps.jsonl")))
        .as("one training more tries the native half, and measures nothing")
        .containsExactly(
            "{\"transfer\":\"stream\"}", "{\"transfer\":\"stream\"}", "{\"transfer\":\"stream\"}");
    assertThat(calls("TrainStep")).hasSize(4);
    assertThat(calls("train_step.py", "--device gpu")).hasSize(3);
  }

  @Test
  void shouldRunFirstWhatAStepNeeds() throws Exception {
    assertThat(run("stream").exitCode()).isZero();
    assertThat(summary()).containsExactly("jni: ok", "stream: ok");

    assertThat(run("stream").exitCode()).isZero();
    assertThat(summary()).endsWith("stream: ok", "stream: ok");
  }

  @Test
  void shouldGoOnWithTheDriverAloneWhereTheNativeHalfDoesNotLoad() throws Exception {
    java("*TrainStep*) echo 'wrong ELF class' >&2; exit 2 ;;");
    assertThat(run().exitCode()).isEqualTo(1);
    assertThat(summary())
        .containsExactly(
            "probe: ok",
            "copies: ok",
            "jni: FAILED, see jni.log",
            "driver: ok",
            "torch: left out: it needs jni, which did not go well",
            "stream: left out: it needs jni, which did not go well",
            "train: left out: it needs jni, which did not go well",
            "train-torch: ok",
            "table: ok");
    assertThat(out.resolve("jni.log")).content().contains("wrong ELF class");
  }

  @Test
  void shouldRunAFailedTestAgainAlone() throws Exception {
    java("*cuda-driver*) echo 'again:   [engine:junit-jupiter]/[one]'; exit 1 ;;", "*) exit 1 ;;");
    assertThat(run("driver").exitCode()).isEqualTo(1);
    assertThat(summary()).containsExactly("driver: FAILED, see driver.log");
    assertThat(calls("GpuTests [engine:junit-jupiter]/[one]")).hasSize(3);
    assertThat(out.resolve("driver.log")).content().contains("again, alone, 3 of 3");
  }

  @Test
  void shouldNotTakeOrdinaryCopiesForAStream() throws Exception {
    java("*--asks\\ 1) ;;", "*TrainStep*) echo 'no driver' >&2; echo '{\"transfer\":\"copy\"}' ;;");
    assertThat(run("train").exitCode()).isEqualTo(1);
    assertThat(summary()).containsExactly("jni: ok", "train: FAILED, see train.log");
    assertThat(out.resolve("train.log")).content().contains("no driver", "FELL BACK");
  }

  @Test
  void shouldSayWhatIsNotPossibleHere() throws Exception {
    java(
        "*HostToDevice*) echo 'cannot measure without a GPU: no driver\n--help lists it' >&2; exit 2 ;;");
    assertThat(run("copies", "files").exitCode()).isEqualTo(1);
    assertThat(summary().get(0))
        .isEqualTo("copies: not possible here: cannot measure without a GPU: no driver");
    assertThat(summary()).last().asString().startsWith("files: not possible here: no pictures");
  }

  @Test
  void shouldTrainOnPictures() throws Exception {
    script("python", PYTHON + "[ \"$2\" != 'import torchvision' ]\n");
    assertThat(run("--data", scratch.toString(), "files", "files-torch").exitCode()).isEqualTo(1);
    assertThat(summary())
        .containsExactly(
            "jni: ok",
            "files: ok",
            "files-torch: not possible here: " + scratch + "/python has no torchvision");
    assertThat(calls("TrainStep", "--model resnet50 --data " + scratch)).hasSize(3);
  }

  @Test
  void shouldEndAStepThatTakesTooLong() throws Exception {
    java("*HostToDevice*) exec sleep 300 ;;");
    assertThat(run("--seconds", "1", "copies").exitCode()).isEqualTo(1);
    assertThat(summary()).containsExactly("copies: FAILED: took longer than 1 s");
  }

  @Test
  void shouldTrainOnTheCpuWithoutAGpu() throws Exception {
    assertThat(run("--device", "cpu", "train", "train-torch").exitCode()).isZero();
    assertThat(calls("TrainStep", "--device cpu", "--image-size 64")).hasSize(2);
    assertThat(calls("train_step.py", "--device cpu", "--image-size 64")).hasSize(2);
    assertThat(calls("--pin-memory")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--device=tpu, --device must be gpu or cpu",
    "--jni=nowhere, --jni: no file nowhere",
    "--data=nowhere, --data must be a directory",
    "--python=nowhere, no nowhere",
    "--speed=9, not understood: --speed",
    "fly, no step fly",
  })
  void shouldRefuseWhatMakesNoSense(String argument, String reason) throws Exception {
    Run run = run(argument.split("=", -1));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(reason);
    assertThat(out).doesNotExist();
  }

  @Test
  void shouldExplainEveryStep() throws Exception {
    String help = String.join("\n", run("--help").out());
    assertThat(STEP.matcher(Files.readString(RUN)).results().map(step -> step.group(1)))
        .isNotEmpty()
        .allSatisfy(step -> assertThat(help).containsPattern("\\b" + step + "\\b"));
  }

  @ParameterizedTest
  @CsvSource({
    "--out=, --out is needed",
    "--out=new --djl=nowhere, --djl does not exist: nowhere",
    "--pictures=none --out=new, --pictures must be 1 or more",
    "--jdk=nowhere --out=new, no jlink or no jmods in nowhere",
    "--speed=9, not understood: --speed",
  })
  void shouldRefuseToBuildWhatMakesNoSense(String arguments, String reason) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "gpu-kit/build"));
    for (String argument : arguments.split(" ", -1)) {
      command.addAll(List.of(argument.split("=", -1)));
    }
    Run run = Run.of(new ProcessBuilder(command), scratch);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("gpu-kit: ", reason);
  }
}
