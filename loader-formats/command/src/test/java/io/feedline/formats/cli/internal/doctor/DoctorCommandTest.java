package io.feedline.formats.cli.internal.doctor;

import static io.feedline.formats.cli.internal.doctor.DoctorFixture.decoding;
import static io.feedline.formats.cli.internal.doctor.DoctorFixture.figures;
import static io.feedline.formats.cli.internal.doctor.DoctorFixture.need;
import static io.feedline.formats.cli.internal.doctor.DoctorFixture.reads;
import static io.feedline.formats.cli.internal.doctor.DoctorFixture.saturated;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.cli.Feedline;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Change;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Figures;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Kind;
import io.feedline.formats.cli.internal.doctor.Examination.Run;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Cost;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Flight;
import io.feedline.formats.cli.internal.doctor.Trials.Attempt;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.samples.ForwardingStore;
import io.feedline.internal.Json;
import io.feedline.transform.Transform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
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
class DoctorCommandTest {

  private static final int IMAGES = 60;

  @TempDir private static Path directory;
  private static Path data;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void makeAFolder() throws IOException {
    data = directory.resolve("data");
    Random random = new Random(3);
    try (ImageStoreWriter writer =
        new ImageFolder().create(data, Packing.of(List.of("ant", "bee"), IMAGES))) {
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
  void shouldFindThatReadsTakeLongAndPredictWhatTheLoaderThenGives(@TempDir Path other)
      throws IOException {
    Path packed = other.resolve("packed");
    assertThat(feedline("convert", data, packed, "--to", "webdataset")).isZero();
    out.getBuffer().setLength(0);

    Map<String, Object> json =
        examined(
            "--batch-size",
            8,
            "--step-time",
            "1ms",
            "--seconds",
            1,
            "--image-size",
            16,
            "--workers",
            1,
            "--read-latency",
            "20ms",
            "--try",
            "workers=8",
            "--try",
            "batch-size=2",
            "--try",
            "read-ahead=3",
            "--try",
            "read-latency=1ms",
            "--try",
            "path=" + packed,
            "--json",
            "--no-progress");

    assertThat(json)
        .containsEntry("format", "imagefolder")
        .containsEntry("images", (long) IMAGES)
        .containsEntry("workers", 1L);
    assertThat(number(json, "needed_images_per_second")).isEqualTo(8000);
    assertThat((Long) json.get("recommended_workers")).isGreaterThan(1);
    assertThat(err.toString()).doesNotContain("measuring");

    Map<?, ?> inputs = object(json, "inputs");
    assertThat(List.of("batch_size", "image_size", "pipeline", "workers"))
        .extracting(name -> (Object) inputs.get(name))
        .containsExactly(8L, 16L, "train", 1L);
    assertThat(inputs.get("kernels")).isNotNull();
    assertThat(number(inputs, "step_seconds")).isEqualTo(0.001);
    assertThat(number(inputs, "read_latency_seconds")).isEqualTo(0.02);
    assertThat((List<?>) inputs.get("try")).hasSize(5);

    Map<?, ?> reads = object(json, "reads");
    Map<?, ?> decoding = object(json, "decoding");
    Map<?, ?> first = object(reads, "first_read");
    assertThat(number(first, "wait_seconds")).isGreaterThanOrEqualTo(0.0199);
    assertThat(reads.get("caching")).isEqualTo("not-cached");
    assertThat(each(object(json, "machine"), "speedups", "speedup"))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(((BigDecimal) each).doubleValue())
                    .isBetween(0.0, (double) Runtime.getRuntime().availableProcessors()));
    double speedup = ((BigDecimal) each(json, "runs", "speedup").get(0)).doubleValue();
    double predicted = number(json, "predicted_images_per_second");
    Map<?, ?> limits = object(json, "limits");
    double wait = number(limits, "wait_seconds");
    double cpu = number(limits, "cpu_seconds");
    assertThat(limits.get("epoch")).isEqualTo("first");
    assertThat(wait + cpu)
        .isCloseTo(
            number(first, "latency_seconds") + number(decoding, "first_cpu_seconds"), within(1e-9));
    assertThat(predicted)
        .as("a read, and the time of as much of a processor as others leave")
        .isCloseTo(1 / (wait + cpu / speedup), within(1e-6 * predicted));
    // Where other processes leave it nearly nothing of the processors, these are the bottleneck.
    boolean starved = predicted >= 0.9 * number(limits, "cpu_images_per_second");
    assertThat(json).containsEntry("bottleneck", starved ? "cpu" : "read-latency");
    assertThat(number(json, "measured_images_per_second")).isPositive().isLessThan(50);
    assertThat(number(json, "error_percent"))
        .isCloseTo(
            100 * (predicted / number(json, "measured_images_per_second") - 1), within(1e-6));

    assertThat(each(decoding, "kinds", "kind")).containsExactlyInAnyOrder("JPEG, baseline", "PNG");
    assertThat(each(json, "changes", "change")).contains("workers", "packing", "cache");
    for (Object change : (List<?>) json.get("changes")) {
      Object name = ((Map<?, ?>) change).get("change");
      boolean made = each(json, "tried", "change").contains(name);
      assertThat(((Map<?, ?>) change).get("measured_gain") != null).as("%s", name).isEqualTo(made);
    }
    assertThat(each(json, "tried", "change"))
        .contains("workers", "reading-ahead", "workers=8", "batch-size=2", "path=" + packed);
    for (Object tried : (List<?>) json.get("tried")) {
      double gain = number((Map<?, ?>) tried, "measured_gain");
      assertThat(gain)
          .isPositive()
          .isBetween(
              number((Map<?, ?>) tried, "least_gain"), number((Map<?, ?>) tried, "most_gain"));
    }
    List<Object> measured = each(json, "runs", "measured_images_per_second");
    List<Object> workers = each(json, "runs", "workers");
    assertThat(workers).contains(1L, json.get("recommended_workers"));
    for (int i = 0; i < workers.size(); i++) {
      boolean run =
          workers.get(i).equals(1L) || workers.get(i).equals(json.get("recommended_workers"));
      assertThat(measured.get(i) != null).as("%s workers", workers.get(i)).isEqualTo(run);
    }
    documented(json);
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
            doctor(
                data,
                "--batch-size",
                8,
                "--step-time",
                "1ms",
                "--seconds",
                0.1,
                "--workers",
                0,
                "--pipeline",
                Waiting.class.getName(),
                "--try",
                "pipeline=" + Upright.class.getName()))
        .as(err.toString())
        .isZero();

    assertThat(out.toString())
        .containsPattern(" 0 +first +[0-9.]+ +[0-9.-]+ +[+-][0-9.]+%  given")
        .contains("Bottleneck: transform. Of each image's ", Waiting.class.getName())
        .contains("made faster, or done once before the training")
        .contains("Tried, each in turns with the loader as it is:")
        .containsPattern(
            "pipeline=.*Upright +x [0-9.]+ \\([0-9.]+ to [0-9.]+\\), [0-9.]+ images/s");
  }

  @Test
  void shouldSayWhatWasMeasuredAndWhereItStands() {
    assertThat(
            doctor(
                data,
                "--batch-size",
                8,
                "--step-time",
                "60s",
                "--seconds",
                0.1,
                "--image-size",
                16))
        .as(err.toString())
        .isZero();

    assertThat(out.toString())
        .contains("imagefolder, 60 images")
        .containsPattern("A read takes [0-9.]+ .s the first time")
        .contains("Bottleneck: none, the step is slower.")
        .containsPattern(" +1 +(first|later) +[0-9.]+ +[0-9.-]+ +[+-][0-9.]+%  recommended")
        .doesNotContain("What to change");
    assertThat(err.toString()).contains("doctor: measuring reads ...");
  }

  @Test
  void shouldExamineASingleImage(@TempDir Path other) throws IOException {
    Files.write(
        Files.createDirectories(other.resolve("cat")).resolve("x.jpg"),
        image("jpg", new Random(1)));

    assertThat(
            doctor(
                other,
                "--batch-size",
                8,
                "--step-time",
                "1ms",
                "--seconds",
                0.1,
                "--image-size",
                16))
        .as(err.toString())
        .isZero();

    assertThat(out.toString()).contains("imagefolder, 1 image of").contains("Bottleneck: ");
  }

  /** Names in JSON are a promise, each of which DOCTOR.md has. */
  private static void documented(Map<String, Object> json) throws IOException {
    String page = Files.readString(Path.of("DOCTOR.md"));
    Set<String> names = new TreeSet<>();
    collectNames(json, names);
    assertThat(names)
        .hasSizeGreaterThan(40)
        .allSatisfy(name -> assertThat(page).contains('`' + name + '`'));
  }

  private static void collectNames(Object json, Set<String> names) {
    if (json instanceof Map<?, ?> object) {
      object.forEach(
          (name, value) -> {
            names.add((String) name);
            collectNames(value, names);
          });
    } else if (json instanceof List<?> list) {
      list.forEach(each -> collectNames(each, names));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--step-time 87ms | --batch-size with --step-time, such as 128 with 87ms",
        "--batch-size 128 | --batch-size with --step-time, such as 128 with 87ms",
        "--batch-size 0 --step-time 87ms | --batch-size must be 1 or more, was 0",
        "--batch-size 8 --step-time 87 | is not a time: expected a number with ns",
        "--batch-size 8 --step-time 1s --workers 4097 | --workers must be from 0 to 4096, was 4097",
        "--batch-size 8 --step-time 1s --seconds 61 | --seconds must be from 0.1 to 60, was 61.0",
        "--batch-size 8 --step-time 1s --image-size 0 | --image-size must be from 1 to 4096, was 0",
        "--batch-size 8 --step-time 1s --try | Missing required parameter for option '--try'",
        "--batch-size 8 --step-time 1s --read-latency 20 | Invalid value for option",
      })
  void shouldSayWhatIsWrongWithAnOption(String options, String words) {
    assertThat(doctor(data, (Object[]) options.split(" "))).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString()).contains(words).contains("Usage: feedline doctor");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldSayThatThereIsNothing(@TempDir Path empty) throws IOException {
    assertThat(doctor(empty, "--batch-size", 8, "--step-time", "1s")).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(empty + ": this directory is empty");
    for (String name : List.of("nothing", "nothing.tar", "nothing.zip", "nothing.tfrecord")) {
      Path file = Files.createFile(empty.resolve(name));
      assertThat(doctor(file, "--batch-size", 8, "--step-time", "1s")).isEqualTo(ExitCode.FAILED);
      assertThat(err.toString()).contains(file + ": this file is empty");
    }
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
    doctor(other, "--batch-size", 8, "--step-time", "1s", "--pipeline", "none.Such");
    assertThat(err.toString())
        .startsWith(
            "doctor: %s is taken for an imagefolder, whose directories are classes: images, masks."
                    .formatted(other)
                + " If masks has the masks of images, give %s, whose images are then examined alone."
                    .formatted(other.resolve("images")));

    err.getBuffer().setLength(0);
    doctor(data, "--batch-size", 8, "--step-time", "1s", "--pipeline", "none.Such");
    assertThat(err.toString()).doesNotContain("is taken for").contains("none.Such");
  }

  /** Two equal loaders, in turns of 7 images; and a gain as it comes of fewer bytes. */
  @Test
  void shouldSayWhichGainsMayBeByChance() {
    Attempt equal = Attempt.of(7.5, List.of(1.44, 1.16, 1.21));
    Attempt gained = Attempt.of(900, List.of(1.45, 1.5, 1.45));
    Attempt lost = Attempt.of(90, List.of(0.5, 0.52, 0.48));
    Examination found =
        examination(
            figures(2, reads(0.02), decoding(0.003, 0.002)),
            1e4,
            2,
            0,
            Map.of("workers=2", equal, "path=small", gained, "read-ahead=1", lost));

    assertThat(DoctorText.of(found))
        .contains(
            "  workers=2                x 1.21 (1.16 to 1.44), perhaps by chance, 7.50 images/s",
            "  path=small               x 1.45 (1.45 to 1.50), 900 images/s",
            "  read-ahead=1             x 0.50 (0.48 to 0.52), 90.0 images/s",
            "Longer turns show whether a gain was by chance: raise --seconds.");
    assertThat(each(DoctorJson.of(found), "tried", "clear"))
        .containsExactlyInAnyOrder(false, true, true);
  }

  @Test
  void shouldSayWhereAPathEnds() {
    Path missing = data.resolve("missing/train");

    assertThat(doctor(missing, "--batch-size", 8, "--step-time", "1s")).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString())
        .contains(missing.toString())
        .contains("there is no such file or directory")
        .doesNotContain("measuring");
  }

  @Test
  void shouldNameAnImageThatCannotBeDecoded(@TempDir Path other) throws IOException {
    Path broken = Files.createDirectories(other.resolve("cat")).resolve("x.jpg");
    Files.write(broken, new byte[] {1, 2, 3});

    assertThat(doctor(other, "--batch-size", 8, "--step-time", "1s", "--seconds", 1))
        .isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains(broken.toString());
  }

  @Test
  void shouldPrintTheSameInEveryLocale() {
    Figures figures = figures(2, reads(0.02), decoding(0.003, 0.002));
    List<Examination> all = new ArrayList<>();
    for (int workers : new int[] {1, 2, 64}) {
      for (double need : new double[] {1, 1471.26, 1e5}) {
        all.add(examination(figures, need, workers));
      }
    }
    List<String> expected = all.stream().map(DoctorCommandTest::printed).toList();

    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(all.stream().map(DoctorCommandTest::printed)).isEqualTo(expected);
    } finally {
      Locale.setDefault(before);
    }
    assertThat(expected).allSatisfy(text -> assertThat(text).contains("Bottleneck: "));
    assertThat(expected.get(1))
        .contains("Bottleneck: read-latency. For each image a worker waits 20 ms")
        .contains("feedline convert data DST --to webdataset --shard-size 256M")
        .contains("numWorkers(");
  }

  /** Others have a quarter of the processors, or hardly anything. */
  @Test
  void shouldGiveRangesOnABusyMachine() {
    Figures figures = figures(2, reads(0.02), decoding(0.003, 0.002));
    List<String> busy = DoctorText.of(examination(figures, 1e4, 2, 0.5));
    Map<String, Object> json = DoctorJson.of(examination(figures, 1e4, 2, 0.5));

    assertThat(busy.get(0))
        .isEqualTo(
            "The GPU waits for data: 1000-1500 images/s come, and 10000 are needed. It computes at"
                + " most 12% of the time.");
    assertThat(busy.get(1)).startsWith("Bottleneck: read-latency. ");
    assertThat(busy.get(2))
        .startsWith("Other processes kept 0.50 of 2 processors busy: all rates are ranges");
    assertThat(json).containsEntry("busy_machine", true);
    assertThat(each(json, "changes", "least_images_per_second")).doesNotContainNull();

    List<String> idle = DoctorText.of(examination(figures, 1e4, 2));
    assertThat(idle.get(0)).startsWith("The GPU waits for data: 1235 images/s come");
    assertThat(String.join("\n", idle)).doesNotContain("Other processes");
    assertThat(
            each(DoctorJson.of(examination(figures, 1e4, 2)), "changes", "most_images_per_second"))
        .containsOnlyNulls();
  }

  /** One number, which was measured; what was not tried is promised by the figures. */
  @Test
  void shouldPromiseWhatCame() {
    Figures figures = figures(2, reads(0.02), decoding(0.003, 0.002));
    Attempt ahead = Attempt.of(650, List.of(6.4, 6.5, 6.6));
    Attempt bytes = Attempt.of(102, List.of(0.98, 1.02, 1.2));
    Examination found =
        examination(figures, 1e4, 2, 0, Map.of("reading-ahead", ahead, "bytes-to-device", bytes));

    assertThat(DoctorText.of(found).subList(2, 8))
        .extracting(line -> line.replaceAll("(: \\S+).*", "$1"))
        .containsExactly(
            "What to change, each by itself, with the gain that came in turns with the loader as it is:",
            "  x 11.0 at most, 1000 images/s, not tried: a",
            "  x 10.7, 977 images/s, not tried: numWorkers(28)",
            "  x 10.2 at most, 928 images/s, not tried: shards,",
            "  x 6.50 (6.40 to 6.60), 650 images/s: reading",
            "  x 1.02 (0.98 to 1.20), perhaps by chance, 102 images/s: rows");
    assertThat(each(DoctorJson.of(found), "changes", "measured_gain")).contains(6.5, 1.02);
  }

  /** 64 reads in 80 ms, if each is of one image: it is not known how many are joined. */
  @Test
  void shouldGiveARangeForReadsThatMayBeJoined() {
    Figures figures = figures(2, reads(0.08), decoding(0.003, 0.002));
    Examination found = examination(figures, 1e4, 2);

    assertThat(DoctorText.of(found))
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains(
                        "800-1000 images/s by how many reads can be joined, not tried: reading"));
    assertThat(each(DoctorJson.of(found), "changes", "range_because_of"))
        .containsOnlyOnce("joined-reads")
        .doesNotContain("busy-machine");
  }

  /** First reads wait, later ones do not: no figure is of both. */
  @Test
  void shouldPredictTheFirstEpochAndLaterOnesWhereTheCacheWasCold() {
    ReadFigures cold =
        new ReadFigures(
            100,
            DoctorFixture.BYTES,
            new Cost(0.017, 0.001),
            new Cost(0, 0.001),
            List.of(new Flight(1, 1000, 0.001, 0), new Flight(4, 4000, 0.001, 0)));
    Figures figures = figures(2, cold, decoding(0.003, 0.002));
    Examination found = examination(figures, 1e4, 1);

    assertThat(DoctorText.of(found))
        .contains(
            "First reads come from the storage: by its figures 47.6 images/s in the first epoch, and"
                + " 333 later, if all data fits into memory.");
    Map<String, Object> json = DoctorJson.of(found);
    assertThat((Double) json.get("first_epoch_images_per_second")).isCloseTo(47.6, within(0.1));
    assertThat((Double) json.get("later_epochs_images_per_second")).isCloseTo(333.3, within(0.1));
    assertThat(Examination.worthwhile(figures, 1, 240, 1))
        .as("by threads that read before")
        .isEqualTo(Epoch.LATER);
    assertThat(Examination.worthwhile(figures, 1, 260, 1)).isEqualTo(Epoch.FIRST);
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
    CommandLine line = new CommandLine(command);
    line.setOut(new PrintWriter(printed, true));
    line.parseArgs(
        data.toString(),
        "--batch-size=8",
        "--step-time=1ms",
        "--seconds=0.2",
        "--image-size=16",
        "--workers=1",
        "--json",
        "--no-progress");
    StoreFormat format = StoreFormat.of(data);
    try (ImageDataset images =
        ImageDataset.of(new ColdStore(format.open(data, StoreOptions.NONE)))) {
      assertThat(command.run(format, images)).isZero();
    }

    Map<String, Object> json = Json.read(printed.toString());
    assertThat(object(json, "reads").get("caching")).isEqualTo("second-reads");
    assertThat(object(json, "limits").get("epoch")).isEqualTo("later");
    assertThat(each(json, "runs", "epoch")).containsOnly("later");
    assertThat(number(json, "first_epoch_images_per_second")).isLessThan(200);
    assertThat(number(json, "later_epochs_images_per_second"))
        .isGreaterThan(number(json, "first_epoch_images_per_second"));
  }

  /** The images of a turn are in memory after it, and would be read there in the next one. */
  @Test
  void shouldBeginEachTurnWithOtherImages() throws Exception {
    EncodedImage one = new EncodedImage("one", image("jpg", new Random(1)), 0);
    MemoryStore store =
        new MemoryStore(Collections.nCopies(4096, one), Collections.nCopies(4096, "one"));
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
    Trials trials = new Trials(loading, Duration.ofMillis(50), null, null, null, 1e4);

    trials.inTurns(loading, Map.of("the same", loading));

    assertThat(first).hasSize(8).doesNotHaveDuplicates();
  }

  /** The figures promise 2000 images a second of 4 workers, and 1234.5 came. */
  @Test
  void shouldAnswerByWhatWasMeasured() {
    Figures figures = figures(8, reads(0), decoding(0.003, 0.002));

    List<String> fewer = DoctorText.of(examination(figures, 1600, 4));
    assertThat(fewer.get(0))
        .isEqualTo(
            "The GPU waits for data: 1235 images/s come, and 1600 are needed. It computes at most"
                + " 77% of the time.");
    assertThat(fewer.get(1))
        .isEqualTo(
            "Bottleneck: none that was measured. By its figures 4 workers would load 2000"
                + " images/s.");
    assertThat(DoctorJson.of(examination(figures, 1600, 4)))
        .hasEntrySatisfying(
            "busy", busy -> assertThat((Double) busy).isCloseTo(1234.5 / 1600, within(1e-3)));
    assertThat(DoctorText.of(examination(figures, 1200, 4)).get(0))
        .isEqualTo("Loading is fast enough: 1235 images/s come, and 1200 are needed.");
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
        examined(
            "--batch-size",
            8,
            "--step-time",
            "1s",
            "--seconds",
            0.1,
            "--image-size",
            16,
            "--pipeline",
            pipeline,
            "--json",
            "--no-progress");

    assertThat(json).containsEntry("pipeline", pipeline);
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
            doctor(
                data,
                "--batch-size",
                8,
                "--step-time",
                "1s",
                "--seconds",
                0.1,
                "--pipeline",
                pipeline.getName()))
        .isEqualTo(ExitCode.FAILED);

    assertThat(err.toString())
        .contains("the pipeline " + pipeline.getName() + " failed for ", data + "/")
        .contains("java.lang.ArithmeticException: by zero");
  }

  @Test
  void shouldSayThatAPipelineCannotBeLoaded() {
    assertThat(
            doctor(
                data, "--batch-size", 8, "--step-time", "1s", "--pipeline", Broken.class.getName()))
        .isEqualTo(ExitCode.FAILED);

    assertThat(err.toString())
        .contains("the class needs a public constructor without parameters, which must not fail");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wrkers=8 | --try wrkers=8: a change is NAME=VALUE with one of these names: workers, batch-size",
        "workers | --try workers: the value must be a number from 0 to 4096",
        "batch-size=0 | --try batch-size=0: the value must be a number from 1 to 4096",
        "read-latency=9 | --try read-latency=9: '9' is not a time: expected",
        "path=none | none",
      })
  void shouldSayWhatIsWrongWithAChange(String change, String words) {
    assertThat(doctor(data, "--batch-size", 8, "--step-time", "1s", "--try", change))
        .isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains(words);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void shouldSayThatThereIsNoSuchPipeline() {
    assertThat(doctor(data, "--batch-size", 8, "--step-time", "1s", "--pipeline", "no.Such"))
        .isEqualTo(ExitCode.FAILED);

    assertThat(err.toString())
        .contains(
            "--pipeline must be train, val, detection, or a class",
            "no.Such",
            "java -cp feedline.jar");
  }

  /** Data whose reads are requests to a server gain from a cache. */
  @Test
  void shouldAdviseACacheForDataThatAreNotOnThisMachine() {
    Figures near = figures(2, saturated(0.03, 50), decoding(0.003, 0.002));
    Figures far = new Figures(near.reads(), near.decoding(), near.machine(), true);

    assertThat(printed(examination(far, 1e4, 2)))
        .contains("Second reads wait as well: each is a request to a server.")
        .contains("A loader reads this data ahead of its workers, 64 reads at once.")
        .contains("a cache on a local disk, for epochs after the first: --cache DIR --cache-size ")
        .contains("--cache-size 90084M") // 1,281,167 images of 64 and 8 KiB
        .doesNotContain("the system keeps nothing", "a copy on a local disk", "readAhead(");
    assertThat(printed(examination(near, 1e4, 2)))
        .contains("the system keeps nothing", "a copy on a local disk")
        .doesNotContain("--cache-size", "request to a server");
  }

  /** The processor was slower when the figures were taken than in the run. */
  @Test
  void shouldNotSayThatThreadsAreWorthMoreThanAProcessorEach() {
    Figures before = figures(2, reads(0.02), decoding(0.003, 0.002));
    Figures then = before.on(before.machine().atPace(1.2));

    assertThat(printed(examination(then, 1e4, 2)))
        .contains("undivided processors: 1.00 by 1, 2.00 by 2;", "\"speedup\":2.0}");
  }

  @Test
  void shouldNotSayWhichSizeAUsersOwnPipelineMakes() {
    Figures known = figures(2, saturated(0.03, 50), decoding(0.003, 0.002));
    Figures own = figures(2, saturated(0.03, 50), decoding(0.003, 0.002, true));

    assertThat(printed(examination(known, 1e4, 2))).contains("transform it to 224 x 224 and write");
    assertThat(printed(examination(own, 1e4, 2)))
        .contains("decode an image, transform it and write");
  }

  /** A trial a part of which brought nothing says nothing about how much rates vary. */
  @Test
  void shouldGiveNoRangeWhereAPartOfTheTrialBroughtNothing() {
    Figures figures = figures(2, saturated(0.03, 50), decoding(0.003, 0.002));
    Examination busy = examination(figures, 1e4, 2, 1.5);
    Trial none = new Trial(1234.5, 0, 1500, 6000, 0.9, 0, OptionalDouble.of(1.5));
    List<Run> runs =
        busy.runs().stream()
            .map(
                run ->
                    new Run(
                        run.workers(),
                        run.epoch(),
                        run.machine(),
                        run.predicted(),
                        Optional.of(none)))
            .toList();
    Examination stuck =
        new Examination(
            busy.path(),
            busy.format(),
            9,
            busy.pipeline(),
            figures,
            busy.diagnosis(),
            runs,
            Map.of());

    Change cache = new Change(Kind.CACHE, 300, 300, 2);
    assertThat(busy.range(cache)).hasValue(new Examination.Range(200, 450, "busy-machine"));
    assertThat(busy.range(new Change(Kind.READING_AHEAD, 300, 600, 2)))
        .hasValue(new Examination.Range(200, 900, "busy-machine"));
    assertThat(stuck.range(cache)).isEmpty();
  }

  @Test
  void shouldSayThatWorkersWaitForEachOthersLocks() {
    Figures figures = figures(8, reads(0), decoding(0.003, 0.002));
    Examination free = examination(figures, 1600, 4);
    Examination locked =
        new Examination(
            free.path(),
            free.format(),
            free.images(),
            "com.example.Locked",
            figures,
            free.diagnosis(),
            free.runs().stream().map(DoctorCommandTest::locked).toList(),
            Map.of());

    assertThat(printed(free)).doesNotContain("waited for a lock");
    assertThat(DoctorText.of(locked).get(2))
        .isEqualTo(
            "Of 4 workers 75% waited for a lock that another one held, and more would wait too: let"
                + " the pipeline com.example.Locked do its work outside of locks. Stacks of the"
                + " threads show where: jcmd PID Thread.print.");
    assertThat(printed(locked)).contains("\"workers_contention\":0.75");
  }

  /** The run with 4 workers, of which three waited for the fourth. */
  private static Run locked(Run run) {
    return new Run(
        run.workers(),
        run.epoch(),
        run.machine(),
        run.predicted(),
        run.trial()
            .map(
                trial ->
                    new Trial(
                        trial.imagesPerSecond(),
                        trial.least(),
                        trial.most(),
                        trial.images(),
                        trial.share(),
                        run.workers() == 4 ? 0.75 : 0,
                        trial.othersProcessors())));
  }

  private static Examination examination(Figures figures, double need, int workers) {
    return examination(figures, need, workers, 0.1);
  }

  private static Examination examination(Figures figures, double need, int workers, double others) {
    return examination(figures, need, workers, others, Map.of());
  }

  private static Examination examination(
      Figures figures, double need, int workers, double others, Map<String, Attempt> attempts) {
    Diagnosis diagnosis = Diagnosis.of(figures, need(need, workers), Epoch.LATER);
    List<Run> runs =
        diagnosis.shown().stream()
            .map(
                each ->
                    new Run(
                        each,
                        Epoch.LATER,
                        figures.machine(),
                        diagnosis.model().predict(each),
                        Optional.of(
                            new Trial(
                                1234.5, 1000, 1500, 6000, 0.9, 0, OptionalDouble.of(others)))))
            .toList();
    return new Examination(
        Path.of("data"), "imagefolder", 1_281_167, "train", figures, diagnosis, runs, attempts);
  }

  private static String printed(Examination found) {
    return String.join("\n", DoctorText.of(found)) + Json.write(DoctorJson.of(found));
  }

  private Map<String, Object> examined(Object... options) {
    assertThat(doctor(data, options)).as(err.toString()).isZero();
    return Json.read(out.toString());
  }

  private int doctor(Path path, Object... options) {
    List<Object> words = new ArrayList<>(List.of("doctor", path));
    words.addAll(List.of(options));
    return feedline(words.toArray());
  }

  private int feedline(Object... words) {
    return Feedline.run(
        new PrintWriter(out, true),
        new PrintWriter(err, true),
        Arrays.stream(words).map(Object::toString).toArray(String[]::new));
  }

  private static Map<?, ?> object(Map<?, ?> json, String name) {
    return (Map<?, ?>) json.get(name);
  }

  private static List<Object> each(Map<?, ?> json, String list, String name) {
    List<Object> values = new ArrayList<>();
    for (Object member : (List<?>) json.get(list)) {
      values.add(((Map<?, ?>) member).get(name));
    }
    return values;
  }

  private static double number(Map<?, ?> json, String name) {
    return ((BigDecimal) json.get(name)).doubleValue();
  }
}
