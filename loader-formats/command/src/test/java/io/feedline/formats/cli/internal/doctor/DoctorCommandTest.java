package io.feedline.formats.cli.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.Preprocessor;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.cli.CommandFixture;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.doctor.Tries.Attempt;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.RandomInvert;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.samples.ForwardingStore;
import io.feedline.internal.Json;
import io.feedline.stats.RunRecord;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Tag("once")
class DoctorCommandTest extends CommandFixture {

  private static final String TASK = "--batch-size 8 --step-time 1s";
  private static final String SHORT = "--seconds 0.1 --image-size 16";
  private static final int IMAGES = 60;

  @TempDir private static Path directory;
  private static Path data;

  @BeforeAll
  static void makeAFolder() throws IOException {
    data = directory.resolve("data");
    Random random = new Random(3);
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named("imagefolder").create(data, Packing.of(List.of("ant", "bee"), IMAGES))) {
      for (int i = 0; i < IMAGES; i++) {
        writer.write(
            new EncodedImage(
                "%03d".formatted(i), image(i % 3 == 0 ? "png" : "jpg", random), i * 2 / IMAGES));
      }
      writer.commit();
    }
  }

  private static byte[] image(String format, Random random) throws IOException {
    BufferedImage image = new BufferedImage(48, 40, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < 48 * 40; i++) {
      image.setRGB(i % 48, i / 48, random.nextInt(1 << 24));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    assertThat(ImageIO.write(image, format, bytes)).isTrue();
    return bytes.toByteArray();
  }

  /**
   * A sleep of 20 ms for each read: 8 threads get eight times as much, and other batches nothing.
   */
  @Test
  void shouldFindThatReadsTakeLongAndTryWhatHelps(@TempDir Path other) throws IOException {
    Path packed = other.resolve("packed");
    ok("convert", data, packed, "--to webdataset");

    Map<String, Object> json =
        json(
            "doctor",
            data,
            "--batch-size 8 --step-time 1ms --seconds 2 --image-size 16 --workers 1 --no-progress",
            "--read-latency 20ms --try workers=8 --try batch-size=2 --try read-ahead=3",
            "--try read-latency=1ms --try path=" + packed);

    assertThat(json)
        .containsEntry("format", "imagefolder")
        .containsEntry("images", (long) IMAGES)
        .containsEntry("bottleneck", "waiting");
    assertThat(json.get("evidence").toString()).startsWith("reading had ");
    assertThat(number(json, "needed_images_per_second")).isEqualTo(8000);
    assertThat(number(json, "measured_images_per_second")).isPositive().isLessThan(50);
    assertThat(number(json, "busy")).isLessThan(0.01);
    assertThat(err()).doesNotContain("running");

    Map<?, ?> inputs = object(json, "inputs");
    assertThat(List.of("batch_size", "image_size", "pipeline", "workers"))
        .extracting(name -> (Object) inputs.get(name))
        .containsExactly(8L, 16L, "train", 1L);
    assertThat(inputs.get("kernels")).isNotNull();
    assertThat(number(inputs, "step_seconds")).isEqualTo(0.001);
    assertThat(number(inputs, "read_latency_seconds")).isEqualTo(0.02);
    assertThat((List<?>) inputs.get("try")).hasSize(5);
    RunRecord run = RunRecord.ofJson(Json.write(object(json, "run")));
    assertThat(run.workers()).isEqualTo(1);
    Duration reading = run.total().stage("reading").orElseThrow().elapsed();
    assertThat(reading.dividedBy(run.total().samples())).isGreaterThan(Duration.ofMillis(19));

    assertThat(each(json, "changes", "change")).contains("workers", "reading-ahead");
    assertThat(json.get("not_tried").toString())
        .contains("feedline convert %s %s-packed".formatted(data, data));
    assertThat(each(json, "tried", "change"))
        .containsExactly(
            "workers=8", "batch-size=2", "read-ahead=3", "read-latency=1ms", "path=" + packed);
    for (String list : List.of("changes", "tried")) {
      for (Object tried : (List<?>) json.get(list)) {
        double gain = number((Map<?, ?>) tried, "measured_gain");
        assertThat(gain)
            .isPositive()
            .isBetween(
                number((Map<?, ?>) tried, "least_gain"), number((Map<?, ?>) tried, "most_gain"));
      }
    }
    requireDocumented(json, "DOCTOR.md");
    try (var left = Files.list(data)) {
      assertThat(left).as("nothing is written").hasSize(2);
    }
  }

  /** A transform that waits for something, of which a processor's time says nothing. */
  public static final class Waiting implements Transform<Image, Image> {
    @Override
    public Image apply(Image image) {
      LockSupport.parkNanos(30_000_000);
      return Resize.of(24, 24).apply(image);
    }
  }

  @Test
  void shouldNameATransformThatIsSlowAndMeasureAnotherOne() {
    assertThat(
            ok(
                "doctor",
                data,
                "--batch-size 8 --step-time 1ms --seconds 0.1 --workers 0 --pipeline",
                Waiting.class.getName(),
                "--try",
                "pipeline=" + Upright.class.getName()))
        .contains("Bottleneck: workers. Without them the training's own thread loads each batch")
        .contains("What to change", "numWorkers(")
        .contains("Not tried", "Make " + Waiting.class.getName() + " faster, or do it once before")
        .contains("Tried, each in turns with the loader as it is:")
        .containsPattern(
            "pipeline=.*Upright +x [0-9.]+ \\([0-9.]+ to [0-9.]+\\), [0-9.]+ images/s");
  }

  @Test
  void shouldSayWhatWasMeasuredAndWhereItStands() {
    assertThat(ok("doctor", data, "--batch-size 8 --step-time 60s", SHORT))
        .contains("imagefolder, 60 images")
        .containsPattern("decoding [0-9.]+ .s, on a processor for [0-9.]+ .s and waiting for ")
        .contains("Bottleneck: none. The step is slower.")
        .doesNotContain("What to change");
    assertThat(err()).contains("doctor: running the loader ...");
  }

  @Test
  void shouldMeasureAndTryChangesWithoutAStepTime() {
    Map<String, Object> json = json("doctor", data, SHORT, "--no-progress");

    assertThat(number(json, "measured_images_per_second")).isPositive();
    assertThat(json).containsEntry("busy", null).containsEntry("needed_images_per_second", null);
    assertThat(object(json, "inputs").get("batch_size")).isEqualTo(128L);
    assertThat(each(json, "changes", "change")).contains("bytes-to-device");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--step-time 87ms | --step-time needs --batch-size, the images of a step",
        "--batch-size 0 --step-time 87ms | --batch-size must be 1 or more, was 0",
        "--batch-size 8 --step-time 87 | is not a time: expected a number with ns",
        "--batch-size 8 --step-time 1s --workers 4097 | --workers must be from 0 to 4096, was 4097",
        "--batch-size 8 --step-time 1s --seconds 61 | --seconds must be from 0.1 to 60, was 61.0",
        "--batch-size 8 --step-time 1s --image-size 0 | --image-size must be from 1 to 4096, was 0",
        "--batch-size 8 --step-time 1s --try | Missing required parameter for option '--try'",
        "--batch-size 8 --step-time 1s --read-latency 20 | Invalid value for option",
      })
  void shouldSayWhatIsWrongWithAnOption(String options, String words) {
    assertThat(fails(ExitCode.USAGE, "doctor", data, options))
        .contains(words)
        .contains("See feedline doctor --help")
        .doesNotContain("Usage:");
    assertThat(out()).isEmpty();
  }

  /** A directory of masks is a class like any other. */
  @Test
  void shouldSayThatMasksAreTakenForAClass(@TempDir Path other) throws IOException {
    for (String name : List.of("images", "masks")) {
      Files.write(
          Files.createDirectories(other.resolve(name)).resolve("1.png"),
          image("png", new Random(1)));
    }
    // It fails behind that, without having measured for a minute.
    feedline("doctor", other, "--batch-size 8 --step-time 1s --pipeline none.Such");
    assertThat(err())
        .startsWith(
            "doctor: %s is taken for an imagefolder, whose directories are classes: images, masks."
                .formatted(other));

    feedline("doctor", data, "--batch-size 8 --step-time 1s --pipeline none.Such");
    assertThat(err()).doesNotContain("is taken for").contains("none.Such");
  }

  /** The findings about a loader of the data. */
  private Findings found(
      double imagesPerSecond, double need, double others, List<Attempt> changes, Attempt... tried)
      throws Exception {
    RunRecord record;
    ImageDataset images = ImageDataset.open(data);
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(4, index -> index)).numWorkers(0).build()) {
      loader.forEach(Batch::close);
      Map<String, Object> json = Json.read(loader.runRecord().toJson());
      @SuppressWarnings("unchecked")
      Map<String, Object> machine = (Map<String, Object>) json.get("machine");
      machine.put("other_processes_processors", others);
      machine.put("processors", 2);
      record = RunRecord.of(json);
    }
    return Findings.of(
        Map.of(),
        data,
        "imagefolder",
        1000,
        need,
        new Loading(images, PipelineOptions.of("val", 16, images), 100, 4),
        new Trial(imagesPerSecond, OptionalDouble.of(800), record),
        changes,
        List.of(tried));
  }

  /** Two equal loaders, in turns of 7 images; and a gain as it comes of fewer bytes. */
  @Test
  void shouldSayWhichGainsMayBeByChance() throws Exception {
    Attempt equal = Attempt.of("workers=2", "", 7.5, List.of(1.44, 1.16, 1.21));
    Attempt gained = Attempt.of("path=small", "", 900, List.of(1.45, 1.5, 1.45));
    Attempt lost = Attempt.of("read-ahead=1", "", 90, List.of(0.5, 0.52, 0.48));

    assertThat(DoctorText.of(found(1234.5, 1e4, 0, List.of(), equal, gained, lost)))
        .contains(
            "  workers=2                x 1.21 (1.16 to 1.44), perhaps by chance, 7.50 images/s",
            "  path=small               x 1.45 (1.45 to 1.50), 900 images/s",
            "  read-ahead=1             x 0.50 (0.48 to 0.52), 90.0 images/s",
            "Longer turns show whether a gain was by chance: raise --seconds.");
    assertThat(List.of(equal.clear(), gained.clear(), lost.clear()))
        .containsExactly(false, true, true);
  }

  /** A gain is one that came; what was not tried has none. */
  @Test
  void shouldPrintTheGainsThatCameTheHighestFirst() throws Exception {
    Attempt small = Attempt.of("smaller-images", "small", 102, List.of(0.98, 1.02, 1.2));
    Attempt workers = Attempt.of("workers", "numWorkers(8)", 650, List.of(6.4, 6.5, 6.6));

    assertThat(DoctorText.of(found(1000, 1e4, 0, List.of(small, workers))))
        .containsSubsequence(
            "The first epoch loads 800 images/s, later ones 1000.",
            "What to change, each by itself, with the gain that came in turns with the loader as it"
                + " is:",
            "  x 6.50 (6.40 to 6.60), 650 images/s: numWorkers(8)",
            "  x 1.02 (0.98 to 1.20), perhaps by chance, 102 images/s: small",
            "Not tried, since it is to be written first, or is your program's:",
            "  Read scan indexes of JPEGs in the first epoch too: feedline index " + data);
  }

  @Test
  void shouldAnswerByWhatWasMeasured() throws Exception {
    assertThat(DoctorText.of(found(1234.5, 1600, 0, List.of())).get(0))
        .isEqualTo(
            "The GPU waits for data: 1235 images/s come, and 1600 are needed. It computes at most"
                + " 77% of the time.");
    assertThat(DoctorText.of(found(1234.5, 1200, 0, List.of())).get(0))
        .isEqualTo("Loading is fast enough: 1235 images/s come, and 1200 are needed.");
    assertThat(DoctorText.of(found(1234.5, Double.POSITIVE_INFINITY, 0, List.of())))
        .startsWith(
            "1235 images/s come. Whether that is enough, --batch-size and --step-time tell.")
        .doesNotContain("null");
    assertThat(DoctorText.of(found(1234.5, 1e4, 0.5, List.of())))
        .contains(
            "Other processes kept 0.50 of 2 processors busy: rates and gains may differ; measure"
                + " again when the machine is idle.");
    assertThat(DoctorText.of(found(1234.5, 1e4, 0, List.of())).toString())
        .doesNotContain("Other processes");
  }

  @Test
  void shouldCountBrokenImagesAndNameTheOnlyOne(@TempDir Path other) throws IOException {
    Path broken = Files.createDirectories(other.resolve("cat")).resolve("x.jpg");
    Files.write(broken, new byte[] {1, 2, 3});
    assertThat(fails(ExitCode.FAILED, "doctor", other, TASK, SHORT)).contains(broken.toString());

    byte[] sound = image("jpg", new Random(1));
    Files.write(broken, sound);
    assertThat(ok("doctor", other, TASK, SHORT))
        .contains("imagefolder, 1 image of", "Bottleneck: ");
    Files.write(broken, new byte[] {1, 2, 3});
    for (int i = 0; i < 20; i++) {
      Files.write(other.resolve("cat/" + i + ".jpg"), sound);
    }
    Files.write(other.resolve("cat/cut.jpg"), Arrays.copyOf(sound, sound.length / 2));
    assertThat(ok("doctor", other, TASK, SHORT))
        .containsPattern("[1-9][0-9]* broken images? left out; feedline verify lists them");
  }

  /** A store whose first reads wait, as from a disk, and whose later ones do not. */
  private static final class ColdStore extends ForwardingStore {
    private final Set<Long> inMemory = ConcurrentHashMap.newKeySet();

    ColdStore(ImageStore store) {
      super(store);
    }

    @Override
    public EncodedImage read(long index) throws IOException {
      if (inMemory.add(index)) {
        LockSupport.parkNanos(5_000_000);
      }
      return super.read(index);
    }
  }

  @Test
  void shouldMeasureLaterEpochsWhereOnlyFirstReadsWait() throws Exception {
    StringWriter printed = new StringWriter();
    DoctorCommand command = new DoctorCommand();
    CommandLine line = new CommandLine(command).setOut(new PrintWriter(printed, true));
    String options =
        " --batch-size=8 --step-time=1ms --seconds=0.2 --image-size=16 --workers=1 --json"
            + " --no-progress";
    line.parseArgs((data + options).split(" ", -1));
    StoreFormat format = StoreFormat.of(data);
    try (ImageDataset images =
        ImageDataset.of(new ColdStore(format.open(data, StoreOptions.NONE)))) {
      assertThat(command.run(format, images)).isZero();
    }

    Map<String, Object> json = Json.read(printed.toString());
    // Reads that wait allow 200; some images of the next epoch have come when the first ends.
    assertThat(number(json, "first_epoch_images_per_second"))
        .isLessThan(400)
        .isLessThan(number(json, "measured_images_per_second"));
  }

  /** The images of a turn are in memory after it, and would be read there in the next one. */
  @Test
  void shouldBeginEachTurnWithOtherImages() throws Exception {
    EncodedImage one = new EncodedImage("one", image("jpg", new Random(1)), 0);
    Samples store = new Samples(Collections.nCopies(4096, one), Collections.nCopies(4096, "one"));
    Set<Thread> workers = ConcurrentHashMap.newKeySet();
    List<Long> first = Collections.synchronizedList(new ArrayList<>());
    ImageDataset images =
        ImageDataset.of(
            new ForwardingStore(store) {
              @Override
              public EncodedImage read(long index) throws IOException {
                if (workers.add(Thread.currentThread())) {
                  first.add(index);
                }
                return super.read(index);
              }
            });
    Loading loading =
        new Loading(images, PipelineOptions.of("val", 16, ImageDataset.of(store)), 8, 1);
    Tries.make(
        List.of(new Tries.Try("the same", "", loading, loading)), Duration.ofMillis(50), 1e4);

    assertThat(first).hasSize(8).doesNotHaveDuplicates();
  }

  /** Turns images around, to a square. */
  public static final class Upright implements Transform<Image, Image> {
    @Override
    public Image apply(Image image) {
      return Resize.of(24, 24).apply(image);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "val",
        "detection",
        "io.feedline.formats.cli.internal.doctor.DoctorCommandTest$Upright"
      })
  void shouldMeasureOtherPipelines(String pipeline) {
    Map<String, Object> json =
        json("doctor", data, TASK, SHORT, "--no-progress --pipeline", pipeline);

    assertThat(object(json, "inputs").get("pipeline")).isEqualTo(pipeline);
    assertThat(number(json, "measured_images_per_second")).isPositive();
  }

  /** A class that is there, and cannot be loaded. */
  public static final class Broken implements Transform<Image, Image> {
    private static final int SIDE = Integer.parseInt("none");

    @Override
    public Image apply(Image image) {
      return Resize.of(SIDE, SIDE).apply(image);
    }
  }

  /** Fails when it is applied to an image. */
  public static final class Throwing implements Transform<Image, Image> {
    @Override
    public Image apply(Image image) {
      throw new ArithmeticException("by zero");
    }
  }

  /** Fails when the pixels are there. */
  public static final class ThrowingLater implements Transform<Image, Image> {
    @Override
    public Image apply(Image image) {
      return Resize.of(24, 24)
          .apply(image)
          .map(
              (rgb, width, height) -> {
                throw new ArithmeticException("by zero");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {Throwing.class, ThrowingLater.class})
  void shouldNameAPipelineThatFailsAndTheImage(Class<?> pipeline) {
    assertThat(
            fails(
                ExitCode.FAILED,
                "doctor",
                data,
                "--batch-size 8 --step-time 1s --seconds 0.1 --pipeline",
                pipeline.getName()))
        .contains("the pipeline " + pipeline.getName() + " failed for ", data + "/")
        .contains("java.lang.ArithmeticException: by zero");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--try wrkers=8 | 2 | --try wrkers=8: a change is NAME=VALUE with one of these names: workers,"
            + " batch-size",
        "--try workers | 2 | --try workers: the value must be a number from 0 to 4096",
        "--try batch-size=0 | 2 | --try batch-size=0: the value must be a number from 1 to 4096",
        "--try read-latency=9 | 2 | --try read-latency=9: '9' is not a time: expected",
        "--try path=none | 1 | none",
        "--pipeline no.Such | 2 | there is no class no.Such: run java -cp feedline.jar",
        "--pipeline no.Such | 2 | --pipeline must be train, val, detection, a .json file, or a class",
        "--pipeline io.feedline.formats.cli.internal.doctor.DoctorCommandTest$Broken | 2"
            + " | the class needs a public constructor without parameters, which must not fail",
      })
  void shouldSayWhatIsWrongWithAChangeOrAPipeline(String option, int code, String words) {
    assertThat(fails(code, "doctor", data, TASK, option)).contains(words);
    assertThat(out()).isEmpty();
  }

  @Test
  void shouldRunAPipelineThatATrainingHasWritten(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("pipeline.json");
    Files.writeString(
        file, Transforms.toJson(RandomCrop.of(8).withPadIfNeeded(true).andThen(Resize.of(4))));
    Object[] command = {"doctor", data, TASK, "--seconds 0.1 --pipeline", file};

    ok(command);

    Preprocessor.of(Resize.of(4).andThen(CenterCrop.of(4))).save(file);
    ok(command);

    Files.writeString(
        file,
        Transforms.toJson(RandomInvert.of().andThen(Resize.of(4))).replace("shorterE", "shortE"));
    assertThat(fails(ExitCode.USAGE, command))
        .contains("--pipeline " + file + ": transform[1].Resize has no option 'shortEdge'");
  }

  private static List<Object> each(Map<?, ?> json, String list, String name) {
    List<Object> values = new ArrayList<>();
    for (Object member : (List<?>) json.get(list)) {
      values.add(((Map<?, ?>) member).get(name));
    }
    return values;
  }
}
