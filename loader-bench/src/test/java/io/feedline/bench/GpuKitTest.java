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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The reaction of {@code gpu-kit/run.sh} to each possible end of its steps. Java and Python are
 * scripts here, which write down how they were called.
 */
@Tag("once")
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

  private static final String NO_PICTURES =
      "%s: not possible here: no pictures: the kit was built without --data, and --data is not given here";

  @TempDir private Path scratch;
  private Path out;

  @BeforeEach
  void makeKit() throws IOException {
    Path kit = Files.createDirectories(scratch.resolve("kit/lib")).getParent();
    Files.createDirectories(kit.resolve("fake"));
    Files.createDirectories(kit.resolve("djl"));
    Files.createDirectories(scratch.resolve("bin"));
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
    String pid = "echo $$ >'%1$s/pid'; PATH='%1$s/bin':$PATH exec bash \"$@\"".formatted(scratch);
    command.addAll(List.of("bash", "-c", pid, "-", scratch.resolve("kit/run.sh").toString()));
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
    assertThat(run.exitCode()).as(String.join("\n", run.out())).isEqualTo(1);
    assertThat(summary())
        .containsExactly(
            "probe: ok",
            "jni: ok",
            "driver: ok",
            "torch: ok",
            "stream: ok",
            "mutants: ok",
            "copies: ok",
            "mixing: ok",
            NO_PICTURES.formatted("files"),
            NO_PICTURES.formatted("files-torch"),
            NO_PICTURES.formatted("records"),
            NO_PICTURES.formatted("raw"),
            "train: ok",
            "train-torch: ok",
            "table: ok");
    assertThat(calls("-Dfeedline.gpu.required=true", "GpuTests cuda-")).hasSize(4);
    assertThat(calls("TrainStep", "--device gpu", "--pin-memory --normalize-on-device"))
        .isNotEmpty();
    assertThat(Files.readAllLines(out.resolve("steps.jsonl")))
        .as("one training more tries the native half, and measures nothing")
        .containsExactly(
            "{\"transfer\":\"stream\"}", "{\"transfer\":\"stream\"}", "{\"transfer\":\"stream\"}");
    assertThat(calls("TrainStep")).hasSize(4);
    assertThat(calls("train_step.py", "--device gpu")).hasSize(3);
  }

  /** A native half fits one version of PyTorch; another one would end the process, or worse. */
  @Test
  void shouldRunFirstWhatAStepNeedsAndCompileAnewForAnotherPyTorch() throws Exception {
    assertThat(run("stream").exitCode()).isZero();
    assertThat(run("stream").exitCode()).isZero();
    assertThat(summary()).containsExactly("jni: ok", "stream: ok", "stream: ok");

    script("python", PYTHON.replace("2.11.0", "2.12.0"));
    assertThat(run("stream").exitCode()).isZero();
    assertThat(summary()).endsWith("stream: ok", "jni: ok", "stream: ok");
  }

  /** DJL loads every library beside PyTorch's, and some of them end in a JVM without Python. */
  @Test
  @EnabledIf(
      value = "io.feedline.bench.Python#isThere",
      disabledReason = "no python3; PYTHON names one")
  void shouldHaveDjlLoadPyTorchsLibrariesOnly() throws Exception {
    Path torch = Files.createDirectories(scratch.resolve("site/torch/lib")).getParent();
    Files.createFile(torch.resolve("__init__.py"));
    Files.writeString(torch.resolve("version.py"), "__version__ = '2.13.0+cu130'\ncuda = '13.0'\n");
    for (String library :
        List.of(
            "c10",
            "c10_cuda",
            "torch",
            "torch_cpu",
            "torch_cuda",
            "torch_python",
            "shm",
            "jitbackend_test")) {
      Files.createFile(torch.resolve("lib/lib" + library + ".so"));
    }
    Files.createFile(torch.resolve("lib/libgomp-98b21ff3.so.1"));
    script("python", "PYTHONPATH='%s/site' exec %s \"$@\"\n".formatted(scratch, Python.command()));
    java("*cuda-driver*) echo \"$PYTORCH_FLAVOR without $PYTORCH_LIBRARY_EXCLUSION\" ;;");
    assertThat(run("driver").exitCode()).isZero();
    assertThat(out.resolve("driver.log"))
        .content()
        .contains("cu130 without libjitbackend_test.so,libshm.so,libtorch_python.so\n");
  }

  @Test
  void shouldUnpackTheRuntimeWithoutPythonsLzma() throws Exception {
    Path jre = scratch.resolve("work/jre");
    Path kit = scratch.resolve("kit");
    Run packed =
        Run.of(
            new ProcessBuilder("tar", "-cJf", kit + "/jre.tar.xz", "-C", scratch + "/work", "jre"),
            scratch);
    assertThat(packed.exitCode()).as(packed.err()).isZero();
    Files.delete(jre.resolve("bin/java"));
    script("python", "case \"$*\" in *lzma*|*tarfile*) exit 1 ;; esac\n" + PYTHON);
    assertThat(run("driver").exitCode()).isZero();
    assertThat(jre.resolve("bin/java")).isExecutable();
  }

  @Test
  void shouldSayInItsFirstScreenWhatToDo() throws Exception {
    script("python", "[ \"$1\" != - ] || exit 1\n");
    java("*-version*) echo 'version GLIBC_2.34 not found' >&2; exit 1 ;;");
    assertThat(run("probe").exitCode()).isZero();
    assertThat(out.resolve("probe.txt"))
        .content()
        .contains("STOP  the runtime does not start: version GLIBC_2.34 not found")
        .contains("has no torch: --python one that has; copies and driver run without")
        .contains("keep  " + out + " and " + scratch + "/work between calls");
  }

  @Test
  void shouldKeepWhatItHasWhenItIsStoppedAndDoWhatIsLeftWhenItIsCalledAgain() throws Exception {
    // The step ends run.sh as somebody would, while it runs.
    java("*cuda-torch*) kill $(cat '%s/pid'); exec sleep 300 ;;".formatted(scratch), STREAM);
    script("python", PYTHON + "case \"$*\" in *gpu_table*) echo '| figures |' ;; esac\n");

    Run stopped = run();

    assertThat(stopped.exitCode()).isEqualTo(130);
    assertThat(stopped.out()).containsSubsequence("stopped in torch", "| figures |");
    assertThat(summary()).containsExactly("probe: ok", "jni: ok", "driver: ok", "stopped in torch");
    assertThat(out.resolve("table.md")).hasContent("| figures |");

    java(STREAM);
    assertThat(run().exitCode()).isEqualTo(1);
    assertThat(summary().subList(4, summary().size()))
        .startsWith("torch: ok", "stream: ok", "mutants: ok")
        .endsWith("train: ok", "train-torch: ok", "table: ok")
        .doesNotContain("probe: ok", "jni: ok", "driver: ok");
  }

  /** A GPU must show again all that a CPU has shown. */
  @Test
  void shouldNotTakeADryRunForARun() throws Exception {
    assertThat(run("--device", "cpu", "driver", "stream").exitCode()).isZero();
    assertThat(summary())
        .containsExactly("driver: ok, dry run", "jni: ok, dry run", "stream: ok, dry run");
    assertThat(calls("GpuTests", "internal.DriverOnFakeTest", "-Dfeedline.fake.home=")).hasSize(1);
    assertThat(calls("GpuTests", "OnFakeTest")).hasSize(2);
    run();
    assertThat(summary()).contains("driver: ok", "stream: ok");
  }

  /** Fifteen files take two minutes, or ten on few processors. */
  @Test
  void shouldKeepWhatWasCompiledWhenItIsStopped() throws Exception {
    for (String file : List.of("a.cc", "b.cc")) {
      Files.createFile(scratch.resolve("kit/djl").resolve(file));
    }
    String compiled = "for out; do :; [ \"$last\" != -o ] || touch \"$out\"; last=$out; done\n";
    script("bin/g++", "case \"$*\" in *b.cc*) exit 1 ;; esac\n" + compiled);
    assertThat(run("--jni", "", "jni").exitCode()).isEqualTo(1);
    script("bin/g++", compiled);
    assertThat(run("--jni", "", "jni").exitCode()).isZero();
    assertThat(summary()).containsExactly("jni: FAILED, see jni.log", "jni: ok");
    assertThat(calls("-fPIC", "djl/a.cc")).hasSize(1);
    assertThat(calls("-fPIC", "djl/b.cc")).hasSize(2);
    assertThat(calls("-shared", "/a.cc.o", "/b.cc.o")).hasSize(1);
  }

  @Test
  void shouldGoOnWithTheDriverAloneWhereTheNativeHalfDoesNotLoad() throws Exception {
    java("*TrainStep*) echo 'wrong ELF class' >&2; exit 2 ;;");
    assertThat(run().exitCode()).isEqualTo(1);
    assertThat(summary())
        .startsWith("probe: ok", "jni: FAILED, see jni.log", "driver: ok")
        .contains("copies: ok", NO_PICTURES.formatted("files-torch"))
        .endsWith("train-torch: ok", "table: ok")
        .filteredOn(line -> line.endsWith(": left out: it needs jni, which did not go well"))
        .extracting(line -> line.replaceFirst(":.*", ""))
        .containsExactly(
            "torch", "stream", "mutants", "mixing", "files", "records", "raw", "train");
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
  void shouldKeepTheFiguresOfAWrongTransform() throws Exception {
    java("*DeviceTransforms*) echo '{\"off_by\":9}'; exit 1 ;;", STREAM);
    assertThat(run("mixing").exitCode()).isEqualTo(1);
    assertThat(summary()).containsExactly("jni: ok", "mixing: FAILED, see mixing.log");
    assertThat(out.resolve("transforms.jsonl")).hasContent("{\"off_by\":9}");
  }

  @Test
  void shouldTrainOnPicturesAndTheirOtherForms() throws Exception {
    script("python", PYTHON + "[ \"$2\" != 'import torchvision' ]\n");

    assertThat(run("--data", scratch + "", "files", "files-torch", "records", "raw").exitCode())
        .isEqualTo(1);

    assertThat(summary())
        .containsExactly(
            "jni: ok",
            "files: ok",
            "files-torch: not possible here: " + scratch + "/python has no torchvision",
            "records: ok",
            "raw: ok");
    assertThat(calls("TrainStep", "--model resnet50 --data " + scratch + " ")).hasSize(3);
    assertThat(calls("Feedline convert " + scratch, "work/records-", "--coefficients")).hasSize(1);
    assertThat(calls("Feedline convert " + scratch, "work/raw-", "--to mds --raw")).hasSize(1);
    assertThat(calls("TrainStep", "--data " + scratch + "/work/raw-")).hasSize(3);
  }

  @Test
  void shouldOrderTheStepsOfALentMachineByWhatTheyDecide() throws Exception {
    Files.createDirectories(scratch.resolve("kit/pictures"));
    Files.createDirectories(scratch.resolve("kit/results"));
    script("kit/results/measure", "");
    Run run = run("--minutes", "9");
    assertThat(run.exitCode()).as(String.join("\n", run.out())).isZero();
    assertThat(summary())
        .startsWith("probe: ok", "driver: ok", "jni: ok", "torch: ok", "stream: ok", "copies: ok")
        .containsSubsequence("files@16: ok", "files-torch@16: ok", "records@2: ok", "scaling: ok");
    assertThat(calls("TrainStep", "--workers 16", "--pin-memory", "--busy-seconds 8")).hasSize(4);
    assertThat(calls("train_step.py", "--workers 2", "--prefetch-to-device")).hasSize(1);
    assertThat(calls("TrainStep", "--workers 2", "--data")).hasSize(3);
  }

  /** A lent machine gives back a few files. */
  @Test
  void shouldGatherFiguresOfALentMachineInFourFiles() throws Exception {
    script("python", PYTHON + "case \"$*\" in *gpu_table*) echo '| figures |' ;; esac\n");
    assertThat(run("--minutes", "9", "driver", "stream").exitCode()).isZero();
    assertThat(out).isDirectoryContaining("glob:**/all.tar.gz");
    assertThat(out.resolve("table.md")).content().contains("| figures |");
    assertThat(summary()).containsExactly("driver: ok", "jni: ok", "stream: ok");
    Run listed =
        Run.of(new ProcessBuilder("tar", "-tzf", out.resolve("all.tar.gz").toString()), scratch);
    assertThat(listed.out()).contains("./driver.log", "./stream.log", "./summary.txt");
  }

  @Test
  void shouldCompileForALentMachineWhileTheDriverIsTested() throws Exception {
    // Each waits for the other.
    java(
        "*cuda-driver*) touch '%1$s/driver'; while [ ! -e '%1$s/jni' ]; do :; done ;;"
            .formatted(scratch),
        "*--asks\\ 1*) touch '%1$s/jni'; while [ ! -e '%1$s/driver' ]; do :; done ;;"
            .formatted(scratch));
    assertThat(run("--minutes", "9", "jni", "driver").exitCode()).isZero();
    assertThat(summary()).containsExactly("driver: ok", "jni: ok");
  }

  @Test
  void shouldBeginNothingThatDoesNotEndInTheMinutes() throws Exception {
    assertThat(run("--minutes", "1", "driver", "scaling").exitCode()).isEqualTo(1);
    assertThat(summary()).first().isEqualTo("driver: ok");
    assertThat(summary())
        .last()
        .asString()
        .matches("scaling: left out: \\d+ s are left, and it needs 90");
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
    "--minutes=none, --minutes must be 1 or more",
    "fly, no step fly",
    "files@two, STEP@N needs a number of workers",
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
    "--jdk=nowhere --out=new, no jlink in nowhere",
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
