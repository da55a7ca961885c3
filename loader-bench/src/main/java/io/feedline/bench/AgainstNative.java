package io.feedline.bench;

import io.feedline.bench.Comparison.Round;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares the rate at which one thread turns JPEG files into tensors with that of a thread of C.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.AgainstNative --data DIR --resize both
 * </pre>
 *
 * <p>The same crops of the same files, all in memory, go through Feedline and through {@link
 * NativeProgram#JPEG_REFERENCE}, a child process that is compiled for the occasion. They take turns
 * of about a second of CPU time; while one works the other waits. One line of JSON for each kind of
 * work goes to standard output, the same as a table to standard error.
 *
 * <p>Exit code 0; 2 for options or data that make no sense, or where there is no C compiler; 1
 * where an image cannot be read.
 */
@Command(
    name = "AgainstNative",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Compares one thread of Feedline with one of C, from JPEG in memory to tensor.",
    footer = {
      "",
      "The figures of a line:",
      "  work, form             what was done, and from what: files, indexed files, or packed",
      "  scan_index             where Feedline has its indexes",
      "  jdk, kernels, decoder  what did it: kernels are vector or plain",
      "  ratio                  median over the rounds of Feedline's images per CPU-second divided",
      "                         by C's; ratio_min and ratio_max are the extremes",
      "  feedline_images_per_cpu_second, c_images_per_cpu_second",
      "                         medians; CPU time is that of the one thread that works",
      "  jvm_overhead           what the JVM's other threads (compiler, collector) used besides,",
      "                         as a part of it: near 0 once all is warm",
      "",
      "Needs a C compiler and libjpeg-turbo's header (Debian: gcc, libjpeg-dev)."
    })
public final class AgainstNative extends BenchCommand {

  enum Resizing {
    ANTIALIAS,
    BILINEAR,
    BOTH,
    NONE;

    List<Work> works() {
      return switch (this) {
        case ANTIALIAS -> List.of(Work.ANTIALIAS);
        case BILINEAR -> List.of(Work.BILINEAR);
        case BOTH -> List.of(Work.ANTIALIAS, Work.BILINEAR);
        case NONE -> List.of();
      };
    }
  }

  /** The ways in which Feedline uses scan indexes. */
  enum Indexing {
    OFF,
    MEMORY,
    BOTH;

    List<Task.Form> forms() {
      return switch (this) {
        case OFF -> List.of(Task.Form.FILES);
        case MEMORY -> List.of(Task.Form.INDEXED);
        case BOTH -> List.of(Task.Form.FILES, Task.Form.INDEXED);
      };
    }
  }

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description =
          "All files *.jpg and *.jpeg below DIR, by name. They must fit into memory twice.")
  private Path data;

  @Option(
      names = "--crops",
      paramLabel = "SEED",
      defaultValue = "0",
      description = {
        "Of the crop drawn for each image, as RandomResizedCrop draws with its defaults.",
        "Default: ${DEFAULT-VALUE}."
      })
  private long cropSeed;

  @Option(
      names = "--resize",
      paramLabel = "NAME",
      defaultValue = "antialias",
      description = {
        "antialias, to 224 x 224 with a filter as wide as the reduction; bilinear, from the two",
        "nearest rows and columns; both; or none. Default: ${DEFAULT-VALUE}."
      })
  private Resizing resize;

  @Option(
      names = "--decode",
      description = "Also compare decoding alone: of the crop, and of the whole image.")
  private boolean decode;

  @Option(
      names = "--decoder",
      paramLabel = "NAME",
      defaultValue = "auto",
      description = "Feedline's: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private DecodeOptions.Backend decoder;

  @Option(
      names = "--scan-index",
      paramLabel = "NAME",
      defaultValue = "off",
      description = {
        "off; memory: Feedline has a scan index of each image, made before the first round, as",
        "in all epochs of a training but the first, while C has no such means; or both, each in",
        "rounds of its own. Default: ${DEFAULT-VALUE}."
      })
  private Indexing scanIndex;

  @Option(
      names = "--packed",
      paramLabel = "PATH",
      description = {
        "Also compare a store that feedline convert made of DIR without loss, such as one of",
        "coefficient records, in rounds of its own. It is read where it lies; C has the files of",
        "DIR in memory. Tensors of all crops are compared first."
      })
  private Path packed;

  @Mixin private final Turns turns = new Turns(4, 1);

  public static void main(String... args) {
    System.exit(new AgainstNative().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    checkOptions();
    Images images = load();
    try (ImageDataset store = packed == null ? null : open(packed)) {
      if (store != null) {
        images.addPacked(store);
      }
      return compare(images);
    }
  }

  private Integer compare(Images images) throws Exception {
    PrintWriter log = log();
    for (Task task : tasks()) {
      images.prepare(task);
    }
    Machine machine = Machine.here();
    try (ScratchDirectory scratch = ScratchDirectory.create("feedline-against-native");
        NativeProcess c = start(images, scratch.path())) {
      log.printf(
          "machine: %s%ndata: %d files, mean %.1f KB, crops of seed %d; decoder %s; C: %s%n",
          machine,
          images.crops().size(),
          images.meanBytes() / 1000,
          cropSeed,
          name(decoder),
          library(c));
      log.flush();
      List<Comparison> comparisons = compare(images, c);
      log.printf(
          "%d rounds: median (smallest - greatest)%n%n%s%n", turns.rounds, Comparison.HEADER);
      comparisons.forEach(comparison -> log.println(comparison.toRow()));
      log.flush();
      for (Comparison comparison : comparisons) {
        print(comparison.addTo(subject(images, machine, c)));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void checkOptions() {
    turns.check(this);
    if (works().isEmpty()) {
      throw wrong("--resize=none leaves nothing to compare without --decode");
    }
    if (!Files.isDirectory(data)) {
      throw wrong("--data must be a directory, was " + data);
    }
  }

  /** Returns the tasks: each kind of work on each requested form of the data. */
  private List<Task> tasks() {
    List<Task.Form> forms = new ArrayList<>(scanIndex.forms());
    if (packed != null) {
      forms.add(Task.Form.PACKED);
    }
    return works().stream()
        .flatMap(work -> forms.stream().map(form -> new Task(work, form)))
        .toList();
  }

  private Set<Work> works() {
    Set<Work> works = EnumSet.noneOf(Work.class);
    works.addAll(resize.works());
    if (decode) {
      works.addAll(List.of(Work.DECODE, Work.FULL));
    }
    return works;
  }

  private Images load() {
    try {
      return Images.load(data, cropSeed, DecodeOptions.DEFAULT.withBackend(decoder));
    } catch (IOException | IllegalStateException e) {
      throw wrong("cannot load --data: " + e.getMessage(), e);
    }
  }

  private ImageDataset open(Path store) {
    try {
      return ImageDataset.open(store);
    } catch (IOException unreadable) {
      throw wrong("cannot open --packed: " + unreadable.getMessage(), unreadable);
    }
  }

  private NativeProcess start(Images images, Path scratch) throws IOException {
    Path list = scratch.resolve("list");
    Files.write(list, images.crops().stream().map(Crop::toLine).toList());
    return NativeProgram.JPEG_REFERENCE.start(this, scratch, list);
  }

  /** Measures all tasks in every round, so that other load on the machine affects all alike. */
  private List<Comparison> compare(Images images, NativeProcess c) throws Exception {
    Map<Task, List<Round>> counted = new LinkedHashMap<>();
    tasks().forEach(task -> counted.put(task, new ArrayList<>()));
    for (int number = -turns.warmUp; number < turns.rounds; number++) {
      for (Map.Entry<Task, List<Round>> each : counted.entrySet()) {
        Round round = round(each.getKey(), images, c, number % 2 == 0);
        if (number >= 0) {
          each.getValue().add(round);
        }
      }
    }
    return counted.entrySet().stream()
        .map(each -> new Comparison(each.getKey(), List.copyOf(each.getValue())))
        .toList();
  }

  private Round round(Task task, Images images, NativeProcess c, boolean cFirst) throws Exception {
    String mode = task.work().toString();
    Timing before = cFirst ? c.run(mode, turns.seconds) : null;
    long start = ProcessMeter.cpuNanos();
    Timing feedline = images.run(task, turns.seconds);
    double jvmCpuSeconds = (ProcessMeter.cpuNanos() - start) / 1e9;
    return new Round(feedline, jvmCpuSeconds, cFirst ? before : c.run(mode, turns.seconds));
  }

  private JsonLine subject(Images images, Machine machine, NativeProcess c) {
    return new JsonLine()
        .put("data", data.toString())
        .put("images", images.crops().size())
        .put("mean_bytes", images.meanBytes())
        .put("crops", cropSeed)
        .put("packed", packed == null ? "" : packed.toString())
        .put("decoder", name(decoder))
        .put("jdk", machine.jdk())
        .put("kernels", machine.kernels())
        .put("processor", machine.processor())
        .put("processors", machine.processors())
        .put("c", library(c));
  }

  /** Returns the library in C's report, without the count: {@code 986 libjpeg-turbo 2.1.5}. */
  private static String library(NativeProcess c) {
    return c.loaded().substring(c.loaded().indexOf(' ') + 1);
  }

  private static String name(DecodeOptions.Backend decoder) {
    return decoder.name().toLowerCase(Locale.ROOT);
  }
}
